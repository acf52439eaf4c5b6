/*
 * The mutable records behind the public node interfaces. Classes, so that every node of a kind has the same hidden
 * class from birth (bench/builder.bench.ts).
 */
import type { Producer } from "@hermes-observer/core";
import { unknownCost } from "../cost.ts";
import type { Cost } from "../cost.ts";
import type { Deviation } from "../deviation.ts";
import type {
  ApprovalNode,
  AttemptNode,
  ClosedBy,
  DurationSource,
  HumanInputNode,
  NodeBase,
  NodeError,
  NodeKind,
  NodeStatus,
  SessionNode,
  SubagentNode,
  ToolNode,
  TurnNode,
} from "../node.ts";
import { emptyTotals } from "../totals.ts";
import type { MutableTotals } from "../totals.ts";
import type { Usage } from "../usage.ts";

const noDeviations: readonly Deviation[] = Object.freeze([]);

abstract class NodeFields implements NodeBase {
  id: string;
  parent_id: string | null = null;
  abstract readonly kind: NodeKind;
  name = "";
  status: NodeStatus = "open";
  started_at: number | null = null;
  ended_at: number | null = null;
  duration_ms: number | null = null;
  duration_source: DurationSource | null = null;
  session_id: string;
  turn_id = "";
  task_id = "";
  opened_by_event: string | null = null;
  closed_by_event: string | null = null;
  closed_by: ClosedBy | null = null;
  error: NodeError | null = null;
  deviations: readonly Deviation[] = noDeviations;
  deviations_dropped = 0;

  constructor(id: string, sessionId: string) {
    this.id = id;
    this.session_id = sessionId;
  }
}

interface MutableRolledUp {
  readonly own: MutableTotals;
  readonly with_children: MutableTotals;
}

function rolledUp(): MutableRolledUp {
  return { own: emptyTotals(), with_children: emptyTotals() };
}

export class SessionFields extends NodeFields implements SessionNode {
  readonly kind = "session" as const;
  platform = "";
  model = "";
  producer: Producer | null = null;
  start_observed = false;
  first_turn_observed = false;
  unattributed = false;
  previous_session_id: string | null = null;
  next_session_id: string | null = null;
  link_reason: "reset" | "rotation" | null = null;
  resumed = 0;
  reason = "";
  event_count = 0;
  other_events: Record<string, number> = {};
  deviation_counts: Record<string, number> = {};
  readonly totals: MutableRolledUp = rolledUp();
}

export class TurnFields extends NodeFields implements TurnNode {
  readonly kind = "turn" as const;
  index = 0;
  platform = "";
  model = "";
  is_first_turn: boolean | null = null;
  prompt_preview = "";
  answered = false;
  output_transformed = false;
  completed: boolean | null = null;
  failed: boolean | null = null;
  interrupted: boolean | null = null;
  exit_reason = "";
  readonly totals: MutableRolledUp = rolledUp();
}

export class AttemptFields extends NodeFields implements AttemptNode {
  readonly kind = "attempt" as const;
  api_request_id = "";
  attempt = 0;
  api_call_count: number | null = null;
  provider = "";
  model = "";
  response_model = "";
  api_mode = "";
  finish_reason = "";
  retry_count: number | null = null;
  max_retries: number | null = null;
  retryable: boolean | null = null;
  status_code: number | null = null;
  reason = "";
  first_chunk_ms: number | null = null;
  request_started_at: number | null = null;
  request_duration_ms: number | null = null;
  message_count: number | null = null;
  tool_count: number | null = null;
  approx_input_tokens: number | null = null;
  request_char_count: number | null = null;
  max_tokens: number | null = null;
  assistant_tool_call_count: number | null = null;
  usage: Usage | null = null;
  cost: Cost = unknownCost("not_ended");
  from_cache = false;
}

export class ToolFields extends NodeFields implements ToolNode {
  readonly kind = "tool" as const;
  tool_name = "";
  tool_call_id = "";
  api_request_id = "";
  input_preview = "";
  outcome = "";
  result_transformed = false;
}

export class ApprovalFields extends NodeFields implements ApprovalNode {
  readonly kind = "approval" as const;
  surface = "";
  pattern_key = "";
  session_key = "";
  tool_call_id = "";
  request_id = "";
  coalesced = false;
  command_preview = "";
  choice = "";
  decided_by = "";
}

export class HumanInputFields extends NodeFields implements HumanInputNode {
  readonly kind = "human_input" as const;
  input_kind = "";
  request_id = "";
  session_key = "";
  platform = "";
  outcome = "";
}

export class SubagentFields extends NodeFields implements SubagentNode {
  readonly kind = "subagent" as const;
  child_session_id = "";
  child_subagent_id = "";
  parent_subagent_id = "";
  parent_tool_call_id = "";
  role = "";
  goal_preview = "";
  outcome = "";
  child_outcome = "";
  exit_reason = "";
  reported_usage: Usage | null = null;
  readonly totals: MutableRolledUp = rolledUp();
}

/** Any node's mutable record. */
export type AnyFields =
  | SessionFields
  | TurnFields
  | AttemptFields
  | ToolFields
  | ApprovalFields
  | HumanInputFields
  | SubagentFields;
