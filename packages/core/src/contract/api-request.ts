import type { AttemptAdditions, AttemptErrorAdditions } from "./additions.ts";
import type { MiddlewareTraceEntry } from "./middleware-trace.ts";
import type { Characters, Count, EpochSeconds, OpenString, Seconds, Tokens } from "./primitives.ts";
import type { Stamped } from "./stamped.ts";
import type { MessageContent } from "./turn.ts";
import type { Usage } from "./usage.ts";

/** Wire protocols that real hosts speak. */
export type ApiMode = "chat_completions" | "anthropic_messages" | "codex_responses" | OpenString;

/** Why an attempt failed. Our hosts send `interrupted` for an attempt that was cut short; real Hermes then sends nothing. */
export type ApiErrorReason =
  | "rate_limit"
  | "billing"
  | "timeout"
  | "server_error"
  | "overloaded"
  | "context_overflow"
  | "model_not_found"
  | "content_policy_blocked"
  | "invalid_response"
  | "interrupted"
  | OpenString;

/** Marks of a sanitised payload that stayed too large and was replaced by a preview. */
export interface CutPayload {
  /** True when the payload was replaced. */
  readonly _truncated?: boolean;
  /** Type of what was replaced, in the producer's language. */
  readonly original_type?: string;
  /** Beginning of the payload's JSON text; not JSON itself. */
  readonly preview?: string;
}

/** A request as it goes to the provider: sanitised and bounded, so any part of it may be a marker of what was cut. */
export interface SanitizedRequest extends CutPayload {
  /** HTTP method. */
  readonly method?: string;
  /** Body without transport settings. */
  readonly body?: unknown;
}

/** The message of a sanitised response. */
export interface SanitizedAssistantMessage {
  /** Role, `assistant`. */
  readonly role?: string;
  /** Text, parts, or null when the message holds only tool calls. */
  readonly content?: unknown;
  /** Calls that the model asks for, as the provider's API spells them; null or missing when there are none. */
  readonly tool_calls?: unknown;
}

/** A provider's response: sanitised and bounded, so any part of it may be a marker of what was cut. */
export interface SanitizedResponse extends CutPayload {
  /** Model as the provider names it; null when it does not. */
  readonly model?: string | null;
  /** Provider behind a router. Newer Hermes only. */
  readonly upstream_provider?: string | null;
  /** Why the model stopped; null when the provider did not say. */
  readonly finish_reason?: string | null;
  /** The message. */
  readonly assistant_message?: SanitizedAssistantMessage | string | null;
  /** Token counts; null when the provider sent none. */
  readonly usage?: Usage | null;
}

/** What went wrong with an attempt. */
export interface ApiError {
  /** Class of the exception, for example `RateLimitError`. */
  readonly type: string;
  /** Its text. Real Hermes sends it unsanitised. */
  readonly message: string;
}

/** Which request an event is about, and where it goes. Ids that a host does not have are `""`. */
export interface ApiRequestIds {
  /** Identity of the conversation. */
  readonly session_id: string;
  /** Task or isolation identity. */
  readonly task_id: string;
  /** The turn that the request belongs to. */
  readonly turn_id: string;
  /**
   * Joins the events of one logical request; opaque, never to be parsed. All its retries and fallbacks share it in
   * real Hermes, and it may come again for another request of the turn: an attempt is this id and the ordinal in
   * which its `pre_api_request` arrived.
   */
  readonly api_request_id: string;
  /** Surface of the host; `""` when unset. */
  readonly platform: string;
  /** Model that is asked; may change between attempts of one request. */
  readonly model: string;
  /** Provider that is asked; may change between attempts of one request. */
  readonly provider: string;
  /** Base URL that is asked; `""` when unknown. Real Hermes sends it unsanitised. */
  readonly base_url: string;
  /** Wire protocol. */
  readonly api_mode: ApiMode;
  /** Which request of the turn it is, from 1. */
  readonly api_call_count: Count;
}

