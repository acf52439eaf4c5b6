import type { MiddlewareTraceEntry } from "./middleware-trace.ts";
import type { Milliseconds, OpenString } from "./primitives.ts";
import type { Stamped } from "./stamped.ts";

/** Arguments of a tool call by name. */
export interface ToolArguments {
  readonly [name: string]: unknown;
}

/**
 * How a tool call ended: `ok`; `error` (ran, and returned or raised an error); `blocked` (stopped before it ran);
 * `cancelled` (before it ended normally); `timeout` (its deadline passed; real hosts send it, the specification's
 * table does not list it).
 */
export type ToolStatus = "ok" | "error" | "blocked" | "cancelled" | "timeout" | OpenString;

/** Kind of a tool call's failure, as seen from real hosts. */
export type ToolErrorType =
  | "tool_error"
  | "plugin_block"
  | "tool_scope_block"
  | "guardrail_block"
  | "invalid_tool_arguments"
  | "keyboard_interrupt"
  | "user_interrupt"
  | "tool_interrupted"
  | "tool_timeout"
  | "thread_missing_result"
  | OpenString;

/** Which tool call an event is about. Ids that a host does not have are `""`. */
export interface ToolCallIds {
  /** Name of the tool. */
  readonly tool_name: string;
  /** Arguments; `{}` when they are not an object or were never parsed. Real Hermes sends them unsanitised. */
  readonly args: ToolArguments;
  /** Task or isolation identity. */
  readonly task_id: string;
  /** Identity of the conversation. */
  readonly session_id: string;
  /** The provider's id of the call. Some providers use one again in a later response: it is a key within a turn only. */
  readonly tool_call_id: string;
  /** The turn that the call belongs to. */
  readonly turn_id: string;
  /** The request whose response asked for the call. */
  readonly api_request_id: string;
}

/** How a tool call went. */
export interface ToolOutcome {
  /** What the tool gave back: usually JSON in a string, a list or an object when it is multimodal. */
  readonly result: unknown;
  /** How long it took; 0 for calls that never ran, the deadline for those that ran into it. */
  readonly duration_ms: Milliseconds;
  /**
   * How it ended. Real Hermes says `ok` also for failures that only the text tells, for `{"success": false}` and for
   * exit codes other than 0.
   */
  readonly status: ToolStatus;
  /** Kind of the failure; null when there was none. */
  readonly error_type: ToolErrorType | null;
  /** Text of the failure; null when there was none. Real Hermes sends it unsanitised. */
  readonly error_message: string | null;
}

/**
 * A tool call is about to run: once per call. Real Hermes leaves it out for calls that never get that far
 * (arguments that are not JSON, tools out of scope), which may still get a `post_tool_call`.
 *
 * A decider may block the call, change its arguments or ask a human: see `DecisionReturns`.
 */
export interface PreToolCall extends Stamped, ToolCallIds {
  /** Middleware that touched the call before. */
  readonly middleware_trace?: readonly MiddlewareTraceEntry[];
}

/**
 * A tool call has ended, also one that was blocked or cancelled. Parallel calls end in any order. Real Hermes leaves
 * it out for the rest of a batch after Ctrl-C or a new message, and may send a second one for a call that ends after
 * its deadline.
 */
export interface PostToolCall extends Stamped, ToolCallIds, ToolOutcome {
  /** Middleware that touched the call before. */
  readonly middleware_trace?: readonly MiddlewareTraceEntry[];
}
