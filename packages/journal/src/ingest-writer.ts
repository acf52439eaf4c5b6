import type { EventRecord } from "@hermes-observer/core";
import { contentDigest, IdIndex } from "./read/id-index.ts";
import { openJournal } from "./read/journal.ts";
import type { RecorderOptions } from "./recorder-options.ts";
import { createRecorder, type Recorder, type RecorderReport } from "./recorder.ts";
import { sessionOf } from "./session-of.ts";
import { legacyFieldsOf, without } from "./write/entry.ts";

/** What became of an event that came from outside. */
export type IngestResult =
  /** Written, with an id that the session did not have. */
  | "stored"
  /** The session has the same id with the same bytes: not written again. */
  | "duplicate"
  /** The session has the same id with other bytes: written and flagged `id_conflict`. */
  | "conflict"
  /** Could not be written; a gap record will say so. */
  | "lost";

/** Options of `createIngestWriter`. */
export interface IngestWriterOptions extends Omit<RecorderOptions, "mode" | "slowWrites"> {
  /**
   * Ids held in memory over all sessions, default 1,000,000; those of the session longest unused are dropped first
   * and read from its files again when it comes back. The session in use is held whole.
   */
  readonly maxKnownIds?: number;
}

/** Records events from outside, each once. What other processes add to a session meanwhile is not seen. */
export interface IngestWriter {
  readonly writer: string;
  /** How many events came to each result. */
  readonly counts: Readonly<Record<IngestResult, number>>;
  /**
   * Records one event, in sync mode: what is `stored` survives the end of the process. **Contract:** never throws.
   *
   * @param isAtMade the event came without `at` and the caller made it: then times are not compared.
   */
  append(record: EventRecord, isAtMade?: boolean): IngestResult;
  flush(timeoutMs: number): Promise<RecorderReport>;
  close(timeoutMs: number): Promise<RecorderReport>;
}

/** Makes an ingest writer. @throws RangeError, TypeError for invalid options. */
export function createIngestWriter(options: IngestWriterOptions): IngestWriter {
  return new JournalIngestWriter(options);
}

const conflictFlags: readonly string[] = ["id_conflict"];

class JournalIngestWriter implements IngestWriter {
  readonly counts: Record<IngestResult, number> = { stored: 0, duplicate: 0, conflict: 0, lost: 0 };
  readonly #recorder: Recorder;
  readonly #directory: string;
  readonly #keepLegacyRawFields: boolean;
  readonly #maxKnownIds: number;
  /** By session, least recently used first. */
  readonly #indexes = new Map<string, IdIndex>();
  #last: { readonly session: string; readonly index: IdIndex } | undefined;
  #known = 0;

  constructor(options: IngestWriterOptions) {
    const { maxKnownIds = 1_000_000, ...recorderOptions } = options;
    this.#recorder = createRecorder({ ...recorderOptions, mode: "sync", slowWrites: false });
    this.#directory = options.directory;
    this.#keepLegacyRawFields = options.keepLegacyRawFields ?? false;
    this.#maxKnownIds = maxKnownIds;
  }

  get writer(): string {
    return this.#recorder.writer;
  }

  append(record: EventRecord, isAtMade = false): IngestResult {
    const result = this.#append(record, isAtMade);
    this.counts[result]++;
    return result;
  }

  flush(timeoutMs: number): Promise<RecorderReport> {
    return this.#recorder.flush(timeoutMs);
  }

  close(timeoutMs: number): Promise<RecorderReport> {
    for (const index of this.#indexes.values()) index.close();
    this.#indexes.clear();
    this.#last = undefined;
    return this.#recorder.close(timeoutMs);
  }

  #append(record: EventRecord, isAtMade: boolean): IngestResult {
    const { at, hook, id } = record;
    let digest: string;
    let index: IdIndex;
    try {
      digest = contentDigest(hook, this.#payloadText(record));
      index = this.#indexOf(sessionOf(hook, record.payload));
    } catch {
      // No JSON, or nothing to compare with: the recorder stores what can be stored, and reports it.
      return this.#recorder.append(record) ? "stored" : "lost";
    }
    const relation = index.compare(id, digest, isAtMade ? undefined : at);
    if (relation === "same") return "duplicate";
    const isStored = this.#recorder.append(
      record,
      relation === "other" ? conflictFlags : undefined,
    );
    if (!isStored) return "lost";
    index.add(id, { at, digest });
    this.#known++;
    return relation === "other" ? "conflict" : "stored";
  }

  #payloadText({ payload }: EventRecord): string {
    const dropped = this.#keepLegacyRawFields ? [] : legacyFieldsOf(payload);
    return JSON.stringify(dropped.length === 0 ? payload : without(payload, dropped));
  }

  #indexOf(session: string): IdIndex {
    if (this.#last?.session === session) return this.#last.index;
    let index = this.#indexes.get(session);
    if (index === undefined) {
      const files = openJournal(this.#directory).sessionFiles(session);
      index = new IdIndex(files.map(({ path }) => path));
      this.#known += index.size;
    } else {
      this.#indexes.delete(session);
    }
    this.#indexes.set(session, index);
    this.#last = { session, index };
    this.#evict(session);
    return index;
  }

  #evict(current: string): void {
    for (const [session, index] of this.#indexes) {
      if (this.#known <= this.#maxKnownIds || session === current) return;
      this.#indexes.delete(session);
      this.#known -= index.size;
      index.close();
    }
  }
}
