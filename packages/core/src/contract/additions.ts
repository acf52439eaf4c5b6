/*
 * Every field that our hosts add to hermes.observer.v1, in one place. Real Hermes does not send them (or not
 * everywhere), and readers of the contract ignore unknown fields, so each is optional and no part of ours may need
 * one: whatever works with them has to work, less precisely, without.
 *
 * Three additions are behaviour and so have no field here: an interrupted attempt ends with `api_request_error`,
 * reason `interrupted`; `on_session_end` fires on every way out of a turn; `started_at` and `api_duration` are those
 * of the one attempt (real Hermes takes `started_at` once before its retry loop, so its durations grow from attempt
 * to attempt).
 */
import type { Count } from "./primitives.ts";
import type { Producer } from "./producer.ts";
import type { Usage } from "./usage.ts";

/** What our hosts add to `on_session_start`. */
export interface SessionStartAdditions {
  /** Who makes the events of this session. Not sent by real Hermes; readers must not need it. */
  readonly producer?: Producer;
}

/** What our hosts add to the three API hooks. */
export interface AttemptAdditions {
  /**
   * Ordinal of the attempt within one `api_request_id`, from 0; it never goes back, also not when a fallback provider
   * resets `retry_count`. Not sent by real Hermes; readers must not need it.
   */
  readonly attempt?: Count;
}

/** What our hosts add to `api_request_error`. */
export interface AttemptErrorAdditions {
  /**
   * What the provider had reported before the attempt broke off: part of the usage, billed all the same; null or
   * absent when nothing was. Not sent by real Hermes; readers must not need it.
   */
  readonly usage?: Usage | null;
}

/** What our hosts add to both human-input hooks. */
export interface HumanInputAdditions {
  /** Turn that waits. Not sent by real Hermes; readers must not need it. */
  readonly turn_id?: string;
  /** Tool call that waits; absent when the turn itself waits. Not sent by real Hermes; readers must not need it. */
  readonly tool_call_id?: string;
}

/** What our hosts add to both subagent hooks. */
export interface SubagentAdditions {
  /**
   * `tool_call_id` of the call, in the parent's turn, that delegated the work. Not sent by real Hermes; readers must
   * not need it.
   */
  readonly parent_tool_call_id?: string;
}

/** What our hosts add to `subagent_stop`. */
export interface SubagentStopAdditions {
  /**
   * The child's id of `subagent_start`. Not sent by real Hermes, whose two hooks pair by `child_session_id` only;
   * readers must not need it.
   */
  readonly child_subagent_id?: string;
  /**
   * Sum of what the child's own requests used; null when no provider reported any. Not sent by real Hermes; readers
   * must not need it.
   */
  readonly usage?: Usage | null;
}

/** What our hosts put on both approval hooks always, and real Hermes only on some surfaces and in newer versions. */
export interface ApprovalAdditions {
  /** Session that asks. Real Hermes sends it only if one is bound; readers must not need it. */
  readonly session_id?: string;
  /** Turn that asks. Not sent by older Hermes; readers must not need it. */
  readonly turn_id?: string;
  /** Tool call that waits for the answer. Not sent by older Hermes; readers must not need it. */
  readonly tool_call_id?: string;
  /**
   * From our hosts the `request_id` of the human-input pair around this approval, if there is one. Real Hermes sends
   * one on transports only, and there it is the id of the transport's request; readers must not need it.
   */
  readonly request_id?: string;
}
