import { lstatSync } from "node:fs";
import type { CapabilityRow, Producer } from "@hermes-observer/core";
import { splitSessionFileName } from "../format.ts";
import type { ProcessIdentity } from "../process-identity.ts";
import { parseRecord, type JournalRecord } from "./record.ts";
import { SourcePool, type SourceFile } from "./source-file.ts";

/** What the first record of a session file says, without reading the rest. */
export interface SessionFileInfo {
  readonly path: string;
  /** The folder that it is in: the UTC day on which it was opened. */
  readonly day: string;
  readonly bytes: number;
  /** Epoch seconds of the last change. */
  readonly changedAt: number;
  /** Null when the first record is missing or damaged; the name then still tells the hash of the session id. */
  readonly header: FileHeader | null;
}

/** The first record of a session file. */
export interface FileHeader {
  readonly version: number;
  readonly sessionId: string;
  readonly writer: string;
  readonly mode: string;
  /** Epoch seconds. */
  readonly startedAt: number;
  readonly identity: ProcessIdentity;
  /** Undefined when it was withheld. */
  readonly producer: Producer | undefined;
}

const firstReadBytes = 4096;
const maxHeaderBytes = 64 * 1024 * 1024;

/** Reads what the list of sessions needs of a file; undefined when it is no regular file. */
export function readFileInfo(
  folder: string,
  day: string,
  name: string,
): SessionFileInfo | undefined {
  const path = `${folder}/${day}/${name}`;
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile() || splitSessionFileName(name) === undefined)
    return undefined;
  return { path, day, bytes: stat.size, changedAt: stat.mtimeMs / 1000, header: readHeader(path) };
}

function readHeader(path: string): FileHeader | null {
  const file = new SourcePool().source(path);
  try {
    const line = readFirstLine(file);
    const record = line === undefined ? undefined : parseRecord(line);
    return record === undefined || line === undefined ? null : toHeader(record, line);
  } catch {
    // Gone or not readable: the reader of the session reports it with its reason.
    return null;
  } finally {
    file.close();
  }
}

function readFirstLine(file: SourceFile): Buffer | undefined {
  for (let size = firstReadBytes; size <= maxHeaderBytes; size *= 8) {
    const bytes = Buffer.allocUnsafe(size);
    const count = file.read(bytes, size, 0);
    const end = bytes.subarray(0, count).indexOf(10);
    if (end !== -1) return bytes.subarray(0, end);
    if (count < size) return undefined;
  }
  return undefined;
}

function toHeader(record: JournalRecord, line: Buffer): FileHeader | null {
  const { head, payload } = record;
  if (record.kind !== "writer" || typeof head["session"] !== "string") return null;
  const text =
    payload === undefined ? undefined : line.toString("utf8", payload.start, payload.end);
  return {
    version: numberOr(head["v"], 0),
    sessionId: head["session"],
    writer: textOr(head["writer"], ""),
    mode: textOr(head["mode"], "sync"),
    startedAt: numberOr(head["at"], 0),
    identity: {
      pid: numberOr(head["pid"], 0),
      host: textOr(head["host"], ""),
      ...(typeof head["boot"] === "string" ? { boot: head["boot"] } : {}),
      ...(typeof head["pidns"] === "string" ? { pidns: head["pidns"] } : {}),
      ...(typeof head["started"] === "number" ? { started: head["started"] } : {}),
    },
    producer: text === undefined ? undefined : toProducer(text),
  };
}

function toProducer(text: string): Producer | undefined {
  let producer: unknown;
  try {
    producer = (JSON.parse(text) as { readonly producer?: unknown }).producer;
  } catch {
    // Changed after it was written: reading the session reports the mismatch.
    return undefined;
  }
  if (typeof producer !== "object" || producer === null) return undefined;
  const { capabilities, name, version } = producer as { readonly [field: string]: unknown };
  return {
    name: textOr(name, ""),
    version: textOr(version, ""),
    // Readers of the row look each value up; one that they do not know counts as not said.
    ...(typeof capabilities === "object" && capabilities !== null
      ? { capabilities: capabilities as CapabilityRow }
      : {}),
  };
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}
