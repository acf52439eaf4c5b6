import type { ApiRequestError, PostApiRequest, PreApiRequest } from "./api-request.ts";
import type { PostApprovalResponse, PreApprovalRequest } from "./approval.ts";
import type { DecidingHook } from "./decisions.ts";
import type { OnHumanInputRequest, OnHumanInputResolved } from "./human-input.ts";
import type { OnSessionEnd, OnSessionFinalize, OnSessionReset, OnSessionStart } from "./session.ts";
import type { SubagentStart, SubagentStop } from "./subagent.ts";
import type { PostToolCall, PreToolCall } from "./tool.ts";
import type { TransformLlmOutput, TransformToolResult } from "./transform.ts";
import type { PostLlmCall, PreLlmCall } from "./turn.ts";

/** Version of the contract, as `telemetry_schema_version` carries it. */
export const SCHEMA_VERSION = "hermes.observer.v1";

/**
 * The one map from hook to payload.
 *
 * **Contract:** a host adds its own hooks by declaration merging, through the name of the package:
 * `declare module "@hermes-observer/core" { interface ObserverEvents { my_hook: MyHook } }`. Payloads may always
 * carry fields that their type does not list; they pass through untouched.
 */
export interface ObserverEvents {
  on_session_start: OnSessionStart;
  on_session_end: OnSessionEnd;
  on_session_finalize: OnSessionFinalize;
  on_session_reset: OnSessionReset;
  pre_llm_call: PreLlmCall;
  post_llm_call: PostLlmCall;
  pre_api_request: PreApiRequest;
  post_api_request: PostApiRequest;
  api_request_error: ApiRequestError;
  pre_tool_call: PreToolCall;
  post_tool_call: PostToolCall;
  on_human_input_request: OnHumanInputRequest;
  on_human_input_resolved: OnHumanInputResolved;
  pre_approval_request: PreApprovalRequest;
  post_approval_response: PostApprovalResponse;
  subagent_start: SubagentStart;
  subagent_stop: SubagentStop;
  transform_tool_result: TransformToolResult;
  transform_llm_output: TransformLlmOutput;
}

/** Name of a hook that the event map knows, those that a host added included. */
export type HookName = Extract<keyof ObserverEvents, string>;

/** The hooks of the specification, in the order of its families; hooks that a host added are not among them. */
export const hookNames: readonly HookName[] = /* @__PURE__ */ Object.freeze([
  "on_session_start",
  "on_session_end",
  "on_session_finalize",
  "on_session_reset",
  "pre_llm_call",
  "post_llm_call",
  "pre_api_request",
  "post_api_request",
  "api_request_error",
  "pre_tool_call",
  "post_tool_call",
  "on_human_input_request",
  "on_human_input_resolved",
  "pre_approval_request",
  "post_approval_response",
  "subagent_start",
  "subagent_stop",
  "transform_tool_result",
  "transform_llm_output",
] as const);

/** The hooks whose return value counts, when it comes from a decider; in the order of a turn. */
export const decidingHooks: readonly DecidingHook[] = /* @__PURE__ */ Object.freeze([
  "pre_llm_call",
  "pre_tool_call",
  "transform_tool_result",
  "transform_llm_output",
] as const);

/** The raw fields that the contract keeps for old plugins: unsanitised, and never recorded by default. */
export const legacyRawFields: readonly string[] = /* @__PURE__ */ Object.freeze([
  "assistant_message",
  "request_messages",
  "conversation_history",
]);
