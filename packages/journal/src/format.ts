import { hash } from "node:crypto";

/** Number of the journal format that this package writes: field `v` of the first record of each file. */
export const journalFormatVersion = 1;

/** A sub-tree whose stored JSON text has at least this many bytes is stored once per file and referenced. */
export const bodyThresholdBytes = 256;

/** `prev` of the first record of a file: the base64url form of 32 zero bytes. */
export const zeroHash: string = "A".repeat(43);

/** Name of the folder below the journal root that holds one ledger per writer. */
export const ledgerFolder = "ledger";

/** Keys that would read like a reference; in stored text they carry one `$` more than in the payload. */
export const reservedKey: RegExp = /^\$+(?:body|items)$/;

/** First 24 hex digits of SHA-256 of the session id in UTF-8: what the name of its files begins with. */
export function sessionHash(sessionId: string): string {
  return hash("sha256", sessionId, "hex").slice(0, 24);
}

/** First 12 hex digits of SHA-256 of the writer id in UTF-8: what the name of its files ends with. */
function writerHash(writer: string): string {
  return hash("sha256", writer, "hex").slice(0, 12);
}

/** Name of the file of one session by one writer, without its day folder. */
export function sessionFileName(sessionId: string, writer: string): string {
  return `${sessionHash(sessionId)}-${writerHash(writer)}.jsonl`;
}

/** Name of the ledger of one writer, without the ledger folder. */
export function ledgerFileName(writer: string): string {
  return `${writerHash(writer)}.jsonl`;
}

/** The UTC day `YYYY-MM-DD` of an instant in epoch seconds; an instant outside the years 1970 to 9999 counts as its nearest end. */
export function dayOf(epochSeconds: number): string {
  const latest = 253_402_300_799;
  const clamped = Number.isFinite(epochSeconds) ? Math.min(Math.max(epochSeconds, 0), latest) : 0;
  return new Date(clamped * 1000).toISOString().slice(0, 10);
}

/** Whether a folder name is that of a day. */
export function isDayFolder(name: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(name);
}

/** The two hashes in the name of a session file, or undefined for any other name. */
export function splitSessionFileName(
  name: string,
): { readonly session: string; readonly writer: string } | undefined {
  const match = /^([0-9a-f]{24})-([0-9a-f]{12})\.jsonl$/.exec(name);
  return match === null ? undefined : { session: match[1] ?? "", writer: match[2] ?? "" };
}
