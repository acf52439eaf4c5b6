import { hash } from "node:crypto";
import { BodyStore } from "./body-store.ts";
import { Expander } from "./expander.ts";
import { ProblemList } from "./problem.ts";
import { parseRecord } from "./record.ts";
import { readRecords } from "./records.ts";
import { SourcePool, type SourceFile } from "./source-file.ts";

/** What two events with one id are compared by. */
export interface EventContent {
  readonly at: number;
  /** Of hook and payload text: see `contentDigest`. */
  readonly digest: string;
}

/** SHA-256 over the hook and the payload's JSON text. */
export function contentDigest(hook: string, payloadText: string): string {
  return hash("sha256", `${hook}\n${payloadText}`, "base64url");
}

interface StoredPlace {
  readonly at: number;
  readonly hook: string;
  readonly offset: number;
  readonly length: number;
  readonly file: IndexedFile;
}

interface IndexedFile {
  readonly source: SourceFile;
  readonly expander: Expander;
}

const maxPayloadChars = 128 * 1024 * 1024;

/**
 * Ids of the events that the files of a session hold. Of what is read from a file only the place is kept: its
 * payload is expanded when an event with the same id comes, which is rare, or the whole input is sent again.
 */
export class IdIndex {
  readonly #known = new Map<string, (EventContent | StoredPlace)[]>();
  readonly #files: IndexedFile[] = [];
  #size = 0;

  /** Reads the ids from the files; damage in them is left to the readers of the session to report. */
  constructor(paths: readonly string[]) {
    const pool = new SourcePool();
    for (const path of paths) this.#load(pool.source(path));
  }

  get size(): number {
    return this.#size;
  }

  add(id: string, content: EventContent | StoredPlace): void {
    const known = this.#known.get(id);
    if (known === undefined) this.#known.set(id, [content]);
    else known.push(content);
    this.#size++;
  }

  /** How an event stands to those with its id; without `at` the time is not compared. */
  compare(id: string, digest: string, at: number | undefined): "new" | "same" | "other" {
    const known = this.#known.get(id);
    if (known === undefined) return "new";
    for (const [index, stored] of known.entries()) {
      const content = "digest" in stored ? stored : resolve(stored);
      known[index] = content;
      if (content.digest === digest && (at === undefined || content.at === at)) return "same";
    }
    return "other";
  }

  close(): void {
    for (const { source } of this.#files) source.close();
  }

  #load(source: SourceFile): void {
    const bodies = new BodyStore(source);
    const file: IndexedFile = { source, expander: new Expander(bodies, maxPayloadChars) };
    this.#files.push(file);
    for (const record of readRecords(source, new ProblemList(0))) {
      if (record.kind === "body") bodies.add(record);
      if (record.kind !== "event") continue;
      const { at, hook, id } = record.head;
      if (typeof id !== "string" || typeof hook !== "string") continue;
      const { bytes, offset } = record;
      this.add(id, { at: Number(at), hook, offset, length: bytes.length, file });
    }
  }
}

function resolve(place: StoredPlace): EventContent {
  const { at, file, hook, length, offset } = place;
  try {
    const bytes = Buffer.allocUnsafe(length);
    file.source.read(bytes, length, offset);
    const payload = parseRecord(bytes)?.payload;
    if (payload === undefined) return { at, digest: "" };
    const text = file.expander.expand(bytes.toString("utf8", payload.start, payload.end));
    return { at, digest: contentDigest(hook, text) };
  } catch {
    // What cannot be read any more equals nothing: the event that came is stored, and flagged.
    return { at, digest: "" };
  }
}
