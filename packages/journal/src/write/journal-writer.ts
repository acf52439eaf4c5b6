import { reasonOf, unrecordableFault, type FaultReporter } from "../recorder-fault.ts";
import type { FileCalls } from "./chained-file.ts";
import type { Entry } from "./entry.ts";
import { Ledger, type LedgerState } from "./ledger.ts";
import type { Loss } from "./loss.ts";
import { RecordBuffer } from "./record-buffer.ts";
import type { SessionFile, SessionFileState } from "./session-file.ts";
import { SessionTable, type TableLimits } from "./session-table.ts";
import { SyncPolicy, type FsyncPolicy } from "./sync-policy.ts";
import type { WriterFacts } from "./writer-record.ts";

/** What a writer needs that can be handed to another thread. */
export interface JournalWriterOptions {
  readonly directory: string;
  readonly facts: WriterFacts;
  readonly fsync: FsyncPolicy;
  readonly limits: TableLimits;
}

/** What a writer on another thread needs to go on. */
export interface JournalWriterState {
  readonly facts: WriterFacts;
  readonly ledger: LedgerState;
  readonly sessions: readonly SessionFileState[];
}

/** All session files of one writer and its ledger, on the thread that calls. Nothing here throws into the caller. */
export class JournalWriter {
  /** Events written and events lost since the writer began. */
  readonly counts: { events: number; lost: number } = { events: 0, lost: 0 };
  /** How long the system calls of the last append took, in milliseconds. */
  lastWriteMs = 0;
  readonly #faults: FaultReporter;
  readonly #buffer = new RecordBuffer();
  readonly #sync: SyncPolicy;
  readonly #ledger: Ledger;
  readonly #table: SessionTable;

  constructor(
    options: JournalWriterOptions,
    faults: FaultReporter,
    calls: FileCalls,
    continued?: { readonly state: JournalWriterState; readonly reason: string },
  ) {
    const { directory, limits } = options;
    const facts = { ...(continued?.state.facts ?? options.facts), mode: options.facts.mode };
    const report = (error: unknown, path: string): void => {
      this.#report(error, path);
    };
    this.#faults = faults;
    this.#ledger = new Ledger(directory, facts, calls, report);
    this.#sync = new SyncPolicy(options.fsync, (error) => {
      report(error, directory);
    });
    this.#table = new SessionTable(directory, limits, {
      calls,
      ledger: this.#ledger,
      sync: this.#sync,
    });
    if (continued === undefined) return;
    this.#ledger.restore(continued.state.ledger);
    this.#table.restore(continued.state.sessions, continued.reason);
  }

  /** Its id; another one than asked for where that was taken. */
  get writer(): string {
    return this.#ledger.facts.writer;
  }

  /** Gives the files up to a writer on another thread. */
  release(): JournalWriterState {
    const sessions = this.#table.release();
    this.#sync.stop();
    return { facts: this.#ledger.facts, ledger: this.#ledger.release(), sessions };
  }

  /** Writes one event before it returns; false when it could not: then it is part of the next gap record. */
  append(entry: Entry, now: number): boolean {
    const session = this.#session(entry.session, now);
    const { loss } = session;
    try {
      if (session.file.fd === -1) this.#table.open(session, now);
      if (!session.append(entry, this.#buffer, now))
        this.#faults.report(unrecordableFault(entry.hook));
      this.#sync.wrote(session.file);
    } catch (error) {
      this.counts.lost++;
      session.lose({
        first: entry.id,
        last: entry.id,
        count: 1,
        reason: reasonOf(error),
        since: now,
      });
      this.#report(error, session.path);
      return false;
    } finally {
      this.lastWriteMs = session.file.writeMs;
    }
    this.counts.events++;
    if (loss !== undefined) this.#ledger.gap(loss, session.path, now);
    this.#table.boundMemory(session);
    return true;
  }

  /** Counts events that never reached this writer; the gap record comes with the session's next write. */
  lose(sessionId: string, loss: Loss, now: number): void {
    this.counts.lost += loss.count;
    this.#session(sessionId, now).lose(loss);
  }

  /** Tries to write the gap records that are due; returns how many lost events are still in none. */
  settle(now: number): number {
    let open = 0;
    for (const session of this.#table.all()) {
      if (session.loss !== undefined && !this.#settle(session, now)) open += session.loss.count;
    }
    this.#sync.syncAll();
    return open;
  }

  /** Ends every file with its last record until `deadline`, a `performance.now()`; returns how many were left. */
  close(now: number, deadline: number): number {
    let left = 0;
    for (const session of this.#table.all()) {
      if (performance.now() >= deadline || !this.#end(session, now, "closed")) left++;
      this.#table.delete(session);
    }
    this.#ledger.end(now);
    this.#sync.stop();
    return left;
  }

  #session(id: string, now: number): SessionFile {
    const session = this.#table.get(id, now);
    const oldest = this.#table.oldestBeyondLimit();
    if (oldest !== undefined) {
      this.#end(oldest, now, "idle");
      this.#table.delete(oldest);
    }
    return session;
  }

  #settle(session: SessionFile, now: number): boolean {
    const { loss } = session;
    try {
      this.#table.open(session, now);
      session.settle(this.#buffer, now);
      if (loss !== undefined) this.#ledger.gap(loss, session.path, now);
      return true;
    } catch (error) {
      this.#report(error, session.path);
      return false;
    }
  }

  #end(session: SessionFile, now: number, reason: "closed" | "idle"): boolean {
    const { loss } = session;
    try {
      if (session.isNew && loss === undefined) return true;
      this.#table.open(session, now);
      session.end(this.#buffer, now, reason);
      this.#sync.wrote(session.file);
      if (loss !== undefined) this.#ledger.gap(loss, session.path, now);
      this.#ledger.closed(session.path, session.file.prev, now);
      return true;
    } catch (error) {
      // The session's own file cannot say what is missing: the ledger is the place that is left.
      if (loss !== undefined) this.#ledger.gap(loss, session.path, now);
      this.#report(error, session.path);
      return false;
    }
  }

  #report(error: unknown, path: string): void {
    const reason = reasonOf(error);
    this.#faults.report({
      code: "OBS_JOURNAL_WRITE",
      reason,
      message:
        `The journal cannot be written (${reason}, ${path}). The run goes on; events until this is mended are ` +
        `missing, and a gap record will say which.`,
    });
  }
}
