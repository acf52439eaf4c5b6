import type { Stamped } from "./stamped.ts";

/** Text, or the parts of a multimodal message as the provider's API spells them. */
export type MessageContent = string | readonly unknown[];

/**
 * One user turn begins: fires once, before the tool loop and before the first request.
 *
 * A decider may add context to the user's message: see `DecisionReturns`.
 */
export interface PreLlmCall extends Stamped {
  /** Identity of the conversation. */
  readonly session_id: string;
  /** The turn, shared by its requests and tool calls. */
  readonly turn_id: string;
  /** What the user said, before any plugin added context. Real Hermes sends it unsanitised. */
  readonly user_message: MessageContent;
  /** True when the session has no earlier history. */
  readonly is_first_turn: boolean;
  /** Model that the turn starts with. */
  readonly model: string;
  /** Surface of the host; `""` when unset, `subagent` for a delegated child. */
  readonly platform: string;
  /** Who wrote the message, where the surface knows; `""` on the command line. */
  readonly sender_id: string;
  /** Task or isolation identity; constant per session on most surfaces of real Hermes, so never a key of a turn. */
  readonly task_id?: string;
  /** Session of the agent that delegated this one; `""` when there is none. */
  readonly parent_session_id?: string;
  /**
   * Raw messages up to and including the user's. Never recorded by default.
   *
   * @deprecated Raw and unsanitised; use `pre_api_request.request`.
   */
  readonly conversation_history?: unknown;
}

/**
 * One user turn has its final answer. Does not fire when the turn was interrupted, gave no answer, or left early, so
 * it cannot close a turn: `on_session_end` does.
 */
export interface PostLlmCall extends Stamped {
  /** Identity of the conversation; may differ from that of `pre_llm_call` if the host rotated it meanwhile. */
  readonly session_id: string;
  /** The turn of `pre_llm_call`. */
  readonly turn_id: string;
  /** What the user said. Real Hermes sends it unsanitised. */
  readonly user_message: MessageContent;
  /** The final answer, after `transform_llm_output`; also the text that a host makes up for a failed turn. */
  readonly assistant_response: string;
  /** Model at the end of the turn. */
  readonly model: string;
  /** Surface of the host; `""` when unset. */
  readonly platform: string;
  /** Task or isolation identity; `""` when there is none. */
  readonly task_id?: string;
  /**
   * Raw messages of the session. Never recorded by default.
   *
   * @deprecated Raw and unsanitised; use `post_api_request.response`.
   */
  readonly conversation_history?: unknown;
}
