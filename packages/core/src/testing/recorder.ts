import type { EventRecord, Payload } from "../contract/envelope.ts";
import type { HookName, ObserverEvents } from "../contract/events.ts";
import type { Plugin } from "../hooks/plugin.ts";

/** An event as the recorder keeps it; typed by its hook when asked for by name. */
export interface Recorded<Name extends HookName = HookName> extends EventRecord {
  readonly hook: Name;
  readonly payload: ObserverEvents[Name] & Payload;
}

/** A plugin that keeps every event in memory, to be asked in tests. */
export interface Recorder extends Plugin {
  /** Every event so far, in order. */
  readonly events: readonly EventRecord[];
  /** Names of the hooks that fired, in order. */
  hooks(): string[];
  /** Events of one hook, in order. */
  take<Name extends HookName>(hook: Name): Recorded<Name>[];
  /** First event of a hook that fits; undefined when there is none. */
  find<Name extends HookName>(
    hook: Name,
    fits?: (payload: ObserverEvents[Name]) => boolean,
  ): Recorded<Name> | undefined;
  /** What was opened and not closed, or closed and not opened; empty for a good stream. */
  unpaired(): string[];
  clear(): void;
}

interface Pair {
  readonly opens: HookName;
  readonly closes: readonly HookName[];
  /** Key of the pair, from explicit ids alone. */
  readonly key: (payload: Payload) => string;
}

const pairs: readonly Pair[] = [
  { opens: "pre_llm_call", closes: ["on_session_end"], key: (p) => text(p, "turn_id") },
  {
    opens: "pre_api_request",
    closes: ["post_api_request", "api_request_error"],
    key: (p) => `${text(p, "api_request_id")} ${text(p, "attempt")}`,
  },
  {
    opens: "pre_tool_call",
    closes: ["post_tool_call"],
    key: (p) => `${text(p, "turn_id")} ${text(p, "tool_call_id")}`,
  },
  {
    opens: "on_human_input_request",
    closes: ["on_human_input_resolved"],
    key: (p) => text(p, "request_id"),
  },
  {
    opens: "pre_approval_request",
    closes: ["post_approval_response"],
    key: (p) => `${text(p, "session_key")} ${text(p, "tool_call_id")} ${text(p, "pattern_key")}`,
  },
  { opens: "subagent_start", closes: ["subagent_stop"], key: (p) => text(p, "child_session_id") },
];

/** Makes a recorder: `hooks.register(recorder())`. */
export function recorder(name = "recorder"): Recorder {
  const events: EventRecord[] = [];
  const take = <Name extends HookName>(hook: Name): Recorded<Name>[] =>
    // The dispatcher hands a payload only to the hook that its type belongs to.
    events.filter((event) => event.hook === hook) as Recorded<Name>[];
  return {
    name,
    events,
    register: (ctx) => {
      ctx.registerHook("*", (payload, envelope) => {
        events.push({ ...envelope, payload: payload as unknown as Payload });
      });
    },
    hooks: () => events.map((event) => event.hook),
    take,
    find: (hook, fits = () => true) => take(hook).find((event) => fits(event.payload)),
    unpaired: () => pairs.flatMap((pair) => unpairedOf(pair, events)),
    clear: () => void events.splice(0),
  };
}

function unpairedOf(pair: Pair, events: readonly EventRecord[]): string[] {
  const open = new Map<string, number>();
  const found: string[] = [];
  for (const { hook, payload } of events) {
    const key = pair.key(payload);
    const count = open.get(key) ?? 0;
    if (hook === pair.opens) open.set(key, count + 1);
    if (!(pair.closes as readonly string[]).includes(hook)) continue;
    if (count === 0) found.push(`${hook} without ${pair.opens}: ${key}`);
    else open.set(key, count - 1);
  }
  for (const [key, count] of open) {
    if (count > 0) found.push(`${pair.opens} without ${pair.closes.join(" or ")}: ${key}`);
  }
  return found;
}

function text(payload: Payload, field: string): string {
  const value = payload[field];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
