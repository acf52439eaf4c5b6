import type { Payload } from "@hermes-observer/core";
import { journalFormatVersion } from "../format.ts";
import { reasonOf } from "../recorder-fault.ts";
import { BodyStore, BrokenReference } from "./body-store.ts";
import { Expander } from "./expander.ts";
import { lastRecord } from "./last-record.ts";
import { lostByLedger } from "./ledger-gaps.ts";
import {
  ProblemList,
  recordProblem,
  type JournalProblem,
  type JournalProblemKind,
} from "./problem.ts";
import { readRecords, type LocatedRecord } from "./records.ts";
import { SourcePool, type SourceFile } from "./source-file.ts";
import { StoredEvent } from "./stored-event.ts";

/** Events of one session from all its files, and what was found wrong on the way. */
export interface SessionReader extends Iterable<StoredEvent> {
  /** In the order of the journal: as written within a file; between files by `at`, then by writer id. */
  events(): Generator<StoredEvent>;
  /** The same events as lines of the wire form, without the line break. */
  rawEvents(): Generator<string>;
  /** Problems met by the latest iteration so far; complete when it has run to its end. */
  readonly problems: readonly JournalProblem[];
  /** Problems beyond the first 10,000. */
  readonly omittedProblems: number;
}

/** Reads the events of the given files. `maxPayloadChars` bounds what one payload may expand to. */
export class FileSetReader implements SessionReader {
  readonly #paths: readonly string[];
  readonly #maxPayloadChars: number;
  #problems = new ProblemList();

  constructor(paths: readonly string[], maxPayloadChars: number) {
    this.#paths = paths;
    this.#maxPayloadChars = maxPayloadChars;
  }

  get problems(): readonly JournalProblem[] {
    return this.#problems.items;
  }

  get omittedProblems(): number {
    return this.#problems.omitted;
  }

  [Symbol.iterator](): Generator<StoredEvent> {
    return this.events();
  }

  *rawEvents(): Generator<string> {
    for (const event of this.events()) yield event.line;
  }

  *events(): Generator<StoredEvent> {
    const problems = new ProblemList();
    this.#problems = problems;
    const pool = new SourcePool();
    const sources = this.#paths.map((path) => pool.source(path));
    try {
      const streams = sources.map((file) => readEvents(file, problems, this.#maxPayloadChars));
      yield* streams.length === 1 && streams[0] !== undefined ? streams[0] : merge(streams);
    } finally {
      for (const file of sources) file.close();
    }
  }
}

function* merge(streams: readonly Generator<StoredEvent>[]): Generator<StoredEvent> {
  const heads: { event: StoredEvent; readonly stream: Generator<StoredEvent> }[] = [];
  for (const stream of streams) {
    const first = stream.next();
    if (first.done !== true) heads.push({ event: first.value, stream });
  }
  while (heads.length > 0) {
    let earliest = 0;
    for (let index = 1; index < heads.length; index++) {
      if (precedes(heads[index]?.event, heads[earliest]?.event)) earliest = index;
    }
    const head = heads[earliest];
    if (head === undefined) return;
    yield head.event;
    const next = head.stream.next();
    if (next.done === true) heads.splice(earliest, 1);
    else head.event = next.value;
  }
}

function precedes(left: StoredEvent | undefined, right: StoredEvent | undefined): boolean {
  if (left === undefined || right === undefined) return false;
  return left.at < right.at || (left.at === right.at && left.writer < right.writer);
}

/** Reads the events of one file. */
function* readEvents(
  file: SourceFile,
  problems: ProblemList,
  maxPayloadChars: number,
): Generator<StoredEvent> {
  if (isErased(file)) {
    const detail = "the session was erased";
    problems.add({ kind: "erased", file: file.path, offset: 0, bytes: 0, detail });
    return;
  }
  const bodies = new BodyStore(file);
  const expander = new Expander(bodies, maxPayloadChars);
  let writer = "";
  let lost = 0;
  for (const record of readRecords(file, problems)) {
    if (record.kind === "event") {
      const event = toEvent(record, { expander, file, problems, writer });
      if (event !== undefined) yield event;
    } else if (record.kind === "body") {
      if (!bodies.add(record))
        problems.addRecord(file.path, record, "damaged", "a body record does not fit its head");
    } else if (record.kind === "writer") {
      if (record.head["state"] === "open") writer = String(record.head["writer"]);
      const version = record.head["v"];
      if (typeof version === "number" && version > journalFormatVersion) {
        problems.addRecord(
          file.path,
          record,
          "unknown_version",
          `the file has format version ${version}`,
        );
      }
    } else {
      lost += otherRecord(record, file, problems);
    }
  }
  const unsaid = lostByLedger(file.path, writer) - lost;
  if (unsaid > 0) {
    const detail = `${unsaid} events were lost, says the ledger of the writer`;
    problems.add({ kind: "gap", file: file.path, offset: 0, bytes: 0, detail, lost: unsaid });
  }
}

function isErased(file: SourceFile): boolean {
  try {
    return lastRecord(file)?.kind === "tombstone";
  } catch {
    // Not readable: reading its records reports that.
    return false;
  }
}

interface EventContext {
  readonly expander: Expander;
  readonly file: SourceFile;
  readonly problems: ProblemList;
  readonly writer: string;
}

function toEvent(record: LocatedRecord, context: EventContext): StoredEvent | undefined {
  const { expander, file, problems, writer } = context;
  const { head, payload } = record;
  if (
    typeof head["id"] !== "string" ||
    typeof head["at"] !== "number" ||
    typeof head["hook"] !== "string"
  ) {
    problems.addRecord(file.path, record, "damaged", "an event record lacks its id, time or hook");
    return undefined;
  }
  if (payload === undefined) {
    problems.addRecord(file.path, record, "withheld", "the payload of an event was withheld");
    return undefined;
  }
  try {
    const stored = record.bytes.toString("utf8", payload.start, payload.end);
    const text = expander.expand(stored);
    // A record that was changed, or a body that was, may hold anything; only objects are passed on.
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
      throw new TypeError("it is no object");
    }
    return new StoredEvent(head, text, { writer, payload: parsed as Payload });
  } catch (error) {
    const kind: JournalProblemKind = error instanceof BrokenReference ? error.kind : "damaged";
    const detail =
      error instanceof BrokenReference ? error.message : `unreadable payload (${reasonOf(error)})`;
    problems.addRecord(file.path, record, kind, detail);
    return undefined;
  }
}

/** Reports what is neither event nor body, and says how many events it says were lost. */
function otherRecord(record: LocatedRecord, file: SourceFile, problems: ProblemList): number {
  const { head, kind } = record;
  if (kind === "gap") {
    const count = typeof head["count"] === "number" ? head["count"] : 0;
    const detail = `${count} events were lost (${String(head["reason"])})`;
    problems.add({ ...recordProblem(file.path, record, "gap", detail), lost: count });
    return count;
  }
  if (kind !== "seal" && kind !== "tombstone") {
    problems.addRecord(
      file.path,
      record,
      "unknown_kind",
      `a record of the unknown kind ${JSON.stringify(kind.slice(0, 40))}`,
    );
  }
  return 0;
}
