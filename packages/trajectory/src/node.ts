import type { Producer } from "@hermes-observer/core";
import type { Cost } from "./cost.ts";
import type { Deviation } from "./deviation.ts";
import type { Totals } from "./totals.ts";
import type { Usage } from "./usage.ts";

/** What a node stands for. */
export type NodeKind =
  | "session"
  | "turn"
  | "attempt"
  | "tool"
  | "approval"
  | "human_input"
  | "subagent";

/**
 * How a node stands. `abandoned`: it never ended and was given up; `unobserved`: it may well have ended, but how was
 * not seen or is not known to the contract.
 */
export type NodeStatus =
  | "open"
  | "ok"
  | "error"
  | "blocked"
  | "cancelled"
  | "timeout"
  | "denied"
  | "abandoned"
  | "unobserved"
  | "interrupted";

/**
 * Rung of the close-out ladder that closed a node: its own end event; a later question that replaced it; the end of
 * its turn; the end of its session; the stop of the child agent that it belongs to; a day (by default) without an
 * event; too many open nodes; the end of the record.
 */
export type ClosedBy =
  | "event"
  | "superseded"
  | "turn_end"
  | "session_finalize"
  | "subagent_stop"
  | "ttl"
  | "evicted"
  | "finish";

/** Where `duration_ms` comes from: a field of the payload, or the difference of two recorded times. */
export type DurationSource = "payload" | "envelope";

/** What went wrong, as the host reported it; texts are cut at 2,000 characters. */
export interface NodeError {
  readonly type: string | null;
  readonly message: string | null;
}

/** What all nodes have. Ids are opaque; `""` means that the event carried none. */
export interface NodeBase {
  /** Same for every process and replay: made from a correlation id (containers) or an envelope id (leaves). */
  readonly id: string;
  readonly parent_id: string | null;
  readonly kind: NodeKind;
  /** A short label: tool name, model, role, …; text from the payload, to be cleaned before it is shown. */
  readonly name: string;
  readonly status: NodeStatus;
  /** Epoch seconds as recorded; null when the start was not observed. */
  readonly started_at: number | null;
  /** Epoch seconds as recorded; for nodes without an end of their own the time at which they were given up. */
  readonly ended_at: number | null;
  /** Milliseconds, never negative; null when start or end was not observed. */
  readonly duration_ms: number | null;
  readonly duration_source: DurationSource | null;
  /** Session that the node's events name. */
  readonly session_id: string;
  readonly turn_id: string;
  readonly task_id: string;
  /** Envelope ids of the events that opened and closed the node. */
  readonly opened_by_event: string | null;
  readonly closed_by_event: string | null;
  readonly closed_by: ClosedBy | null;
  readonly error: NodeError | null;
  readonly deviations: readonly Deviation[];
  /** Deviations beyond the 32 that a node keeps. */
  readonly deviations_dropped: number;
}

/** Sums of a container: its own work, and that plus the work of the children that it delegated to. */
export interface RolledUp {
  readonly own: Totals;
  readonly with_children: Totals;
}

/** One conversation. */
export interface SessionNode extends NodeBase {
  readonly kind: "session";
  readonly platform: string;
  readonly model: string;
  readonly producer: Producer | null;
  /** False until `on_session_start` was seen; a resumed conversation has none. */
  readonly start_observed: boolean;
  /** True when its first turn says that it is the first of the conversation. */
  readonly first_turn_observed: boolean;
  /** True for events that name no session at all. */
  readonly unattributed: boolean;
  /** Session that this one continues, and the one that continues it. */
  readonly previous_session_id: string | null;
  readonly next_session_id: string | null;
  readonly link_reason: "reset" | "rotation" | null;
  /** How often work went on after the session had been closed. */
  readonly resumed: number;
  /** `reason` of the finalize event. */
  readonly reason: string;
  readonly event_count: number;
  /** Events by hook that make no node: transforms and hooks outside the contract. */
  readonly other_events: Readonly<Record<string, number>>;
  /** All deviations on the session and on everything in it, by code. */
  readonly deviation_counts: Readonly<Record<string, number>>;
  readonly totals: RolledUp;
}

