import type { HumanInputAdditions } from "./additions.ts";
import type { OpenString } from "./primitives.ts";
import type { Stamped } from "./stamped.ts";

/** What the agent waits for: a sudo password, the answer to a question, an approval. */
export type HumanInputKind = "sudo" | "clarify" | "approval" | OpenString;

/**
 * How a wait ended. `sudo`: `provided`, `skipped`, `timeout`; `clarify`: `submitted`, `timed_out`, `cancelled`;
 * `approval`: the choices of `post_approval_response`; each kind: `error`. A timeout has two spellings.
 */
export type HumanInputOutcome =
  | "provided"
  | "skipped"
  | "submitted"
  | "once"
  | "session"
  | "always"
  | "deny"
  | "timeout"
  | "timed_out"
  | "cancelled"
  | "notify_failed"
  | "error"
  | OpenString;

/**
 * The agent stops and waits for a human. Not for approvals that a model gives, nor for decisions without a wait.
 */
export interface OnHumanInputRequest extends Stamped, HumanInputAdditions {
  /** What it waits for. */
  readonly kind: HumanInputKind;
  /** Joins the request and its `on_human_input_resolved`. No relation to ids of approvals in real Hermes. */
  readonly request_id: string;
  /** Identity of the conversation; `""` when there is none. */
  readonly session_id: string;
  /** Routing key of the surface, not an identity of a conversation; may be a default value. */
  readonly session_key: string;
  /** Surface of the host. */
  readonly platform: string;
  /** What the human is shown, always redacted; `""` when it could not be redacted. */
  readonly prompt: string;
}

/**
 * The wait is over: exactly one for each `on_human_input_request`. The password or answer itself is never part of
 * the event.
 */
export interface OnHumanInputResolved extends OnHumanInputRequest {
  /** How the wait ended. */
  readonly outcome: HumanInputOutcome;
}
