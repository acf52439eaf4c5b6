import type { EventRecord, Payload, Plugin, PluginContext } from "@hermes-observer/core";
import { ownIdentity } from "./process-identity.ts";
import { FaultReporter, reasonOf } from "./recorder-fault.ts";
import { resolveOptions, type RecorderOptions, type ResolvedOptions } from "./recorder-options.ts";
import { SlowWriteWatch } from "./slow-write-watch.ts";
import { WorkerClient } from "./worker-client.ts";
import { nodeFileCalls } from "./write/chained-file.ts";
import { makeEntry, unreadableEntry, type Entry } from "./write/entry.ts";
import { JournalWriter, type JournalWriterOptions } from "./write/journal-writer.ts";
import type { WriteMode } from "./write/writer-record.ts";

/** What `flush` and `close` achieved in their time. */
export interface RecorderReport {
  /** Everything accepted was written. */
  readonly isDrained: boolean;
  /** Events lost since the recorder began, whether or not a gap record says so yet. */
  readonly lost: number;
}

/** Counts since the recorder began. */
export interface RecorderStats {
  readonly events: number;
  readonly lost: number;
}

/** Records events in a journal. */
export interface Recorder {
  /** Observes every hook; also flushes and closes with the `Hooks` that it is registered with. */
  readonly plugin: Plugin;
  readonly writer: string;
  readonly mode: WriteMode;
  readonly stats: RecorderStats;
  /**
   * Records one event. In `sync` mode it is written when this returns true, and survives the end of the process; in
   * `worker` mode it is accepted. False: it is lost, and a gap record will say so. **Contract:** never throws; the
   * payload is not changed and, if it is frozen, is taken to be deep-frozen.
   */
  append(record: EventRecord, flags?: readonly string[]): boolean;
  /** Writes what is due and, in `worker` mode, waits for the queue, at most `timeoutMs`. */
  flush(timeoutMs: number): Promise<RecorderReport>;
  /** Flushes and ends every file with its last record, at most `timeoutMs`. Later events are lost with a fault. */
  close(timeoutMs: number): Promise<RecorderReport>;
}

/** Makes a recorder; nothing is opened before the first event. @throws RangeError, TypeError for invalid options. */
export function createRecorder(options: RecorderOptions): Recorder {
  return new JournalRecorder(resolveOptions(options));
}

const noFlags: readonly string[] = [];
const unknownHook: readonly string[] = ["unknown_hook"];

class JournalRecorder implements Recorder {
  readonly plugin: Plugin;
  readonly #options: ResolvedOptions;
  readonly #faults: FaultReporter;
  #watch: SlowWriteWatch;
  readonly #counts = { events: 0, lost: 0 };
  #writer: JournalWriter | undefined;
  #worker: WorkerClient | undefined;
  #closing: Promise<RecorderReport> | undefined;