/** A request is about to be sent: fires for every attempt, retries and fallbacks included, after middleware. */
export interface PreApiRequest extends Stamped, AttemptAdditions, ApiRequestIds {
  /** Messages in the request. */
  readonly message_count: Count;
  /** Tools that the agent has. */
  readonly tool_count: Count;
  /** Input, estimated from its characters. */
  readonly approx_input_tokens: Tokens;
  /** Length of the request. */
  readonly request_char_count: Characters;
  /** Limit on the output; null when the request has none. */
  readonly max_tokens: Tokens | null;
  /** When the attempt began; in real Hermes, when the first attempt of the request did. */
  readonly started_at: EpochSeconds;
  /** The request, sanitised; a plain text when it could not be turned into JSON. */
  readonly request: SanitizedRequest | string;
  /** Attempts before this one, from 0; back to 0 when a fallback provider takes over. */
  readonly retry_count?: Count;
  /** What the user said. Real Hermes sends it unsanitised. */
  readonly user_message?: MessageContent | null;
  /** The system prompt, unsanitised. Newer Hermes only. */
  readonly system_prompt?: unknown;
  /** Middleware that touched the request before. */
  readonly middleware_trace?: readonly MiddlewareTraceEntry[];
  /**
   * Raw messages of the request. Never recorded by default.
   *
   * @deprecated Raw and unsanitised; use `request`.
   */
  readonly request_messages?: unknown;
  /**
   * Raw messages of the session. Never recorded by default.
   *
   * @deprecated Raw and unsanitised; use `request`.
   */
  readonly conversation_history?: unknown;
}

/** An attempt succeeded: once per response, also one that makes the loop ask again. */
export interface PostApiRequest extends Stamped, AttemptAdditions, ApiRequestIds {
  /** How long it took; in real Hermes since the first attempt of the request, waits between attempts included. */
  readonly api_duration: Seconds;
  /** When the attempt began; in real Hermes, when the first attempt of the request did. */
  readonly started_at: EpochSeconds;
  /** When it ended: `started_at` + `api_duration`. */
  readonly ended_at: EpochSeconds;
  /** Why the model stopped (`stop`, `tool_calls`, `length`, …); null when the provider did not say. */
  readonly finish_reason: string | null;
  /** Messages in the request. */
  readonly message_count: Count;
  /** Model as the provider names it; null when it does not. */
  readonly response_model: string | null;
  /** Token counts; null when the provider sent none, which is not 0. */
  readonly usage: Usage | null;
  /** Length of the answer's text; 0 when it has none. */
  readonly assistant_content_chars: Characters;
  /** Tool calls that the answer asks for. */
  readonly assistant_tool_call_count: Count;
  /** The response, sanitised; a plain text when it could not be turned into JSON. */
  readonly response: SanitizedResponse | string;
  /** When the first chunk of a stream arrived; null when the response was not streamed. */
  readonly first_chunk_at?: EpochSeconds | null;
  /** Answers of the reference models, when several were mixed; else null. */
  readonly moa_references?: unknown;
  /**
   * The provider's raw message. Never recorded by default.
   *
   * @deprecated Raw and unsanitised; use `response`.
   */
  readonly assistant_message?: unknown;
}

/**
 * An attempt failed, for good or to be tried again. Real Hermes sends nothing for an attempt that was interrupted;
 * our hosts send this with the reason `interrupted`.
 */
export interface ApiRequestError
  extends Stamped, AttemptAdditions, AttemptErrorAdditions, ApiRequestIds {
  /** How long it took; in real Hermes since the first attempt of the request, waits between attempts included. */
  readonly api_duration: Seconds;
  /** When the attempt began; in real Hermes, when the first attempt of the request did. */
  readonly started_at: EpochSeconds;
  /** When it ended: `started_at` + `api_duration`. */
  readonly ended_at: EpochSeconds;
  /** HTTP status; null when there was no response. */
  readonly status_code: number | null;
  /** Attempts before this one, from 0. */
  readonly retry_count: Count;
  /** How many retries the host allows itself. */
  readonly max_retries: Count;
  /** Whether the host takes the failure for one that may pass. */
  readonly retryable: boolean;
  /** Why it failed; null when the host cannot tell. */
  readonly reason: ApiErrorReason | null;
  /** The failure. */
  readonly error: ApiError;
  /** The request that failed, sanitised; a plain text when it could not be turned into JSON. */
  readonly request: SanitizedRequest | string;
  /** When the first chunk of a stream arrived; null when none did. Newer Hermes only. */
  readonly first_chunk_at?: EpochSeconds | null;
  /** When the first piece of text of a stream arrived; null when none did. Newer Hermes only. */
  readonly first_delta_at?: EpochSeconds | null;
}
