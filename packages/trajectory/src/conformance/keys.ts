import type { EventRecord } from "@hermes-observer/core";
import { asText } from "../payload-fields.ts";

/** A pair of hooks: what starts, what may end it, and by which ids both are known. */
export interface Pair {
  readonly name: string;
  readonly start: string;
  readonly ends: readonly string[];
  key(event: EventRecord): string;
}

/** Text of a payload field. */
export function field(event: EventRecord, name: string): string {
  return asText(event.payload[name]);
}

/** One key out of several ids, whatever is in them. */
export function keyOf(event: EventRecord, names: readonly string[]): string {
  return JSON.stringify(names.map((name) => field(event, name)));
}

/** Session of an event: its own, or that of the parent for events about a child. */
export function sessionOf(event: EventRecord): string {
  return field(event, "session_id") || field(event, "parent_session_id");
}

/** Id of a call within its turn; its name when it has none. */
export function callKey(event: EventRecord): string {
  const id = field(event, "tool_call_id") || `name:${field(event, "tool_name")}`;
  return JSON.stringify([field(event, "turn_id"), id]);
}

/** The pairs of the contract. Turns and what is in them go by turn, because a session id may change inside one. */
export const pairs: Readonly<
  Record<"attempt" | "tool" | "turn" | "human" | "approval" | "child", Pair>
> = {
  attempt: {
    name: "attempt",
    start: "pre_api_request",
    ends: ["post_api_request", "api_request_error"],
    key: (event) => keyOf(event, ["turn_id", "api_request_id"]),
  },
  tool: { name: "tool call", start: "pre_tool_call", ends: ["post_tool_call"], key: callKey },
  turn: {
    name: "turn",
    start: "pre_llm_call",
    ends: ["on_session_end"],
    key: (event) => keyOf(event, ["turn_id"]),
  },
  human: {
    name: "human input",
    start: "on_human_input_request",
    ends: ["on_human_input_resolved"],
    key: (event) => keyOf(event, ["request_id"]),
  },
  approval: {
    name: "approval",
    start: "pre_approval_request",
    ends: ["post_approval_response"],
    key: (event) =>
      keyOf(event, [
        "session_key",
        "surface",
        "turn_id",
        "tool_call_id",
        "request_id",
        "pattern_key",
      ]),
  },
  child: {
    name: "child agent",
    start: "subagent_start",
    ends: ["subagent_stop"],
    key: (event) => keyOf(event, ["child_session_id"]),
  },
};
