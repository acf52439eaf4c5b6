/** What a reader found wrong, or missing, in a journal. It is reported beside the events and never thrown. */
export interface JournalProblem {
  readonly kind: JournalProblemKind;
  /** Path of the file. */
  readonly file: string;
  /** Where the record or the damaged span begins, in bytes. */
  readonly offset: number;
  /** Length of the record or span in bytes. */
  readonly bytes: number;
  /** One sentence for a person; holds no payload text. */
  readonly detail: string;
  /** Id of the event that is affected, where it is known. */
  readonly id?: string;
  /** How many events a `gap` record says were lost. */
  readonly lost?: number;
}

/**
 * - `torn_tail`: the file ends within a record, as after a crash or while it is being written.
 * - `damaged`: bytes within the file that are no record; what follows them was found again.
 * - `chain_break`: the record does not follow the one before it: something was changed, removed or put in.
 * - `content_mismatch`: the payload is not the one that the record commits to.
 * - `missing_body`: an event refers to a body that is not in the file before it, or that is damaged.
 * - `withheld`: the payload of the event, or a body in it, was taken out; the proof of it stands.
 * - `gap`: the writer says that it could not write some events.
 * - `erased`: the session was erased and its file could not be removed yet; none of its events are shown.
 * - `unknown_kind`, `unknown_version`: written by a newer version; skipped, or read as far as it is understood.
 * - `too_large`: the record or the expanded payload is larger than the reader takes.
 * - `unreadable`: the system refuses to read the file.
 */
export type JournalProblemKind =
  | "torn_tail"
  | "damaged"
  | "chain_break"
  | "content_mismatch"
  | "missing_body"
  | "withheld"
  | "gap"
  | "erased"
  | "unknown_kind"
  | "unknown_version"
  | "too_large"
  | "unreadable";

/** Collects problems up to a bound, so that a file of nothing but damage does not fill the memory. */
export class ProblemList {
  readonly items: JournalProblem[] = [];
  /** Problems beyond the bound: counted, not kept. */
  omitted = 0;
  readonly #max: number;

  constructor(max = 10_000) {
    this.#max = max;
  }

  add(problem: JournalProblem): void {
    if (this.items.length < this.#max) this.items.push(problem);
    else this.omitted++;
  }

  addRecord(file: string, record: ProblemRecord, kind: JournalProblemKind, detail: string): void {
    this.add(recordProblem(file, record, kind, detail));
  }
}

interface ProblemRecord {
  readonly offset: number;
  readonly bytes: Buffer;
  readonly head: { readonly [field: string]: unknown };
}

/** The problem of one record. */
export function recordProblem(
  file: string,
  record: ProblemRecord,
  kind: JournalProblemKind,
  detail: string,
): JournalProblem {
  const { bytes, head, offset } = record;
  const { id } = head;
  const about = typeof id === "string" ? { id } : {};
  return { kind, file, offset, bytes: bytes.length, detail, ...about };
}
