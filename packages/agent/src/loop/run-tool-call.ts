import type { ToolCallHistoryItem, ToolHandle } from "@hermes-observer/core";
import { toolCallHistoryItem } from "@hermes-observer/core";

import { raceAbort } from "../abort.ts";
import { isGranted } from "../approval/approval-gate.ts";
import type { ApprovalVerdict } from "../approval/approval-gate.ts";
import type { Danger, Tool, ToolArguments, ToolOutcome } from "../tools/tool.ts";
import { delegate } from "./delegate.ts";
import { argumentsProblem, interruptedOutcome } from "./open-tool-call.ts";
import type { OpenedCall } from "./open-tool-call.ts";
import { ToolDeadline } from "./tool-deadline.ts";
import type { TurnScope } from "./turn-scope.ts";

/** A call that has ended, and what its session remembers of it. */
export interface FinishedCall {
  readonly outcome: ToolOutcome;
  readonly item: ToolCallHistoryItem;
}

/**
 * Runs one announced call and closes it. What it gives back is what the model is told. Rejects only
 * with what a callback of the surface throws.
 */
export async function runToolCall(scope: TurnScope, opened: OpenedCall): Promise<FinishedCall> {
  const { call } = opened;
  const { ui } = scope.settings;
  const args = opened.kind === "ready" ? effectiveArguments(opened.handle) : opened.args;
  const view = { id: call.id, name: call.name, args: args ?? {} };
  ui.onToolStart?.(view, scope.speaker);
  const outcome =
    opened.kind === "rejected"
      ? opened.outcome
      : await runReady(scope, opened.tool, opened.handle, args);
  ui.onToolEnd?.(view, outcome, scope.speaker);
  const item = toolCallHistoryItem({
    tool_name: call.name,
    args: view.args,
    input_chars: call.input.length,
    output_chars: outcome.result.length,
    status: outcome.status === "ok" ? "ok" : "error",
  });
  return { outcome, item };
}

async function runReady(
  scope: TurnScope,
  tool: Tool,
  handle: ToolHandle,
  args: ToolArguments | undefined,
): Promise<ToolOutcome> {
  using _ = handle;
  const outcome = await permitted(scope, tool, handle, args);
  close(handle, outcome);
  // What the user stopped is not shown to the model again before the user says something.
  if (outcome.status === "cancelled") return outcome;
  return { ...outcome, result: await handle.transformResult(outcome.result) };
}

async function permitted(
  scope: TurnScope,
  tool: Tool,
  handle: ToolHandle,
  args: ToolArguments | undefined,
): Promise<ToolOutcome> {
  try {
    const { decision } = handle;
    if (scope.signal.aborted) return interruptedOutcome();
    if (decision.action === "block" || args === undefined) {
      const message = decision.action === "block" ? decision.message : "blocked";
      return {
        status: "blocked",
        result: `Blocked: ${message}`,
        errorType: "plugin_block",
        message,
      };
    }
    // A plugin may have changed the arguments into ones that do not fit any more.
    const problem = argumentsProblem(tool, args) ?? (await refusal(scope, tool, handle, args));
    return problem ?? (await execute(scope, tool, handle, args));
  } catch (error) {
    if (scope.signal.aborted) return interruptedOutcome();
    const message = error instanceof Error ? error.message : String(error);
    return { status: "error", result: `Error: ${message}`, errorType: "tool_error", message };
  }
}

/** Asks a human when the tool or a plugin wants it; the outcome when the answer is not a yes. */
async function refusal(
  scope: TurnScope,
  tool: Tool,
  handle: ToolHandle,
  args: ToolArguments,
): Promise<ToolOutcome | undefined> {
  const dangers = tool.dangers?.(args) ?? [];
  const rule = pluginRule(handle);
  const reasons = rule === undefined ? dangers : [rule, ...dangers];
  if (reasons.length === 0) return undefined;
  const command =
    dangers.length > 0 && tool.commandOf !== undefined
      ? tool.commandOf(args)
      : `${tool.name} (plugin approval rule)`;
  const request = {
    toolName: tool.name,
    command,
    description: reasons.map(({ description }) => description).join("; "),
    patternKeys: reasons.map(({ patternKey }) => patternKey),
  };
  const verdict = await scope.approvals.ask(handle, request, scope.signal);
  return isGranted(verdict) ? undefined : refused(verdict, scope.signal.aborted);
}

function pluginRule({ decision }: ToolHandle): Danger | undefined {
  if (decision.action !== "approve") return undefined;
  return {
    patternKey: `plugin_rule:${decision.rule_key ?? decision.plugin}`,
    description: decision.message ?? `the plugin ${decision.plugin} wants it approved`,
  };
}

function refused(verdict: ApprovalVerdict, isInterrupted: boolean): ToolOutcome {
  if (isInterrupted) return interruptedOutcome();
  if (verdict === "cancelled") {
    const message = "the question whether it may run was cancelled";
    return {
      status: "cancelled",
      result: `Cancelled: ${message}`,
      errorType: "approval_cancelled",
      message,
    };
  }
  const [errorType, message] =
    verdict === "timeout"
      ? ["approval_timeout", "nobody answered in time whether it may run; it did not run"]
      : verdict === "deny"
        ? ["approval_denied", "the user denied it; it did not run"]
        : [
            "approval_unavailable",
            "it needs an approval and nobody could be asked; it did not run",
          ];
  return { status: "blocked", result: `Blocked: ${message}`, errorType, message };
}

async function execute(
  scope: TurnScope,
  tool: Tool,
  handle: ToolHandle,
  args: ToolArguments,
): Promise<ToolOutcome> {
  const limitMs = tool.hasOwnDeadline === true ? undefined : scope.settings.limits.toolTimeoutMs;
  using deadline = new ToolDeadline(scope.signal, limitMs);
  const running = tool.run(args, {
    signal: deadline.signal,
    workspace: scope.settings.workspace,
    delegate: (task) => delegate(scope, handle, task, deadline.signal),
  });
  try {
    return await raceAbort(deadline.leftBehind, running);
  } catch (error) {
    if (!deadline.signal.aborted) throw error;
    if (!deadline.isTimeout) {
      const message = "interrupted while it ran";
      return {
        status: "cancelled",
        result: `Cancelled: ${message}`,
        errorType: "user_interrupt",
        message,
      };
    }
    const message = `stopped after ${(limitMs ?? 0) / 1000} s`;
    return { status: "timeout", result: `Error: ${message}`, errorType: "tool_timeout", message };
  }
}

function close(handle: ToolHandle, outcome: ToolOutcome): void {
  if (outcome.status === "ok") {
    handle.ok(outcome.result);
    return;
  }
  const { status, result, errorType: error_type, message } = outcome;
  handle[status]({ result, error_type, message });
}

function effectiveArguments({ decision }: ToolHandle): ToolArguments | undefined {
  return decision.action === "block" ? undefined : decision.args;
}
