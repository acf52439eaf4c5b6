import { ChainedFile, type ChainedFileState, type FileCalls } from "./chained-file.ts";
import { BodyEncoder } from "./body-encoder.ts";
import { salvage, type Entry } from "./entry.ts";
import { quote } from "./json-text.ts";
import { addLoss, gapHead, type Loss } from "./loss.ts";
import type { FreshBody, RecordBuffer } from "./record-buffer.ts";
import {
  closedHead,
  modeHead,
  writerHead,
  writerPayload,
  type WriterFacts,
} from "./writer-record.ts";

/** A body of this many characters has a record of its own, so that it can be withheld on its own. */
const ownRecordChars = 4096;

/** What another thread needs to go on with a session. */
export interface SessionFileState {
  readonly session: string;
  readonly facts: WriterFacts;
  readonly file: ChainedFileState;
  readonly hasHeader: boolean;
  readonly events: number;
  readonly nextBody: number;
  readonly loss: Loss | undefined;
}

/** The file of one session by one writer: lays out its records and keeps what the next ones depend on. */
export class SessionFile {
  readonly session: string;
  facts: WriterFacts;
  file: ChainedFile;
  readonly encoder: BodyEncoder;
  /** What could not be written since the last record. */
  loss: Loss | undefined;
  /** Set when writing goes on in another mode: the next write says so. */
  modeReason: string | undefined;
  #hasHeader = false;
  #events = 0;

  constructor(
    session: string,
    facts: WriterFacts,
    file: ChainedFile,
    limits: { readonly firstBody: number; readonly dedupeChars: number },
  ) {
    this.session = session;
    this.facts = facts;
    this.file = file;
    this.encoder = new BodyEncoder(limits.firstBody, limits.dedupeChars);
  }

  static restore(state: SessionFileState, dedupeChars: number, calls: FileCalls): SessionFile {
    const file = new ChainedFile(state.file.directory, state.file.name, calls);
    file.restore(state.file);
    const limits = { firstBody: state.nextBody, dedupeChars };
    const restored = new SessionFile(state.session, state.facts, file, limits);
    restored.loss = state.loss;
    restored.#hasHeader = state.hasHeader;
    restored.#events = state.events;
    return restored;
  }

  /** Folder and name below the journal root. */
  get path(): string {
    return this.file.path;
  }

  /** No record is written yet. */
  get isNew(): boolean {
    return !this.#hasHeader;
  }

  /** Goes on in another file: the name was taken, or the file is gone. Numbers of bodies run on. */
  restart(facts: WriterFacts, file: ChainedFile): void {
    this.facts = facts;
    this.file = file;
    this.encoder.forget();
    this.#hasHeader = false;
    this.#events = 0;
  }

  state(): SessionFileState {
    return {
      session: this.session,
      facts: this.facts,
      file: this.file.state(),
      hasHeader: this.#hasHeader,
      events: this.#events,
      nextBody: this.encoder.next,
      loss: this.loss,
    };
  }

  lose(loss: Loss): void {
    this.loss = addLoss(this.loss, loss);
  }

  /**
   * Writes one event with its new bodies, and what is due before it, in one write. Returns false when the payload
   * was no JSON and a marker was recorded in its place. @throws the system's error: then nothing was written.
   */
  append(entry: Entry, buffer: RecordBuffer, now: number): boolean {
    let recorded = entry;
    let text: string;
    try {
      text = this.encoder.encode(entry.payload);
    } catch {
      // BigInt, cycle, excessive depth: what is JSON of it is kept, and the caller reports it.
      this.encoder.forget();
      recorded = salvage(entry);
      text = this.encoder.encode(recorded.payload);
    }
    try {
      let prev = this.#begin(buffer, now);
      if (this.encoder.fresh.length > 0) prev = this.#bodies(buffer, prev);
      prev = buffer.content(eventHead(recorded), text, prev);
      this.#write(buffer, prev);
    } catch (error) {
      // The bodies of this event are not in the file: nothing may refer to them.
      this.encoder.forget();
      throw error;
    }
    this.#events++;
    return recorded === entry;
  }

  /** Writes what is due without an event. @throws the system's error. */
  settle(buffer: RecordBuffer, now: number): void {
    this.#write(buffer, this.#begin(buffer, now));
  }

  /** Writes what is due and the last record. @throws the system's error. */
  end(buffer: RecordBuffer, now: number, reason: "closed" | "idle"): void {
    const prev = this.#begin(buffer, now);
    this.#write(buffer, buffer.plain(closedHead(now, this.#events, reason), prev));
  }

  #begin(buffer: RecordBuffer, now: number): string {
    let { prev } = this.file;
    buffer.reset();
    if (this.file.torn) buffer.newline();
    if (!this.#hasHeader) {
      prev = buffer.content(
        writerHead(this.facts, this.session, now),
        writerPayload(this.facts),
        prev,
      );
    }
    if (this.modeReason !== undefined) {
      prev = buffer.plain(modeHead(now, this.facts.mode, this.modeReason), prev);
    }
    if (this.loss !== undefined) prev = buffer.plain(gapHead(this.loss, now, undefined), prev);
    return prev;
  }

  #write(buffer: RecordBuffer, prev: string): void {
    try {
      this.file.write(buffer, prev);
    } finally {
      this.#take(this.file.landed);
    }
  }

  /** What `#begin` laid out counts as said as far as it stands in the file. */
  #take(landed: number): void {
    let left = landed;
    if (!this.#hasHeader && left-- > 0) this.#hasHeader = true;
    if (this.modeReason !== undefined && left-- > 0) this.modeReason = undefined;
    if (this.loss !== undefined && left > 0) this.loss = undefined;
  }

  #bodies(buffer: RecordBuffer, prev: string): string {
    const { fresh, firstFresh } = this.encoder;
    let hash = prev;
    let start = 0;
    while (start < fresh.length) {
      const end = groupEnd(fresh, start);
      const group = end - start === fresh.length ? fresh : fresh.slice(start, end);
      hash = buffer.bodies(firstFresh + start, group, hash);
      start = end;
    }
    return hash;
  }
}

/** Small bodies of one event share a record: two hashes and a salt for each would cost more than they hold. */
function groupEnd(bodies: readonly FreshBody[], start: number): number {
  let end = start + 1;
  if (isLarge(bodies[start])) return end;
  while (end < bodies.length && !isLarge(bodies[end])) end++;
  return end;
}

function isLarge(body: FreshBody | undefined): boolean {
  return (body?.text.length ?? 0) >= ownRecordChars;
}

function eventHead(entry: Entry): string {
  const flags = entry.flags.length === 0 ? "" : `,"flags":${JSON.stringify(entry.flags)}`;
  const dropped = entry.dropped.length === 0 ? "" : `,"dropped":${JSON.stringify(entry.dropped)}`;
  return `{"k":"event","id":${quote(entry.id)},"at":${entry.at},"hook":${quote(entry.hook)}${flags}${dropped}`;
}
