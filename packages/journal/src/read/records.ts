import { zeroHash } from "../format.ts";
import { reasonOf } from "../recorder-fault.ts";
import { readLines, type Line } from "./lines.ts";
import type { ProblemList, JournalProblemKind } from "./problem.ts";
import { parseRecord, type JournalRecord } from "./record.ts";
import { recoverLine } from "./recover.ts";
import type { SourceFile } from "./source-file.ts";

/** A record and where it stands. */
export interface LocatedRecord extends JournalRecord {
  readonly offset: number;
  /** The whole record, without the line break. */
  readonly bytes: Buffer;
}

/**
 * Reads the records of one file in their order and checks each against the one before. Whatever is wrong is
 * reported, and reading goes on with the next record that is found.
 */
export function* readRecords(file: SourceFile, problems: ProblemList): Generator<LocatedRecord> {
  let expected = zeroHash;
  const note = (kind: JournalProblemKind, offset: number, bytes: number, detail: string): void => {
    problems.add({ kind, file: file.path, offset, bytes, detail });
  };
  for (const line of linesOf(file, problems)) {
    for (const record of recordsOf(line, note)) {
      if (record.prev !== expected) {
        const detail = `a ${label(record)} does not follow the one before it`;
        problems.addRecord(file.path, record, "chain_break", detail);
      }
      if (!record.isContentIntact) {
        const detail = `the payload of a ${label(record)} was changed`;
        problems.addRecord(file.path, record, "content_mismatch", detail);
      }
      expected = record.hash;
      yield record;
    }
  }
}

function label(record: JournalRecord): string {
  return `${record.kind.slice(0, 20)} record`;
}

function* linesOf(file: SourceFile, problems: ProblemList): Generator<Line> {
  try {
    yield* readLines(file);
  } catch (error) {
    const detail = `the file cannot be read (${reasonOf(error)})`;
    problems.add({ kind: "unreadable", file: file.path, offset: 0, bytes: 0, detail });
  }
}

function* recordsOf(
  line: Line,
  note: (kind: JournalProblemKind, offset: number, bytes: number, detail: string) => void,
): Generator<LocatedRecord> {
  const { bytes, length, offset } = line;
  if (length === 0) return;
  if (bytes.length === 0) {
    note("too_large", offset, length, "the line is longer than a record can be");
    return;
  }
  const whole = parseRecord(bytes);
  if (whole?.isContentIntact === true) {
    yield { ...whole, offset, bytes };
    return;
  }
  const parts = recoverLine(bytes);
  if (whole !== undefined && isJson(whole, bytes) && !parts.some(({ record }) => record)) {
    // The form of a record, with a payload that is not its own: shown, and reported as changed.
    yield { ...whole, offset, bytes };
    return;
  }
  for (const { end, record, start } of parts) {
    if (record !== undefined)
      yield { ...record, offset: offset + start, bytes: bytes.subarray(start, end) };
    else if (!line.isTerminated && end === bytes.length) {
      note("torn_tail", offset + start, end - start, "the file ends within a record");
    } else note("damaged", offset + start, end - start, "these bytes are no record");
  }
}

/** Whether the payload is JSON at all: a record that was cut behind some brace of its payload has the form of one. */
function isJson({ payload }: JournalRecord, bytes: Buffer): boolean {
  if (payload === undefined) return false;
  try {
    JSON.parse(bytes.toString("utf8", payload.start, payload.end));
    return true;
  } catch {
    return false;
  }
}
