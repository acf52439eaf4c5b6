import type { ToolArguments } from "./tool.ts";

/** Ephemeral text for the current user message; several deciders' texts are joined by a blank line. */
export type PreLlmCallDecision = string | { readonly context: string };

/** What a decider may do with a tool call. */
export type PreToolCallDecision = BlockToolCall | ModifyToolCall | ApproveToolCall;

/** Stops the call; the model gets the message as an error. */
export interface BlockToolCall {
  readonly action: "block";
  /** What the model is told; not empty. */
  readonly message: string;
}

/** Changes arguments; several deciders' changes are merged key by key, the later one wins. */
export interface ModifyToolCall {
  readonly action: "modify";
  /** The arguments to set; those not named stay. */
  readonly args: ToolArguments;
}

/** Asks a human before the call may run. */
export interface ApproveToolCall {
  readonly action: "approve";
  /** What the human is told. */
  readonly message?: string;
  /** Name of the rule: the approval hooks carry it as `plugin_rule:<rule_key>`. */
  readonly rule_key?: string;
}

/**
 * What a decider may return, by hook: these four are the only hooks whose return value counts.
 *
 * **Contract:** `undefined` and `null` mean "no opinion"; anything else that does not fit is a fault and counts as
 * no opinion, unless the decider asked for `onFailure: "block"`.
 */
export interface DecisionReturns {
  pre_llm_call: PreLlmCallDecision;
  pre_tool_call: PreToolCallDecision;
  /** Replacement of the tool result; may be empty. */
  transform_tool_result: string;
  /** Replacement of the final answer; not empty. */
  transform_llm_output: string;
}

/** A hook that deciders can answer. */
export type DecidingHook = keyof DecisionReturns;
