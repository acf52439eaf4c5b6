import type { Payload } from "@hermes-observer/core";

/**
 * The session whose file an event belongs to: its `session_id`; for the two subagent hooks, which real hosts send
 * without one, else `parent_session_id`. Absent, empty or not a string: `""`, the unattributed file, never a guess.
 */
export function sessionOf(hook: string, payload: Payload): string {
  const own = payload["session_id"];
  if (typeof own === "string" && own !== "") return own;
  if (hook !== "subagent_start" && hook !== "subagent_stop") return "";
  const parent = payload["parent_session_id"];
  return typeof parent === "string" ? parent : "";
}
