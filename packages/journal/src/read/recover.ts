import { parseRecord, type JournalRecord } from "./record.ts";

/** A record, or a damaged span, within a line that is no single record. */
export interface LinePart {
  readonly start: number;
  readonly end: number;
  /** Undefined for a damaged span. */
  readonly record: JournalRecord | undefined;
}

const recordStart = Buffer.from('{"k":"', "latin1");
/** Bound of the work on one damaged line: places tried in vain, and bytes looked at for them. */
const maxFailures = 256;
const maxScannedBytes = 64 * 1024 * 1024;
const quoteMark = 34;
const backslash = 92;

/**
 * Finds the whole records within a damaged line: after a record that was cut, after NUL bytes, or two on one line.
 * A record with content counts only if its payload is the one that it commits to.
 */
export function recoverLine(bytes: Buffer): readonly LinePart[] {
  const parts: LinePart[] = [];
  let done = 0;
  let failures = 0;
  let scanned = 0;
  let at = bytes.indexOf(recordStart);
  while (at !== -1 && failures < maxFailures && scanned < maxScannedBytes) {
    const end = jsonEnd(bytes, at);
    scanned += (end === -1 ? bytes.length : end) - at;
    const record = end === -1 ? undefined : parseRecord(bytes.subarray(at, end));
    if (record?.isContentIntact === true) {
      if (at > done) parts.push({ start: done, end: at, record: undefined });
      parts.push({ start: at, end, record });
      done = end;
      at = bytes.indexOf(recordStart, end);
    } else {
      failures++;
      at = bytes.indexOf(recordStart, at + 1);
    }
  }
  if (done < bytes.length) parts.push({ start: done, end: bytes.length, record: undefined });
  return parts;
}

/** Where the JSON object that begins at `start` ends, by its brackets; -1 when it does not. */
function jsonEnd(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === quoteMark) {
      at = stringEnd(bytes, at);
      if (at === -1) return -1;
    } else if (byte === 123 || byte === 91) {
      depth++;
    } else if (byte === 125 || byte === 93) {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

function stringEnd(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === backslash) at++;
    else if (byte === quoteMark) return at;
  }
  return -1;
}
