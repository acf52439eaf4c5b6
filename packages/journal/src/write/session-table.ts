import { randomBytes } from "node:crypto";
import { dayOf, sessionFileName } from "../format.ts";
import { reasonOf } from "../recorder-fault.ts";
import { ChainedFile, type FileCalls } from "./chained-file.ts";
import type { Ledger } from "./ledger.ts";
import { SessionFile, type SessionFileState } from "./session-file.ts";
import type { SyncPolicy } from "./sync-policy.ts";
import type { WriterFacts } from "./writer-record.ts";

/** Bounds of what a writer holds. */
export interface TableLimits {
  /** Descriptors of session files. */
  readonly maxOpenFiles: number;
  /** Sessions whose place in their file is known; the one longest unused beyond that is ended. */
  readonly maxSessions: number;
  /** Characters, over all sessions, held to recognise what was stored before. */
  readonly dedupeChars: number;
}

/** Which sessions a writer has and which of their files are open, least recently used first. */
export class SessionTable {
  readonly #root: string;
  readonly #limits: TableLimits;
  readonly #calls: FileCalls;
  readonly #ledger: Ledger;
  readonly #sync: SyncPolicy;
  readonly #sessions = new Map<string, SessionFile>();
  readonly #open = new Set<SessionFile>();
  #last: SessionFile | undefined;

  constructor(
    root: string,
    limits: TableLimits,
    parts: { readonly calls: FileCalls; readonly ledger: Ledger; readonly sync: SyncPolicy },
  ) {
    this.#root = root;
    this.#limits = limits;
    this.#calls = parts.calls;
    this.#ledger = parts.ledger;
    this.#sync = parts.sync;
  }

  /** The session of that id, made where it is new, as the one most recently used. */
  get(id: string, now: number): SessionFile {
    if (this.#last?.session === id) return this.#last;
    const session = this.#sessions.get(id) ?? this.#make(id, now);
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    if (this.#open.delete(session)) this.#open.add(session);
    this.#last = session;
    return session;
  }

  all(): readonly SessionFile[] {
    return [...this.#sessions.values()];
  }

  /** The session longest unused, when one more would be too many. */
  oldestBeyondLimit(): SessionFile | undefined {
    if (this.#sessions.size <= this.#limits.maxSessions) return undefined;
    for (const session of this.#sessions.values()) return session;
    return undefined;
  }

  delete(session: SessionFile): void {
    this.#close(session);
    this.#sessions.delete(session.session);
    if (this.#last === session) this.#last = undefined;
  }

  /** Opens the session's file where it is not open. @throws the system's error. */
  open(session: SessionFile, now: number): void {
    if (session.file.fd !== -1) return;
    if (this.#open.size >= this.#limits.maxOpenFiles) this.#closeOldest();
    this.#ledger.claim(() => spareFacts(this.#ledger.facts));
    if (!session.file.created) session.restart(this.#ledger.facts, this.#newFile(session, now));
    try {
      session.file.open(this.#root);
    } catch (error) {
      this.#openOtherwise(session, now, error);
    }
    this.#open.add(session);
    if (session.isNew) this.#ledger.opened(session.path, now);
  }

  /** Keeps what is held to recognise repeats within its bound, the sessions longest unused first. */
  boundMemory(current: SessionFile): void {
    if (current.encoder.chars < this.#limits.dedupeChars / 16) return;
    let held = 0;
    for (const session of this.#open) held += session.encoder.chars;
    for (const session of this.#open) {
      if (held <= this.#limits.dedupeChars) return;
      held -= session.encoder.chars;
      session.encoder.forget();
    }
  }

  restore(saved: readonly SessionFileState[], modeReason: string): void {
    for (const state of saved) {
      const facts = { ...state.facts, mode: this.#ledger.facts.mode };
      const session = SessionFile.restore({ ...state, facts }, this.#perFileChars, this.#calls);
      session.modeReason = modeReason;
      this.#sessions.set(session.session, session);
    }
  }

  release(): readonly SessionFileState[] {
    const sessions = this.all();
    for (const session of sessions) this.delete(session);
    return sessions.map((session) => session.state());
  }

  get #perFileChars(): number {
    return this.#limits.dedupeChars / 8;
  }

  #make(id: string, now: number): SessionFile {
    const facts = this.#ledger.facts;
    const file = new ChainedFile(dayOf(now), sessionFileName(id, facts.writer), this.#calls);
    return new SessionFile(id, facts, file, { firstBody: 1, dedupeChars: this.#perFileChars });
  }

  #newFile(session: SessionFile, now: number): ChainedFile {
    const name = sessionFileName(session.session, this.#ledger.facts.writer);
    return new ChainedFile(dayOf(now), name, this.#calls);
  }

  #openOtherwise(session: SessionFile, now: number, error: unknown): void {
    const reason = reasonOf(error);
    if ((reason === "EMFILE" || reason === "ENFILE") && this.#open.size > 0) {
      this.#closeOldest();
    } else if (reason === (session.file.created ? "ENOENT" : "EEXIST")) {
      // The file was removed, or this writer had set the session aside: it goes on in a file of its own.
      const facts = spareFacts(this.#ledger.facts);
      const name = sessionFileName(session.session, facts.writer);
      session.restart(facts, new ChainedFile(dayOf(now), name, this.#calls));
    } else {
      throw error;
    }
    session.file.open(this.#root);
  }

  #closeOldest(): void {
    for (const session of this.#open) {
      this.#close(session);
      // Without its descriptor a session is idle: what it remembers would only hold memory.
      session.encoder.forget();
      return;
    }
  }

  #close(session: SessionFile): void {
    this.#sync.closing(session.file);
    session.file.close();
    this.#open.delete(session);
  }
}

function spareFacts(facts: WriterFacts): WriterFacts {
  return { ...facts, writer: `${facts.writer}.${randomBytes(5).toString("hex")}` };
}
