import { createHash, hash } from "node:crypto";

/** One record as it stands in a file. */
export interface JournalRecord {
  readonly kind: string;
  /** The head fields, `commit` and `prev` included. */
  readonly head: { readonly [field: string]: unknown };
  /** What the `prev` of the next record must be. */
  readonly hash: string;
  readonly prev: string;
  /** The payload's bytes within the record; undefined when it has none or it is withheld. */
  readonly payload: { readonly start: number; readonly end: number } | undefined;
  readonly isWithheld: boolean;
  /** False when the payload is not the one that `commit` is of. */
  readonly isContentIntact: boolean;
}

const recordStart = Buffer.from('{"k":"', "latin1");
const saltMark = Buffer.from(',"salt":"', "latin1");
const payloadMark = Buffer.from('","payload":', "latin1");
const withheldTail = Buffer.from(',"withheld":true}', "latin1");
const saltDigits = 22;
const closingBrace = 125;

/** Reads the bytes of one line, from the first to the last, as one record; undefined when they are none. */
export function parseRecord(bytes: Buffer): JournalRecord | undefined {
  if (bytes.length < 10 || bytes[bytes.length - 1] !== closingBrace) return undefined;
  if (!startsWith(bytes, recordStart, 0)) return undefined;
  const mark = bytes.indexOf(saltMark);
  if (mark !== -1) return parseWithContent(bytes, mark);
  const withheldAt = bytes.length - withheldTail.length;
  const isWithheld = startsWith(bytes, withheldTail, withheldAt);
  const headEnd = isWithheld ? withheldAt : bytes.length - 1;
  const head = parseHead(bytes, headEnd);
  if (head === undefined || isWithheld !== (typeof head["commit"] === "string")) return undefined;
  // Without content the whole line is hashed; of a withheld one the head, as before it was withheld.
  const hashed = isWithheld ? bytes.subarray(0, headEnd) : bytes;
  return finish(head, hashed, { payload: undefined, isWithheld, isContentIntact: true });
}

function parseWithContent(bytes: Buffer, mark: number): JournalRecord | undefined {
  const saltStart = mark + saltMark.length;
  const start = saltStart + saltDigits + payloadMark.length;
  const end = bytes.length - 1;
  if (start >= end || !startsWith(bytes, payloadMark, saltStart + saltDigits)) return undefined;
  const head = parseHead(bytes, mark);
  if (head === undefined || typeof head["commit"] !== "string") return undefined;
  const salt = Buffer.from(
    bytes.toString("latin1", saltStart, saltStart + saltDigits),
    "base64url",
  );
  const commit = createHash("sha256")
    .update(salt)
    .update(bytes.subarray(start, end))
    .digest("base64url");
  return finish(head, bytes.subarray(0, mark), {
    payload: { start, end },
    isWithheld: false,
    isContentIntact: commit === head["commit"],
  });
}

function finish(
  head: { readonly [field: string]: unknown },
  hashed: Buffer,
  rest: Pick<JournalRecord, "payload" | "isWithheld" | "isContentIntact">,
): JournalRecord | undefined {
  const { k, prev } = head;
  if (typeof k !== "string" || typeof prev !== "string") return undefined;
  return { kind: k, head, prev, hash: hash("sha256", hashed, "base64url"), ...rest };
}

function parseHead(bytes: Buffer, end: number): { readonly [field: string]: unknown } | undefined {
  try {
    const head: unknown = JSON.parse(`${bytes.toString("utf8", 0, end)}}`);
    return typeof head === "object" && head !== null
      ? (head as { readonly [field: string]: unknown })
      : undefined;
  } catch {
    // Not JSON: the caller looks for records within the line and reports the rest as damaged.
    return undefined;
  }
}

function startsWith(bytes: Buffer, mark: Buffer, at: number): boolean {
  const end = at + mark.length;
  return at >= 0 && end <= bytes.length && bytes.compare(mark, 0, mark.length, at, end) === 0;
}
