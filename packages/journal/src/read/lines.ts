import type { SourceFile } from "./source-file.ts";

/** One line of a file; `bytes` stays valid, it is never written over. */
export interface Line {
  /** Where it begins in the file. */
  readonly offset: number;
  /** Without the line break; empty when the line is too long to be held. */
  readonly bytes: Buffer;
  /** Length without the line break. */
  readonly length: number;
  /** False for a last line that lacks its line break. */
  readonly isTerminated: boolean;
}

const chunkBytes = 256 * 1024;
/** Longest line that can still become a string. */
const maxLineBytes = 500 * 1024 * 1024;
const newline = 10;

/**
 * Reads the lines of a file, a chunk at a time. A line beyond 500 MiB comes with empty `bytes`: it is skipped
 * without being held. @throws the system's error.
 */
export function* readLines(file: SourceFile, from = 0): Generator<Line> {
  let position = from;
  let lineStart = from;
  let parts: Buffer[] = [];
  let held = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    const count = file.read(chunk, chunkBytes, position);
    if (count === 0) break;
    let start = 0;
    let end = chunk.indexOf(newline);
    while (end !== -1 && end < count) {
      const length = position + end - lineStart;
      const bytes = join(parts, held, chunk.subarray(start, end), length);
      yield { offset: lineStart, bytes, isTerminated: true, length };
      parts = [];
      held = 0;
      start = end + 1;
      lineStart = position + start;
      end = chunk.indexOf(newline, start);
    }
    if (held + count - start <= maxLineBytes) parts.push(chunk.subarray(start, count));
    held += count - start;
    position += count;
  }
  if (position === lineStart) return;
  const length = position - lineStart;
  const bytes = join(parts, held, Buffer.alloc(0), length);
  yield { offset: lineStart, bytes, isTerminated: false, length };
}

function join(parts: readonly Buffer[], held: number, last: Buffer, length: number): Buffer {
  if (length > maxLineBytes) return Buffer.alloc(0);
  return held === 0 ? last : Buffer.concat([...parts, last], length);
}
