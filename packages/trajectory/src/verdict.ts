import type { CapabilityRow } from "@hermes-observer/core";
import type { BuilderCounters } from "./builder-options.ts";
import type { Trajectory, TreeNode } from "./build-trajectory.ts";
import { deviationRules } from "./deviation.ts";
import type { Deviation, DeviationCode } from "./deviation.ts";
import type { NodeKind } from "./node.ts";

/** What is known of who writes the record: running, closed in order, gone, or nothing. */
export type WriterState = "alive" | "closed" | "dead" | "unknown";

/** Something that the keeper of the record found wrong with it (a gap, a broken chain, a torn line). */
export interface RecordProblem {
  readonly code: string;
  readonly message: string;
  readonly event_id?: string;
}

/** What a verdict is based on besides the trajectory. */
export interface VerdictOptions {
  readonly writer: WriterState;
  /** What the producer can fire; without it, the row that `on_session_start` carries, if it does. */
  readonly capabilities?: CapabilityRow;
  readonly problems?: readonly RecordProblem[];
}

/** One reason: a deviation's code, a problem's code, or one of the verdict's own. */
export interface VerdictReason {
  readonly code: string;
  readonly node_id?: string;
  readonly event_id?: string;
  readonly message: string;
}

/** Whether the record tells the whole story. */
export interface Verdict {
  readonly verdict: "complete" | "running" | "incomplete";
  /** Why it is not complete; while it is running, what is open and what has already gone wrong. */
  readonly reasons: readonly VerdictReason[];
  /** What is odd but leaves nothing out. */
  readonly notices: readonly VerdictReason[];
}

/**
 * Judges a trajectory.
 *
 * `complete`: every node was closed by an event of its own and nothing deviates; a session needs a finalize only if
 * its producer says that it always fires one, and a start only if its first turn was seen. `running`: the writer lives
 * and something is open. Else `incomplete`, with every reason by name.
 *
 * Not knowable, and so without effect: a missing `on_session_finalize` or `transform_*` of a producer that does not
 * promise one for each; a missing event of an unknown hook; a whole turn, call or attempt of which no event is left;
 * events that changed places, when they have equal times and ids that do not count, or belong to two sessions.
 */
export function verdict(trajectory: Trajectory, options: VerdictOptions): Verdict {
  const judgement = new Judgement(options.capabilities ?? rowOf(trajectory.roots));
  for (const problem of options.problems ?? []) {
    judgement.reasons.push({
      code: problem.code,
      message: problem.message,
      ...(problem.event_id === undefined ? {} : { event_id: problem.event_id }),
    });
  }
  judgement.judgeCounters(trajectory.counters);
  const waiting = trajectory.roots.toReversed();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    judgement.judge(node, options.writer);
    waiting.push(...node.children.toReversed());
  }
  const { reasons, notices } = judgement;
  if (options.writer === "alive" && judgement.hasOpen)
    return { verdict: "running", reasons, notices };
  return { verdict: reasons.length === 0 ? "complete" : "incomplete", reasons, notices };
}

/** Start and end hook of each kind, to know which a producer never fires. */
const hooks: Readonly<Record<NodeKind, { readonly start: string; readonly end: string }>> = {
  session: { start: "on_session_start", end: "on_session_finalize" },
  turn: { start: "pre_llm_call", end: "on_session_end" },
  attempt: { start: "pre_api_request", end: "post_api_request" },
  tool: { start: "pre_tool_call", end: "post_tool_call" },
  approval: { start: "pre_approval_request", end: "post_approval_response" },
  human_input: { start: "on_human_input_request", end: "on_human_input_resolved" },
  subagent: { start: "subagent_start", end: "subagent_stop" },
};

class Judgement {
  readonly reasons: VerdictReason[] = [];
  readonly notices: VerdictReason[] = [];
  hasOpen = false;
  readonly #row: CapabilityRow;

  constructor(row: CapabilityRow) {
    this.#row = row;
  }

  judgeCounters(counters: BuilderCounters): void {
    if (counters.events === 0) this.#own("no_events", "There is no event to judge.");
    if (counters.invalid_events > 0) {
      this.#own("invalid_event", `${counters.invalid_events} events could not be read.`);
    }
    if (counters.lost_events > 0) {
      this.#own("gap", `${counters.lost_events} events were dropped before they got here.`);
    }
    if (counters.unplaced_events > 0) {
      this.notices.push({
        code: "unknown_hook",
        message: `${counters.unplaced_events} events of hooks outside the contract name no session.`,
      });
    }
  }

