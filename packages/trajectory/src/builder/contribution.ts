/*
 * Roll-up sums. Each node contributes once to every container above it; before it changes, its contribution is taken
 * back, and afterwards put again, so that corrections never count twice.
 */
import type { AttemptFields, ToolFields } from "./node-fields.ts";
import type { Entry, SessionEntry } from "./entry.ts";
import type { SubagentFields } from "./node-fields.ts";
import { addTotals, emptyTotals } from "../totals.ts";
import type { MutableTotals, Totals } from "../totals.ts";

/** Adds what the node stands for to every container above it. */
export function put(entry: Entry): void {
  if (entry.counted) return;
  entry.counted = true;
  addUp(entry.parent, contributionOf(entry), 1);
}

/** Takes it back; to be called before the node changes. */
export function takeBack(entry: Entry): void {
  if (!entry.counted) return;
  entry.counted = false;
  addUp(entry.parent, contributionOf(entry), -1);
}

/** Adds the sums of a session that has just been hung below a child agent to the containers above. */
export function putSession(session: SessionEntry, below: Entry<SubagentFields>): void {
  addTotals(below.node.totals.own, session.node.totals.own, 1);
  const added = session.node.totals.with_children;
  for (let up: Entry | null = below; up !== null; up = up.parent) {
    if ("totals" in up.node) addTotals(up.node.totals.with_children, added, 1);
  }
}

/** Work counts as the container's own up to the child agent that did it; above, it is work of children. */
function addUp(parent: Entry | null, added: Totals, sign: 1 | -1): void {
  let isOwn = true;
  for (let up = parent; up !== null; up = up.parent) {
    const { node } = up;
    if (node.kind !== "session" && node.kind !== "turn" && node.kind !== "subagent") continue;
    if (isOwn) addTotals(node.totals.own, added, sign);
    addTotals(node.totals.with_children, added, sign);
    if (node.kind === "subagent") isOwn = false;
  }
}

/** Filled anew for each use: a record per change was a tenth of all garbage (bench/builder.bench.ts). */
const scratch = emptyTotals();

function contributionOf(entry: Entry): Totals {
  const sums = scratch;
  clear(sums);
  const { node } = entry;
  switch (node.kind) {
    case "session":
      break;
    case "turn":
      sums.turns = 1;
      break;
    case "attempt":
      addAttempt(sums, node);
      break;
    case "tool":
      addTool(sums, node);
      break;
    case "approval":
      sums.approvals = 1;
      break;
    case "human_input":
      sums.human_inputs = 1;
      break;
    case "subagent":
      sums.subagents = 1;
      break;
  }
  return sums;
}

function clear(sums: MutableTotals): void {
  sums.turns = 0;
  sums.attempts = 0;
  sums.failed_attempts = 0;
  sums.tools = 0;
  sums.failed_tools = 0;
  sums.approvals = 0;
  sums.human_inputs = 0;
  sums.subagents = 0;
  sums.errors = 0;
  sums.input_tokens = 0;
  sums.cache_read_tokens = 0;
  sums.cache_write_tokens = 0;
  sums.output_tokens = 0;
  sums.reasoning_tokens = 0;
  sums.total_tokens = 0;
  sums.cost_nano = 0;
  sums.priced_attempts = 0;
  sums.unknown_cost_attempts = 0;
  sums.unknown_usage_attempts = 0;
  sums.partial_usage_attempts = 0;
  sums.unbilled_attempts = 0;
}

function addTool(sums: MutableTotals, node: ToolFields): void {
  sums.tools = 1;
  if (node.status !== "error" && node.status !== "timeout") return;
  sums.failed_tools = 1;
  sums.errors = 1;
}

function addAttempt(sums: MutableTotals, node: AttemptFields): void {
  sums.attempts = 1;
  if (node.status === "open") return;
  if (node.status === "error" || node.status === "timeout") {
    sums.failed_attempts = 1;
    sums.errors = 1;
  }
  if (node.from_cache) {
    sums.unbilled_attempts = 1;
    return;
  }
  addUsage(sums, node);
  if (node.cost.amount_nano !== null) {
    sums.priced_attempts = 1;
    sums.cost_nano = node.cost.amount_nano;
  } else if (node.cost.unknown_reason !== "rejected") {
    sums.unknown_cost_attempts = 1;
  }
}

function addUsage(sums: MutableTotals, node: AttemptFields): void {
  const { usage } = node;
  if (usage === null) {
    if (node.cost.unknown_reason !== "rejected") sums.unknown_usage_attempts = 1;
    return;
  }
  sums.input_tokens = usage.input_tokens ?? 0;
  sums.cache_read_tokens = usage.cache_read_tokens ?? 0;
  sums.cache_write_tokens = usage.cache_write_tokens ?? 0;
  sums.output_tokens = usage.output_tokens ?? 0;
  sums.reasoning_tokens = usage.reasoning_tokens ?? 0;
  sums.total_tokens = usage.total_tokens ?? 0;
  if (usage.partial) sums.partial_usage_attempts = 1;
}
