import type { SubagentAdditions, SubagentStopAdditions } from "./additions.ts";
import type { Bytes, Count, Milliseconds, OpenString } from "./primitives.ts";
import type { Stamped } from "./stamped.ts";

/** Role of a child: does the work itself, or delegates again. */
export type ChildRole = "leaf" | "orchestrator" | OpenString;

/** Ways in which a child ends; `stalled` from newer Hermes only. */
export type ChildStatus =
  | "completed"
  | "failed"
  | "interrupted"
  | "error"
  | "timeout"
  | "stalled"
  | OpenString;

/** How one tool call of a child ended; `unknown` when no result was found. Derived unlike `post_tool_call.status`. */
export type HistoryStatus = "ok" | "error" | "unknown" | OpenString;

/** What a tool call of a child was given, without any value but the bounded targets of its side effects. */
export interface ToolCallHistoryInput {
  /** Names of the arguments, sorted, at most 64. */
  readonly argument_keys: readonly string[];
  /**
   * Paths and URLs from top-level arguments with a known name (`path`, `cwd`, `url`, …), by that name. Query and
   * fragment of URLs are removed.
   */
  readonly targets: Readonly<Record<string, string | readonly string[]>>;
}

/** One tool call of a child: metadata only, never raw arguments, prompts, commands, content, headers or results. */
export interface ToolCallHistoryItem {
  /** Name of the tool. */
  readonly tool_name: string;
  /** What it was given. */
  readonly tool_input: ToolCallHistoryInput;
  /** Length of the arguments as JSON. Bytes by name; real Hermes counts characters. */
  readonly input_bytes: Bytes;
  /** Length of the result as text. Bytes by name; real Hermes counts characters. */
  readonly output_bytes: Bytes;
  /** How it ended. */
  readonly status: HistoryStatus;
}

/**
 * A delegated child agent was created. It has not begun: all children of a batch are created before any runs. The
 * child fires its own hooks under its own `session_id`.
 */
export interface SubagentStart extends Stamped, SubagentAdditions {
  /** Session of the agent that delegates. */
  readonly parent_session_id: string;
  /** Turn of the agent that delegates; `""` when there is none. */
  readonly parent_turn_id: string;
  /** The delegating agent's own id if it is a child itself; null at the top level. */
  readonly parent_subagent_id: string | null;
  /** Session of the child: joins this, `subagent_stop` and the child's own events. */
  readonly child_session_id: string;
  /** Id of the child. */
  readonly child_subagent_id: string;
  /** Role of the child. */
  readonly child_role: ChildRole;
  /** What the child is to do. Real Hermes sends it unsanitised. */
  readonly child_goal: string;
}

/**
 * A delegated child agent has returned or failed. Real Hermes fires it when the whole batch is done, so the time of
 * the event is not the end of the child, and leaves it out when the parent dies first.
 */
export interface SubagentStop extends Stamped, SubagentAdditions, SubagentStopAdditions {
  /** Session of the agent that delegated. */
  readonly parent_session_id: string;
  /** Turn of the agent that delegated; `""` when there is none. */
  readonly parent_turn_id?: string;
  /** Session of the child. */
  readonly child_session_id: string;
  /** Role of the child. */
  readonly child_role: ChildRole;
  /** How the child ended. */
  readonly child_status: ChildStatus;
  /** What the child reports, cut to the host's budget; null when it reports nothing. */
  readonly child_summary: string | null;
  /** How long the child ran; 0 for children that were interrupted or raised an error. */
  readonly duration_ms: Milliseconds;
  /**
   * The child's tool calls, metadata only. Calls that context compression removed are missing; empty for children
   * that timed out or raised an error.
   */
  readonly tool_call_history: readonly ToolCallHistoryItem[];
  /** What the work amounts to (`failed`, `partial`, `unverified`, `unknown`, …). Newer Hermes only. */
  readonly child_outcome?: string | null;
  /** Why the child stopped (`completed`, `max_iterations`, `interrupted`, `timeout`, `error`, …). Newer Hermes only. */
  readonly child_exit_reason?: string | null;
  /** Whether the child was interrupted. Newer Hermes only. */
  readonly child_interrupted?: boolean | null;
  /** How many of the child's tool calls failed. Newer Hermes only. */
  readonly child_tool_error_count?: Count | null;
  /** Whether the child's answer fits the schema that was asked for. Newer Hermes only. */
  readonly child_schema_valid?: boolean | null;
  /** What does not fit, bounded. Newer Hermes only. */
  readonly child_schema_errors?: unknown;
  /** How often the child was asked again for an answer that fits. Newer Hermes only. */
  readonly child_schema_retries?: Count | null;
  /** Whether the reported error is the child's own, not a guess of the parent. Newer Hermes only. */
  readonly child_error_authoritative?: boolean | null;
}
