/**
 * A reader of the journal format written from docs/reference/journal-format.md alone. It shares no code with the
 * package and favours plainness over speed; what it cannot read, the document does not say well enough.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** What the reader made of one file. */
export interface FileReading {
  /** Lines of the wire form, in the order of the file. */
  readonly lines: string[];
  readonly problems: string[];
  readonly kinds: string[];
  /** The head fields of each record. */
  readonly heads: Record<string, unknown>[];
  readonly lastHash: string;
}

interface Parsed {
  readonly kind: string;
  readonly head: Record<string, unknown>;
  readonly headBytes: Buffer;
  readonly payload?: Buffer;
  readonly isWithheld: boolean;
}

export function readFile(path: string): FileReading {
  return readBytes(readFileSync(path));
}

export function readBytes(file: Buffer): FileReading {
  const reading: Omit<FileReading, "lastHash"> = { lines: [], problems: [], kinds: [], heads: [] };
  const bodies = new Map<number, string>();
  let previous = "A".repeat(43);
  for (const { line, isLast } of splitLines(file)) {
    const found = parse(line);
    const records = found === undefined ? search(line, isLast, reading.problems) : [found];
    for (const record of records) {
      if (record.head["prev"] !== previous) reading.problems.push("chain_break");
      previous = sha256(record.headBytes);
      reading.kinds.push(record.kind);
      reading.heads.push(record.head);
      if (record.kind === "body") takeBodies(record, bodies);
      if (record.kind === "event") takeEvent(record, bodies, reading);
    }
  }
  return { ...reading, lastHash: previous };
}

function splitLines(file: Buffer): { line: Buffer; isLast: boolean }[] {
  const lines: { line: Buffer; isLast: boolean }[] = [];
  let start = 0;
  for (;;) {
    const end = file.indexOf(10, start);
    const line = file.subarray(start, end === -1 ? file.length : end);
    if (line.length > 0) lines.push({ line, isLast: end === -1 });
    if (end === -1) return lines;
    start = end + 1;
  }
}

function parse(line: Buffer): Parsed | undefined {
  const salt = line.indexOf(',"salt":"');
  const withheld = ',"withheld":true}';
  try {
    if (salt !== -1) {
      const headBytes = line.subarray(0, salt);
      const start = salt + 9 + 22 + 12;
      if (line.toString("latin1", start - 12, start) !== '","payload":') return undefined;
      const payload = line.subarray(start, line.length - 1);
      const raw = Buffer.from(line.toString("latin1", salt + 9, salt + 31), "base64url");
      const head = JSON.parse(`${headBytes.toString()}}`) as Record<string, unknown>;
      if (sha256(Buffer.concat([raw, payload])) !== head["commit"] || line.at(-1) !== 125)
        return undefined;
      return { kind: String(head["k"]), head, headBytes, payload, isWithheld: false };
    }
    const isWithheld = line.toString("latin1").endsWith(withheld);
    const headBytes = isWithheld ? line.subarray(0, line.length - withheld.length) : line;
    const head = JSON.parse(headBytes.toString() + (isWithheld ? "}" : "")) as Record<
      string,
      unknown
    >;
    if (typeof head["k"] !== "string") return undefined;
    return { kind: head["k"], head, headBytes, isWithheld };
  } catch {
    return undefined;
  }
}

/** Tries every place where a record may begin and every place where it may end. */
function search(line: Buffer, isLast: boolean, problems: string[]): Parsed[] {
  const found: Parsed[] = [];
  let done = 0;
  let start = line.indexOf('{"k":"');
  while (start !== -1) {
    let record: Parsed | undefined;
    let end = line.indexOf("}", start);
    while (end !== -1 && record === undefined) {
      record = parse(line.subarray(start, end + 1));
      if (record === undefined) end = line.indexOf("}", end + 1);
    }
    if (record === undefined) {
      start = line.indexOf('{"k":"', start + 1);
      continue;
    }
    if (start > done) problems.push("damaged");
    found.push(record);
    done = end + 1;
    start = line.indexOf('{"k":"', done);
  }
  if (done < line.length) problems.push(isLast ? "torn_tail" : "damaged");
  return found;
}

function takeBodies(record: Parsed, bodies: Map<number, string>): void {
  if (record.payload === undefined) return;
  let number = Number(record.head["n"]);
  let offset = 1;
  for (const size of record.head["bytes"] as number[]) {
    bodies.set(number++, record.payload.toString("utf8", offset, offset + size));
    offset += size + 1;
  }
}

function takeEvent(
  record: Parsed,
  bodies: Map<number, string>,
  reading: Omit<FileReading, "lastHash">,
): void {
  const { at, hook, id } = record.head;
  if (record.payload === undefined) {
    reading.problems.push("withheld");
    return;
  }
  try {
    const payload = expand(record.payload.toString(), bodies);
    reading.lines.push(
      `{"id":${JSON.stringify(id)},"at":${String(at)},"hook":${JSON.stringify(hook)},"payload":${payload}}`,
    );
  } catch {
    reading.problems.push("missing_body");
  }
}

/** In one pass: what a reference is replaced with is expanded already and not looked at again. */
function expand(stored: string, bodies: Map<number, string>): string {
  const token = /\{"\$(?:body|items)":\d+\}|[{,]"\$\$+(?:body|items)":/g;
  return stored.replace(token, (found) => {
    if (!found.endsWith("}")) return found.replace("$", "");
    const text = bodyText(/\d+/.exec(found)?.[0] ?? "", bodies);
    return found.startsWith('{"$items"') ? text.slice(1, -1) : text;
  });
}

function bodyText(number: string, bodies: Map<number, string>): string {
  const stored = bodies.get(Number(number));
  if (stored === undefined) throw new Error(`no body ${number}`);
  return expand(stored, bodies);
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("base64url");
}
