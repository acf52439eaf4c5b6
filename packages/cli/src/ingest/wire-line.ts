import { hookNames, SCHEMA_VERSION } from "@hermes-observer/core";
import type { EventRecord, Payload } from "@hermes-observer/core";
import { createSanitizer } from "@hermes-observer/core/sanitize";
import { maxLineBytes } from "./split-lines.ts";
import type { InputLine } from "./split-lines.ts";

/** What a line turned out to be. */
export type TakenLine =
  | { readonly kind: "blank" }
  | { readonly kind: "bad"; readonly reason: string }
  | {
      readonly kind: "event";
      readonly event: EventRecord;
      /** True when the line had no `at`. */
      readonly isAtMade: boolean;
      readonly isHookKnown: boolean;
      readonly isVersionKnown: boolean;
    };

/** Makes what lines lack, and sanitises what they hold. */
export class WireReader {
  readonly sanitizer: ReturnType<typeof createSanitizer> = createSanitizer();
  readonly #writer: string;
  #count = 0;

  constructor(writer: string) {
    this.#writer = writer;
  }

  nextId(): string {
    this.#count += 1;
    return `${this.#writer}:${this.#count}`;
  }
}

const known: ReadonlySet<string> = new Set(hookNames);

/** Reads one line of the wire form. Never throws: a line that cannot be taken says why. */
export function readWireLine(reader: WireReader, line: InputLine): TakenLine {
  if (line.tooLong !== undefined) {
    return bad(`${line.tooLong} bytes; the longest line that is taken has ${maxLineBytes}`);
  }
  const text = line.number === 1 ? line.text.replace(/^\uFEFF/, "") : line.text;
  if (text.trim() === "") return { kind: "blank" };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return bad(`not JSON (${error instanceof Error ? error.message : String(error)})`);
  }
  return isObject(value)
    ? readEvent(reader, value)
    : bad(`${nameOf(value)} where an object is expected`);
}

function readEvent(reader: WireReader, value: Record<string, unknown>): TakenLine {
  const { id, at, hook, payload } = value;
  if (typeof hook !== "string" || hook === "")
    return bad('"hook" must be a text, as in "pre_tool_call"');
  if (!isObject(payload)) return bad(`"payload" must be an object, not ${nameOf(payload)}`);
  if (id !== undefined && (typeof id !== "string" || id === ""))
    return bad('"id" must be a text, or left out');
  if (at !== undefined && typeof at !== "number")
    return bad('"at" must be epoch seconds, or left out');
  const sanitised = reader.sanitizer.sanitize(payload) as Payload; // an object stays an object
  const schemaVersion = sanitised["telemetry_schema_version"];
  return {
    kind: "event",
    event: { id: id ?? reader.nextId(), at: at ?? Date.now() / 1000, hook, payload: sanitised },
    isAtMade: at === undefined,
    isHookKnown: known.has(hook),
    isVersionKnown: schemaVersion === undefined || schemaVersion === SCHEMA_VERSION,
  };
}

function bad(reason: string): TakenLine {
  return { kind: "bad", reason };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function nameOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : typeof value;
}
