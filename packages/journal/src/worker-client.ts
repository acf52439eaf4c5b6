import { Worker } from "node:worker_threads";
import { unrecordableFault, type FaultReporter } from "./recorder-fault.ts";
import { salvage, type Entry } from "./write/entry.ts";
import { addLoss, type Loss } from "./write/loss.ts";
import type { JournalWriterOptions, JournalWriterState } from "./write/journal-writer.ts";
import type { FromWorker, ToWorker, WorkerStart } from "./worker-protocol.ts";

/** What the client of a writing thread needs. */
export interface WorkerClientOptions {
  readonly writer: JournalWriterOptions;
  readonly maxQueueBytes: number;
  readonly faults: FaultReporter;
  /** Called once when the thread ends unasked, with the events by session that it may not have written. */
  readonly onDeath: (lost: ReadonlyMap<string, Loss>) => void;
}

/**
 * Hands events to a thread that writes them. It keeps the process alive only while something is on its way: a
 * process that is killed, or exits by `process.exit`, loses what was accepted and is not written yet.
 */
export class WorkerClient {
  readonly #options: WorkerClientOptions;
  readonly #worker: Worker;
  readonly #done = new Int32Array(new SharedArrayBuffer(4));
  readonly #answers = new Map<number, (isDrained: boolean) => void>();
  /** Sent since the queue was last seen empty. */
  readonly #sent = new Map<string, Loss>();
  /** Not sent because the queue was full. */
  readonly #refused = new Map<string, Loss>();
  #sentKib = 0;
  #ticket = 0;
  #isBusy = false;
  #isEnded = false;

  constructor(options: WorkerClientOptions) {
    const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
    const start: WorkerStart = {
      writer: options.writer,
      done: this.#done.buffer as SharedArrayBuffer,
    };
    this.#options = options;
    // No inherited flags: a loader or profiler of the host has nothing to do in this thread.
    this.#worker = new Worker(new URL(`./writer-worker.${extension}`, import.meta.url), {
      workerData: start,
      execArgv: [],
    });
    this.#worker.unref();
    this.#worker.on("message", (message: FromWorker) => {
      if (message.type === "fault") options.faults.report(message.fault);
      else this.#answer(message.ticket, message.isDrained);
    });
    this.#worker.on("error", (error) => {
      this.#died(String(error));
    });
    this.#worker.on("exit", () => {
      this.#died("it ended");
    });
  }

  /** Goes on with the files of a writer on this thread. */
  takeOver(state: JournalWriterState, reason: string): void {
    this.#send({ type: "takeOver", state, reason });
  }

  /** False when the queue is full: then the event is part of the next gap record. */
  append(entry: Entry, now: number): boolean {
    const { at, dropped, hook, id, session } = entry;
    const loss: Loss = { first: id, last: id, count: 1, reason: "worker_queue_full", since: now };
    const waiting = ((this.#sentKib - Atomics.load(this.#done, 0)) | 0) * 1024;
    if (waiting > this.#options.maxQueueBytes) {
      this.#refused.set(session, addLoss(this.#refused.get(session), loss));
      this.#report("queue_full", "Writing is too slow; events are lost until it catches up.");
      return false;
    }
    const { flags, payload } = this.#payloadText(entry);
    const kib = 1 + (payload.length >> 10);
    this.#sendRefused(session, now);
    this.#send({ type: "event", id, at, hook, session, flags, dropped, payload, kib, now });
    this.#sentKib = (this.#sentKib + kib) | 0;
    this.#sent.set(session, addLoss(this.#sent.get(session), { ...loss, reason: "worker_died" }));
    if (!this.#isBusy) this.#watch();
    return true;
  }

  /** Resolves to whether everything sent so far is written, at the latest after `timeoutMs`. */
  flush(timeoutMs: number, now: number): Promise<boolean> {
    for (const session of this.#refused.keys()) this.#sendRefused(session, now);
    return this.#ask((ticket) => ({ type: "flush", ticket, now }), timeoutMs);
  }

  /** The same, and ends the files and the thread. */
  async close(timeoutMs: number, now: number): Promise<boolean> {
    for (const session of this.#refused.keys()) this.#sendRefused(session, now);
    const closed = this.#ask((ticket) => ({ type: "close", ticket, now, timeoutMs }), timeoutMs);
    this.#isEnded = true;
    const isDrained = await closed;
    this.#worker.unref();
    return isDrained;
  }

  #payloadText(entry: Entry): { readonly flags: readonly string[]; readonly payload: string } {
    try {
      return { flags: entry.flags, payload: JSON.stringify(entry.payload) };
    } catch {
      // BigInt, cycle, excessive depth: as in sync mode, what is JSON of it is kept.
      const kept = salvage(entry);
      this.#options.faults.report(unrecordableFault(entry.hook));
      return { flags: kept.flags, payload: JSON.stringify(kept.payload) };
    }
  }

  #sendRefused(session: string, now: number): void {
    const loss = this.#refused.get(session);
    if (loss === undefined) return;
    this.#refused.delete(session);
    this.#send({ type: "lost", session, loss, now });
  }

  /** Holds the process until the queue is empty: one question is under way as long as it is not. */
  #watch(): void {
    this.#isBusy = true;
    this.#worker.ref();
    const ticket = ++this.#ticket;
    this.#answers.set(ticket, () => {
      if (this.#isEnded) return;
      if (this.#sentKib !== Atomics.load(this.#done, 0)) {
        this.#watch();
        return;
      }
      this.#isBusy = false;
      this.#sent.clear();
      if (this.#answers.size === 0) this.#worker.unref();
    });
    this.#send({ type: "ping", ticket });
  }

  #ask(question: (ticket: number) => ToWorker, timeoutMs: number): Promise<boolean> {
    if (this.#isEnded) return Promise.resolve(false);
    const ticket = ++this.#ticket;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#answer(ticket, false);
      }, timeoutMs);
      this.#answers.set(ticket, (isDrained) => {
        clearTimeout(timer);
        resolve(isDrained);
      });
      this.#send(question(ticket));
    });
  }

  #answer(ticket: number, isDrained: boolean): void {
    const settle = this.#answers.get(ticket);
    this.#answers.delete(ticket);
    settle?.(isDrained);
  }

  #died(reason: string): void {
    const isExpected = this.#isEnded;
    this.#isEnded = true;
    for (const ticket of this.#answers.keys()) this.#answer(ticket, false);
    if (isExpected) return;
    for (const [session, loss] of this.#refused)
      this.#sent.set(session, addLoss(this.#sent.get(session), loss));
    this.#report("worker_died", `The thread that writes the journal is gone (${reason}).`);
    this.#options.onDeath(this.#sent);
  }

  #report(reason: string, message: string): void {
    this.#options.faults.report({ code: "OBS_JOURNAL_WORKER", reason, message });
  }

  #send(message: ToWorker): void {
    this.#worker.postMessage(message);
  }
}
