import type { ApprovalAdditions } from "./additions.ts";
import type { OpenString } from "./primitives.ts";
import type { Stamped } from "./stamped.ts";

/** Where an approval is asked for; transports send `transport:<name>`, and `smart` means that a model is asked. */
export type ApprovalSurface = "cli" | "gateway" | "smart" | "mcp-elicitation" | OpenString;

/**
 * The answer to an approval. `cancelled`: nobody answered, because the turn was interrupted or the question never
 * reached anybody. Real hosts also send `notify_failed`, `smart_approve`, `smart_deny` and `transport_<failure>`.
 */
export type ApprovalChoice =
  | "once"
  | "session"
  | "always"
  | "deny"
  | "timeout"
  | "cancelled"
  | "notify_failed"
  | "smart_approve"
  | "smart_deny"
  | OpenString;

/**
 * An approval for a dangerous command is about to be asked for. For observation only: nobody can answer from here.
 *
 * No id joins this and `post_approval_response` on every surface of real Hermes: `session_key` with `tool_call_id`
 * or `pattern_key`, first in first out, is the best there is. An approval that a model hands on to a human
 * (`surface: "smart"`) has no `post_approval_response`.
 */
export interface PreApprovalRequest extends Stamped, ApprovalAdditions {
  /** The command. Redacted or not, depending on the surface. */
  readonly command: string;
  /** Why it is dangerous. */
  readonly description: string;
  /** First of `pattern_keys`; `plugin_rule:<rule_key>` when a plugin asked for the approval. */
  readonly pattern_key: string;
  /** Every rule that the command matched. */
  readonly pattern_keys: readonly string[];
  /** Routing key of the surface, not an identity of a conversation; may be a default value. */
  readonly session_key: string;
  /** Where the approval is asked for. */
  readonly surface: ApprovalSurface;
  /** Transports only: digest of the request. */
  readonly request_digest?: string;
  /** True when another wait for the same command is already open and its answer counts for this one too. */
  readonly coalesced?: boolean;
}

/** An approval was answered, or timed out, or was withdrawn. */
export interface PostApprovalResponse extends PreApprovalRequest {
  /** The answer. */
  readonly choice: ApprovalChoice;
  /** Why the question was withdrawn, when `choice` is `cancelled`; form depends on the version. */
  readonly cancelled?: unknown;
  /** `aux_llm` when a model decided; missing when a human did. */
  readonly decided_by?: "aux_llm" | OpenString;
}