/** One user turn. */
export interface TurnNode extends NodeBase {
  readonly kind: "turn";
  /** 1 for the first turn that was seen of its session. */
  readonly index: number;
  readonly platform: string;
  readonly model: string;
  readonly is_first_turn: boolean | null;
  /** Start of the user's message, at most 120 characters; content of the payload. */
  readonly prompt_preview: string;
  /** True when `post_llm_call` was seen. */
  readonly answered: boolean;
  /** True when `transform_llm_output` was seen. */
  readonly output_transformed: boolean;
  readonly completed: boolean | null;
  readonly failed: boolean | null;
  readonly interrupted: boolean | null;
  readonly exit_reason: string;
  readonly totals: RolledUp;
}

/** One attempt at a provider request; several share an `api_request_id`. */
export interface AttemptNode extends NodeBase {
  readonly kind: "attempt";
  readonly api_request_id: string;
  /** Ordinal within the `api_request_id` from 0: as reported, else by arrival of `pre_api_request`. */
  readonly attempt: number;
  readonly api_call_count: number | null;
  readonly provider: string;
  readonly model: string;
  readonly response_model: string;
  readonly api_mode: string;
  readonly finish_reason: string;
  readonly retry_count: number | null;
  readonly max_retries: number | null;
  readonly retryable: boolean | null;
  readonly status_code: number | null;
  /** Why it failed (`rate_limit`, `timeout`, `interrupted`, …). */
  readonly reason: string;
  /** Milliseconds from start to first chunk; null when not streamed or not reported. */
  readonly first_chunk_ms: number | null;
  /** Start (epoch seconds) and duration (ms) that the payload gives, when they cover earlier attempts too. */
  readonly request_started_at: number | null;
  readonly request_duration_ms: number | null;
  readonly message_count: number | null;
  readonly tool_count: number | null;
  readonly approx_input_tokens: number | null;
  readonly request_char_count: number | null;
  readonly max_tokens: number | null;
  readonly assistant_tool_call_count: number | null;
  readonly usage: Usage | null;
  readonly cost: Cost;
  /** True when the answer came from a local cache: nothing was billed, nothing is added to totals. */
  readonly from_cache: boolean;
}

/** One tool call. */
export interface ToolNode extends NodeBase {
  readonly kind: "tool";
  readonly tool_name: string;
  readonly tool_call_id: string;
  readonly api_request_id: string;
  /** Start of the first text among the arguments, at most 120 characters; content of the payload. */
  readonly input_preview: string;
  /** `status` as reported. */
  readonly outcome: string;
  /** True when `transform_tool_result` was seen. */
  readonly result_transformed: boolean;
}

/** One request for approval. */
export interface ApprovalNode extends NodeBase {
  readonly kind: "approval";
  readonly surface: string;
  readonly pattern_key: string;
  readonly session_key: string;
  readonly tool_call_id: string;
  readonly request_id: string;
  readonly coalesced: boolean;
  /** Start of the command, at most 120 characters; content of the payload. */
  readonly command_preview: string;
  /** `choice` as reported; `""` while nobody has answered. */
  readonly choice: string;
  readonly decided_by: string;
}

/** One wait for a human. */
export interface HumanInputNode extends NodeBase {
  readonly kind: "human_input";
  readonly input_kind: string;
  readonly request_id: string;
  readonly session_key: string;
  readonly platform: string;
  /** `outcome` as reported; `""` while nobody has answered. */
  readonly outcome: string;
}

/** One delegated child agent; the child's session hangs below it. */
export interface SubagentNode extends NodeBase {
  readonly kind: "subagent";
  readonly child_session_id: string;
  readonly child_subagent_id: string;
  readonly parent_subagent_id: string;
  readonly parent_tool_call_id: string;
  readonly role: string;
  /** Start of the goal, at most 120 characters; content of the payload. */
  readonly goal_preview: string;
  /** `child_status`, `child_outcome` and `child_exit_reason` as reported. */
  readonly outcome: string;
  readonly child_outcome: string;
  readonly exit_reason: string;
  /** What the parent says the child used; never added to totals, which come from the child's own requests. */
  readonly reported_usage: Usage | null;
  readonly totals: RolledUp;
}

/** A node of the trajectory; `kind` tells which. */
export type TrajectoryNode =
  | SessionNode
  | TurnNode
  | AttemptNode
  | ToolNode
  | ApprovalNode
  | HumanInputNode
  | SubagentNode;