  constructor(options: ResolvedOptions) {
    this.#options = options;
    this.#faults = new FaultReporter(options.onFault);
    this.#watch = new SlowWriteWatch(options.slowWrites);
    if (options.mode === "worker") this.#worker = this.#startWorker(options.writer);
    else this.#writer = this.#makeWriter(options.writer);
    this.plugin = { name: "journal", register: (ctx) => this.#register(ctx) };
  }

  get writer(): string {
    return this.#writer?.writer ?? this.#options.writer;
  }

  get mode(): WriteMode {
    return this.#worker === undefined ? "sync" : "worker";
  }

  get stats(): RecorderStats {
    return { ...this.#counts };
  }

  append(record: EventRecord, flags: readonly string[] = noFlags): boolean {
    try {
      return this.#append(this.#entry(record, flags));
    } catch (error) {
      this.#counts.lost++;
      this.#reportInternal(error, "An event could not be recorded");
      return false;
    }
  }

  async flush(timeoutMs: number): Promise<RecorderReport> {
    if (this.#closing !== undefined) return this.#closing;
    const open = this.#writer?.settle(this.#options.now()) ?? 0;
    const isDrained = (await this.#worker?.flush(timeoutMs, this.#options.now())) ?? open === 0;
    return { isDrained, lost: this.#counts.lost };
  }

  close(timeoutMs: number): Promise<RecorderReport> {
    this.#closing ??= this.#close(timeoutMs);
    return this.#closing;
  }

  #register(ctx: PluginContext): void {
    ctx.registerHook("*", (payload, envelope) => {
      const { at, hook, id } = envelope;
      // The dispatcher hands over JSON objects only; their fields are read as unknown.
      this.append({ id, at, hook, payload: payload as unknown as Payload });
    });
    ctx.onFlush((timeoutMs) => this.flush(timeoutMs));
    ctx.onClose((timeoutMs) => this.close(timeoutMs));
  }

  #entry(record: EventRecord, flags: readonly string[]): Entry {
    const all = this.#options.knownHooks.has(record.hook) ? flags : [...flags, ...unknownHook];
    try {
      return makeEntry(record, all, this.#options);
    } catch {
      // A payload whose fields cannot even be read, such as a Proxy that throws.
      return unreadableEntry(record, all, this.#options.now());
    }
  }

  #append(entry: Entry): boolean {
    if (this.#closing !== undefined) return this.#refuse();
    const now = this.#options.now();
    if (this.#worker !== undefined) return this.#count(this.#worker.append(entry, now));
    const writer = this.#writer;
    if (writer === undefined) return this.#refuse();
    const isWritten = writer.append(entry, now);
    if (this.#watch.isSlow(writer.lastWriteMs)) this.#switchToWorker(writer);
    return this.#count(isWritten);
  }

  #count(isRecorded: boolean): boolean {
    if (isRecorded) this.#counts.events++;
    else this.#counts.lost++;
    return isRecorded;
  }

  #refuse(): boolean {
    this.#faults.report({
      code: "OBS_JOURNAL_CLOSED",
      reason: "closed",
      message: "An event came after the recorder was closed; it is not recorded.",
    });
    return this.#count(false);
  }

  async #close(timeoutMs: number): Promise<RecorderReport> {
    const deadline = performance.now() + timeoutMs;
    let isDrained = true;
    if (this.#writer !== undefined)
      isDrained = this.#writer.close(this.#options.now(), deadline) === 0;
    if (this.#worker !== undefined)
      isDrained = await this.#worker.close(timeoutMs, this.#options.now());
    return { isDrained, lost: this.#counts.lost };
  }

  #makeWriter(writer: string): JournalWriter {
    return new JournalWriter(this.#writerOptions(writer, "sync"), this.#faults, nodeFileCalls);
  }

  #writerOptions(writer: string, mode: WriteMode): JournalWriterOptions {
    const { dedupeChars, directory, fsync, maxOpenFiles, maxSessions, producer } = this.#options;
    return {
      directory,
      fsync,
      facts: { writer, identity: ownIdentity(), producer, mode },
      limits: { dedupeChars, maxOpenFiles, maxSessions },
    };
  }

  #startWorker(writer: string): WorkerClient {
    return new WorkerClient({
      writer: this.#writerOptions(writer, "worker"),
      maxQueueBytes: this.#options.maxWorkerQueueBytes,
      faults: this.#faults,
      onDeath: (lost) => {
        this.#worker = undefined;
        // Its files end without a last record, which readers see; this thread goes on in files of its own.
        const successor = this.#makeWriter(`${writer}.sync`);
        this.#writer = successor;
        for (const [session, loss] of lost) {
          this.#counts.lost += loss.count;
          successor.lose(session, loss, this.#options.now());
        }
      },
    });
  }

  #switchToWorker(writer: JournalWriter): void {
    let worker: WorkerClient;
    try {
      worker = this.#startWorker(writer.writer);
    } catch (error) {
      // No thread to be had: slow is better than not at all.
      this.#watch = new SlowWriteWatch(false);
      this.#reportInternal(error, "Writing is slow and cannot move to a thread of its own");
      return;
    }
    worker.takeOver(writer.release(), "slow_writes");
    this.#worker = worker;
    this.#writer = undefined;
  }

  #reportInternal(error: unknown, what: string): void {
    this.#faults.report({
      code: "OBS_JOURNAL_INTERNAL",
      reason: reasonOf(error),
      message: `${what}: ${String(error)}`,
    });
  }
}
