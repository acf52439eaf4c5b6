import type { Stamped } from "./stamped.ts";
import type { ToolCallIds, ToolOutcome } from "./tool.ts";

/**
 * Legacy: a tool result is about to be appended to the messages, after `post_tool_call`.
 *
 * A decider may replace the result by a string: see `DecisionReturns`.
 */
export interface TransformToolResult extends Stamped, ToolCallIds, ToolOutcome {}

/**
 * Legacy: the final answer of a turn is about to be stored, before `post_llm_call`. Not for interrupted turns or
 * empty answers.
 *
 * A decider may replace the answer by another, non-empty string: see `DecisionReturns`.
 */
export interface TransformLlmOutput extends Stamped {
  /** The final answer as the model gave it. */
  readonly response_text: string;
  /** Identity of the conversation. */
  readonly session_id: string;
  /** Model that gave the answer. */
  readonly model?: string;
  /** Surface of the host; `""` when unset. */
  readonly platform?: string;
  /** The turn. Newer Hermes only. */
  readonly turn_id?: string;
}
