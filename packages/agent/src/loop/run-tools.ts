import type { LanguageModelV4Message } from "@ai-sdk/provider";

import type { ToolCallHistoryItem } from "@hermes-observer/core";

import type { RequestedToolCall } from "../model/reply.ts";
import type { ToolOutcome } from "../tools/tool.ts";
import { openToolCall } from "./open-tool-call.ts";
import type { OpenedCall } from "./open-tool-call.ts";
import { runToolCall } from "./run-tool-call.ts";
import type { TurnScope } from "./turn-scope.ts";

type ToolMessage = Extract<LanguageModelV4Message, { role: "tool" }>;

/**
 * Runs the tool calls of one answer: each is announced in the order of the calls before any runs, they run side by
 * side up to the limit, and their results are appended in the order of the calls.
 */
export async function runTools(
  scope: TurnScope,
  calls: readonly RequestedToolCall[],
  api_request_id: string,
): Promise<void> {
  const opened: OpenedCall[] = [];
  for (const call of calls) opened.push(await openToolCall(scope, call, api_request_id));

  const results = opened.map(({ call }) => resultOf(call, leftWithoutResult));
  const history: ToolCallHistoryItem[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < opened.length; index = next++) {
      // The index was checked above.
      const current = opened[index] as OpenedCall;
      const { outcome, item } = await runToolCall(scope, current);
      results[index] = resultOf(current.call, outcome);
      history[index] = item;
    }
  };
  const workers = Math.min(opened.length, Math.max(1, scope.settings.limits.maxParallelTools));
  const ends = await Promise.allSettled(Array.from({ length: workers }, worker));
  // Every call has its result also when a surface's callback threw: no provider takes a history without it.
  scope.conversation.add({ role: "tool", content: results });
  scope.toolCallHistory.push(...history.flat());
  const thrown = ends.find((end) => end.status === "rejected");
  if (thrown !== undefined) throw thrown.reason;
}

const leftWithoutResult: ToolOutcome = {
  status: "error",
  result: "Error: the call was left without a result",
  errorType: "tool_interrupted",
  message: "left without a result",
};

function resultOf(call: RequestedToolCall, outcome: ToolOutcome): ToolMessage["content"][number] {
  return {
    type: "tool-result",
    toolCallId: call.id,
    toolName: call.name,
    output: { type: outcome.status === "ok" ? "text" : "error-text", value: outcome.result },
  };
}
