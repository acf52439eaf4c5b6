import type { EventRecord } from "../contract/envelope.ts";
import type { HookName, ObserverEvents } from "../contract/events.ts";
import type { Hooks } from "../hooks/hooks.ts";

/** One step of a script: a hook and the fields that matter; ids that are not given are filled in. */
export type ScriptedStep = {
  [Name in HookName]: readonly [hook: Name, fields?: Partial<ObserverEvents[Name]>];
}[HookName];

/** What `scriptedEvents` fills in, and where it starts. */
export interface ScriptOptions {
  readonly session_id?: string;
  readonly turn_id?: string;
  readonly writer?: string;
  /** Epoch seconds of the first event; each further one comes `step` seconds later. Default 1,800,000,000 and 1. */
  readonly at?: number;
  readonly step?: number;
}

/**
 * Turns a script into events with envelopes, so that a test states only what it is about.
 *
 * **Contract:** same script, same events, to the byte.
 */
export function scriptedEvents(
  steps: readonly ScriptedStep[],
  options: ScriptOptions = {},
): EventRecord[] {
  const { session_id = "s1", turn_id = "t1", writer = "w", at = 1_800_000_000, step = 1 } = options;
  return steps.map(([hook, fields], index) => ({
    id: `${writer}:${index + 1}`,
    at: at + index * step,
    hook,
    payload: { session_id, turn_id, ...fields },
  }));
}

/** Feeds events into a dispatcher, as a replay does. */
export function play(hooks: Hooks, events: Iterable<EventRecord>): void {
  for (const { payload, ...envelope } of events) hooks.replay({ ...payload }, envelope);
}
