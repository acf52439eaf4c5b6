import type { LocatedRecord } from "./records.ts";
import type { SourceFile } from "./source-file.ts";

/** Why a reference cannot be followed. */
export class BrokenReference extends Error {
  readonly kind: "missing_body" | "withheld" | "too_large";

  constructor(kind: "missing_body" | "withheld" | "too_large", message: string) {
    super(message);
    this.kind = kind;
  }
}

interface Place {
  readonly offset: number;
  /** -1: withheld. */
  readonly length: number;
}

/** Where the bodies of one file stand; their texts are read when they are needed. */
export class BodyStore {
  readonly #file: SourceFile;
  readonly #places = new Map<number, Place>();

  constructor(file: SourceFile) {
    this.#file = file;
  }

  /** Takes a `body` record; false when its head does not fit its payload. */
  add(record: LocatedRecord): boolean {
    const { bytes: sizes, n } = record.head;
    if (typeof n !== "number" || !Array.isArray(sizes)) return false;
    const { payload } = record;
    let offset = record.offset + (payload?.start ?? 0) + 1;
    const places: Place[] = [];
    for (const size of sizes as readonly unknown[]) {
      if (!isSize(size)) return false;
      places.push({ offset, length: payload === undefined ? -1 : size });
      offset += size + 1;
    }
    if (payload !== undefined && offset !== record.offset + payload.end) return false;
    for (const [index, place] of places.entries()) this.#places.set(n + index, place);
    return true;
  }

  /** Stored text of a body. @throws BrokenReference; the system's error. */
  text(number: number): string {
    const place = this.#places.get(number);
    if (place === undefined)
      throw new BrokenReference("missing_body", `body ${number} is not in the file`);
    if (place.length === -1) throw new BrokenReference("withheld", `body ${number} was withheld`);
    const bytes = Buffer.allocUnsafe(place.length);
    if (this.#file.read(bytes, place.length, place.offset) < place.length) {
      throw new BrokenReference("missing_body", `body ${number} is cut off`);
    }
    return bytes.toString("utf8");
  }
}

function isSize(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 1;
}
