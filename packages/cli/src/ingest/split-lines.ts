import type { Readable } from "node:stream";

/** One line of the input. */
export interface InputLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** Bytes of the line when it was too long to be held; the text is then empty. */
  readonly tooLong?: number;
}

/** Longest line that is taken, in bytes. */
export const maxLineBytes: number = 256 * 1024 * 1024;

/**
 * Cuts a stream of bytes into lines, batch by batch as they arrive, so that a pipe that never ends is read as it
 * goes. A last line without a line break counts. A line beyond the limit is counted, not held.
 */
export async function* splitLines(
  input: Readable,
  limit: number = maxLineBytes,
): AsyncGenerator<InputLine[]> {
  let number = 0;
  let parts: Buffer[] = [];
  let held = 0;
  let dropped = 0;
  const finish = (last: Buffer): InputLine => {
    number += 1;
    const bytes = held + last.length;
    const line =
      dropped > 0 || bytes > limit
        ? { number, text: "", tooLong: dropped + bytes }
        : { number, text: Buffer.concat([...parts, last]).toString("utf8") };
    parts = [];
    held = 0;
    dropped = 0;
    return line;
  };
  for await (const chunk of input as AsyncIterable<Buffer>) {
    const lines: InputLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      lines.push(finish(chunk.subarray(start, end)));
      start = end + 1;
    }
    const rest = chunk.subarray(start);
    if (held + rest.length > limit) {
      dropped += held + rest.length;
      parts = [];
      held = 0;
    } else if (rest.length > 0) {
      parts.push(rest);
      held += rest.length;
    }
    if (lines.length > 0) yield lines;
  }
  if (held > 0 || dropped > 0) yield [finish(Buffer.alloc(0))];
}
