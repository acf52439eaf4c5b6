import type { EventRecord, Payload } from "@hermes-observer/core";
import { sessionOf } from "../session-of.ts";

/** One event on its way into a session file. */
export interface Entry {
  readonly id: string;
  readonly at: number;
  readonly hook: string;
  readonly session: string;
  /** What the record says about the event beyond the envelope: `unknown_hook`, `id_conflict`, `unrecordable`. */
  readonly flags: readonly string[];
  /** Names of the legacy raw fields that were left out. */
  readonly dropped: readonly string[];
  readonly payload: Payload;
}

/** Fields of old hosts that repeat, unsanitised, what other fields say: not recorded unless asked for. */
export const legacyRawFields = [
  "assistant_message",
  "request_messages",
  "conversation_history",
] as const;

const none: readonly string[] = [];

/** Makes the entry of an event; `now` stands in for an `at` that is no number. */
export function makeEntry(
  record: EventRecord,
  flags: readonly string[],
  options: { readonly keepLegacyRawFields: boolean; readonly now: () => number },
): Entry {
  const { payload } = record;
  const dropped = options.keepLegacyRawFields ? none : legacyFieldsOf(payload);
  return {
    id: record.id,
    at: Number.isFinite(record.at) ? record.at : options.now(),
    hook: record.hook,
    session: sessionOf(record.hook, payload),
    flags,
    dropped,
    payload: dropped.length === 0 ? payload : without(payload, dropped),
  };
}

/**
 * The entry with a payload that can be recorded: members that are JSON stay, each other one is replaced by a text
 * that says why, so that the ids by which the event is joined survive.
 */
export function salvage(entry: Entry): Entry {
  return {
    ...entry,
    flags: [...entry.flags, "unrecordable"],
    payload: salvagePayload(entry.payload),
  };
}

/** The entry of an event of which not even the payload's fields could be read. */
export function unreadableEntry(record: EventRecord, flags: readonly string[], now: number): Entry {
  const { at, hook, id } = record;
  const payload = salvagePayload(record.payload);
  let session = "";
  try {
    session = sessionOf(hook, record.payload);
  } catch {
    // The session cannot be read either: the event goes to the unattributed file.
  }
  return {
    id,
    at: Number.isFinite(at) ? at : now,
    hook,
    session,
    flags: [...flags, "unrecordable"],
    dropped: none,
    payload,
  };
}

function salvagePayload(payload: unknown): Payload {
  if (typeof payload !== "object" || payload === null) {
    return { unrecordable: `payload is ${payload === null ? "null" : typeof payload}` };
  }
  const kept: { [field: string]: unknown } = {};
  try {
    for (const key of Object.keys(payload)) {
      const value = readable(payload, key);
      // Not assigned: a member named `__proto__` would set the prototype.
      if (value !== undefined) Object.defineProperty(kept, key, { value, enumerable: true });
    }
  } catch (error) {
    kept["unrecordable"] = describe(error);
  }
  return kept;
}

function readable(payload: object, key: string): unknown {
  try {
    const text: string | undefined = JSON.stringify(
      (payload as { readonly [key: string]: unknown })[key],
    );
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  } catch (error) {
    return describe(error);
  }
}

function describe(error: unknown): string {
  return `[unrecordable: ${error instanceof Error ? error.name : "error"}]`;
}

/** The legacy raw fields that a payload has. */
export function legacyFieldsOf(payload: Payload): readonly string[] {
  if (!hasLegacyField(payload)) return none;
  return legacyRawFields.filter((field) => Object.hasOwn(payload, field));
}

function hasLegacyField(payload: Payload): boolean {
  return (
    payload["assistant_message"] !== undefined ||
    payload["request_messages"] !== undefined ||
    payload["conversation_history"] !== undefined
  );
}

/** The payload without some of its fields. */
export function without(payload: Payload, fields: readonly string[]): Payload {
  return Object.fromEntries(Object.entries(payload).filter(([key]) => !fields.includes(key)));
}
