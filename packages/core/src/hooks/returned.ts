import { decidingHooks } from "../contract/events.ts";

/** True for a value that a decider of this hook would return. */
export function looksLikeDecision(hook: string, value: unknown): boolean {
  if (value === undefined || !(decidingHooks as readonly string[]).includes(hook)) return false;
  try {
    if (typeof value === "string") return hook !== "pre_tool_call";
    if (typeof value !== "object" || value === null) return false;
    return hook === "pre_tool_call"
      ? "action" in value
      : hook === "pre_llm_call" && "context" in value;
  } catch {
    // A value that cannot be looked at is no decision.
    return false;
  }
}
