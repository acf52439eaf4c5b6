import type { SessionStartAdditions } from "./additions.ts";
import type { OpenString } from "./primitives.ts";
import type { Stamped } from "./stamped.ts";

/**
 * A brand-new session: fires once, on its first turn, after its system prompt exists and before `pre_llm_call`.
 * Not on later turns, not when a session is resumed.
 */
export interface OnSessionStart extends Stamped, SessionStartAdditions {
  /** Identity of the conversation. */
  readonly session_id: string;
  /** Model that the session starts with. */
  readonly model?: string;
  /** Surface of the host, for example `cli`, `tui`, `gateway`; `subagent` for the session of a delegated child. */
  readonly platform?: string;
}

/**
 * A turn, or a run, has ended, also when it failed or was interrupted. It is not the end of the conversation:
 * clean-up that must happen once per session belongs to `on_session_finalize` and `on_session_reset`.
 *
 * Real Hermes leaves it out on some ways out of a turn (early returns, detached forks) and sends a reduced shape
 * when the process dies in mid-turn: without `failed` and `turn_exit_reason`, with `reason` and `api_request_id`.
 */
export interface OnSessionEnd extends Stamped {
  /** Identity of the conversation; may differ from that of the turn's start if the host rotated it meanwhile. */
  readonly session_id: string;
  /** True when the turn gave a final answer and neither failed nor was interrupted. */
  readonly completed: boolean;
  /** True when the user or the host cut the turn short. */
  readonly interrupted: boolean;
  /** Task or isolation identity; `""` when there is none. */
  readonly task_id?: string;
  /** The turn that ends; `""` when there is none. */
  readonly turn_id?: string;
  /** True when the turn ended in a failure. Missing in the reduced shape. */
  readonly failed?: boolean;
  /**
   * Why the loop stopped, in the host's words: `text_response(finish_reason=stop)`, `max_iterations_reached(n/m)`,
   * `interrupted_by_user`, … Open-ended: show it, do not parse it. Missing in the reduced shape.
   */
  readonly turn_exit_reason?: string;
  /** Model at the end of the turn. */
  readonly model?: string;
  /** Surface of the host. */
  readonly platform?: string;
  /** Reduced shape only: what ended the process, for example `keyboard_interrupt`. */
  readonly reason?: string;
  /** Reduced shape only: the request that was in flight; `""` when there was none. */
  readonly api_request_id?: string;
}

/** A host tears a session's identity down: exit, reset, idle expiry, shutdown. For one identity, not for the process. */
export interface OnSessionFinalize extends Stamped {
  /** The identity that goes away. Null on surfaces of real Hermes that have none bound any more. */
  readonly session_id: string | null;
  /** Surface of the host. */
  readonly platform?: string;
  /** Why, where the surface says so. */
  readonly reason?: "shutdown" | OpenString;
  /** The identity that goes away, when another one takes over (gateway). */
  readonly old_session_id?: string | null;
  /** The identity that takes over (gateway). */
  readonly new_session_id?: string | null;
}

/**
 * A host has moved from an old session identity to a new one. `on_session_start` of the new one follows with its
 * first turn. A rotation by context compression fires neither this nor `on_session_finalize`.
 */
export interface OnSessionReset extends Stamped {
  /** The new identity. */
  readonly session_id: string;
  /** Surface of the host. */
  readonly platform?: string;
  /** Why, where the surface says so (not on the TUI). */
  readonly reason?: string;
  /** The identity that was left (gateway). */
  readonly old_session_id?: string | null;
  /** The new identity again (gateway). */
  readonly new_session_id?: string | null;
}