  judge(node: TreeNode, writer: WriterState): void {
    if (node.status === "open") this.#judgeOpen(node, writer);
    for (const deviation of node.deviations) this.#judgeDeviation(node, deviation);
    if (node.kind === "session") this.#judgeSession(node);
    if (node.kind === "turn") this.#judgeTurn(node);
    if (node.kind === "tool") this.#judgeTool(node);
  }

  #judgeOpen(node: TreeNode, writer: WriterState): void {
    this.hasOpen = true;
    if (node.kind === "session" && writer !== "alive") return; // sessions need no end of their own
    if (this.#row[hooks[node.kind].end] === "never") return;
    this.#reason(node, "not_closed", `${label(node)} is open.`);
  }

  #judgeDeviation(node: TreeNode, deviation: Deviation): void {
    const { code } = deviation;
    const message = sentenceOf(node, deviation);
    const list = this.#isDefect(node, code) ? this.reasons : this.notices;
    list.push({
      code,
      node_id: node.id,
      ...(deviation.event_id === null ? {} : { event_id: deviation.event_id }),
      message,
    });
  }

  #isDefect(node: TreeNode, code: DeviationCode): boolean {
    if (deviationRules[code].severity === "notice") return false;
    const { start, end } = hooks[node.kind];
    if (code === "start_without_end") return this.#row[end] !== "never";
    if (code === "end_without_start") return this.#row[start] !== "never";
    if (code !== "parent_not_observed") return true;
    return node.kind === "turn" && this.#isPromised(start);
  }

  #judgeSession(node: TreeNode & { readonly kind: "session" }): void {
    if (!node.start_observed && node.first_turn_observed && this.#isPromised("on_session_start")) {
      this.#reason(node, "start_not_observed", `${label(node)} has its first turn, but no start.`);
    }
    if (this.#row["on_session_finalize"] !== "full" || node.unattributed) return;
    if (node.closed_by === "event") return;
    this.#reason(node, "finalize_not_observed", `${label(node)} was not finalized.`);
  }

  #judgeTurn(node: TreeNode & { readonly kind: "turn" }): void {
    if (node.completed !== true) return;
    const what = `${label(node)} is completed, but`;
    if (!node.answered && this.#isPromised("post_llm_call")) {
      this.#reason(node, "answer_not_observed", `${what} its answer was not seen.`);
    }
    if (!node.output_transformed && this.#row["transform_llm_output"] === "full") {
      this.#reason(node, "transform_not_observed", `${what} transform_llm_output was not seen.`);
    }
  }

  /** The result of a call that ran goes to the model, and so through the transform. */
  #judgeTool(node: TreeNode & { readonly kind: "tool" }): void {
    if (this.#row["transform_tool_result"] !== "full") return;
    const hasRun = node.status === "ok" || node.status === "error" || node.status === "timeout";
    if (!hasRun || node.started_at === null || node.result_transformed) return;
    const what = `${label(node)} has a result, but transform_tool_result was not seen.`;
    this.#reason(node, "transform_not_observed", what);
  }

  /** A hook that a producer does not list fires as the contract says. */
  #isPromised(hook: string): boolean {
    return this.#row[hook] !== "never" && this.#row[hook] !== "partial";
  }

  #reason(node: TreeNode, code: string, message: string): void {
    const event = node.closed_by_event ?? node.opened_by_event;
    this.reasons.push({
      code,
      node_id: node.id,
      ...(event === null ? {} : { event_id: event }),
      message,
    });
  }

  #own(code: string, message: string): void {
    this.reasons.push({ code, message });
  }
}

function rowOf(roots: readonly TreeNode[]): CapabilityRow {
  for (const root of roots) {
    if (root.kind !== "session") continue;
    const row: unknown = root.producer?.capabilities;
    if (typeof row === "object" && row !== null) return row as CapabilityRow; // read by hook, compared by value
  }
  return {};
}

function sentenceOf(node: TreeNode, deviation: Deviation): string {
  const detail = deviation.detail === null ? "" : ` (${deviation.detail})`;
  const times = deviation.count > 1 ? ` ×${deviation.count}` : "";
  return `${label(node)}: ${deviationRules[deviation.code].sentence}${detail}${times}`;
}

/** What a node is called in a sentence; text from the payload, to be cleaned before it is shown. */
function label(node: TreeNode): string {
  switch (node.kind) {
    case "session":
      return node.unattributed ? "Unattributed events" : `Session ${node.name}`;
    case "turn":
      return `Turn ${node.index}`;
    case "attempt":
      return `Attempt ${node.attempt + 1} at ${node.name}`;
    case "tool":
      return `Tool ${node.name}`;
    case "approval":
      return `Approval ${node.name}`;
    case "human_input":
      return `Human input ${node.name}`;
    case "subagent":
      return `Child ${node.name}`;
  }
}
