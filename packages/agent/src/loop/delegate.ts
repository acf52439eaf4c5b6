import type { SubagentHandle, ToolHandle } from "@hermes-observer/core";

import type { DelegatedTask, ToolOutcome } from "../tools/tool.ts";
import type { TurnResult } from "./turn-result.ts";
import type { TurnScope } from "./turn-scope.ts";

/** Runs a child agent inside a tool call, from `subagent_start` to `subagent_stop`. */
export async function delegate(
  scope: TurnScope,
  tool: ToolHandle,
  { goal, role }: DelegatedTask,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const { limits } = scope.settings;
  const canDelegate =
    role === "orchestrator" && scope.speaker.depth + 1 < limits.maxDelegationDepth;
  const child_role = canDelegate ? "orchestrator" : "leaf";
  using handle = tool.startSubagent({ child_goal: goal, child_role });
  const child = scope.openChild({
    session_id: handle.child_session_id,
    subagent_id: handle.child_subagent_id,
    parent_session_id: scope.turn.session_id,
    canDelegate,
  });
  try {
    const result = await child.run(goal, signal);
    const summary = bounded(result.text, limits.maxSummaryChars);
    stop(handle, { status: statusOf(result), summary, result, history: child.toolCallHistory });
    return outcomeOf(result, summary);
  } catch (error) {
    handle.stop({
      child_status: "error",
      child_summary: null,
      child_exit_reason: "error",
      tool_call_history: child.toolCallHistory,
    });
    throw error;
  }
}

type ChildStatus = "completed" | "failed" | "interrupted";

function stop(
  handle: SubagentHandle,
  end: {
    readonly status: ChildStatus;
    readonly summary: string;
    readonly result: TurnResult;
    readonly history: Parameters<SubagentHandle["stop"]>[0]["tool_call_history"] & object;
  },
): void {
  handle.stop({
    child_status: end.status,
    child_summary: end.summary === "" ? null : end.summary,
    child_exit_reason: end.result.exitReason,
    tool_call_history: end.history,
    usage: end.result.usage,
  });
}

function statusOf(result: TurnResult): ChildStatus {
  if (result.interrupted) return "interrupted";
  return result.completed ? "completed" : "failed";
}

function outcomeOf(result: TurnResult, summary: string): ToolOutcome {
  if (result.completed) return { status: "ok", result: summary };
  const message = `the child ended without an answer: ${result.exitReason}`;
  return result.interrupted
    ? { status: "cancelled", result: `Cancelled: ${message}`, errorType: "user_interrupt", message }
    : { status: "error", result: `Error: ${message}`, errorType: "tool_error", message };
}

/** Three quarters of the room for the beginning, one for the end. */
function bounded(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const head = Math.floor(maxChars * 0.75);
  const tail = maxChars - head;
  const left = text.length - maxChars;
  return `${text.slice(0, head)}\n[cut: ${left} characters left out]\n${text.slice(-tail)}`;
}
