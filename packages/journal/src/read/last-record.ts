import { parseRecord, type JournalRecord } from "./record.ts";
import type { SourceFile } from "./source-file.ts";

/** More than any record takes that ends a file. */
const tailBytes = 16 * 1024;

/** The last record of a file, when it is whole and short, as those that end a file are. @throws the system's error. */
export function lastRecord(file: SourceFile): JournalRecord | undefined {
  const size = file.size();
  const length = Math.min(size, tailBytes);
  const bytes = Buffer.allocUnsafe(length);
  file.read(bytes, length, size - length);
  if (bytes[length - 1] !== 10) return undefined;
  const start = length < 2 ? -1 : bytes.lastIndexOf(10, length - 2);
  return parseRecord(bytes.subarray(start + 1, length - 1));
}
