import type { ToolHandle } from "@hermes-observer/core";

import { parseObject } from "../model/reply.ts";
import type { RequestedToolCall } from "../model/reply.ts";
import type { Tool, ToolArguments, ToolOutcome } from "../tools/tool.ts";
import { validateArguments } from "../tools/validate-arguments.ts";
import type { TurnScope } from "./turn-scope.ts";

/** A call that was announced: either it can run, or it has its outcome already. */
export type OpenedCall =
  | {
      readonly kind: "ready";
      readonly call: RequestedToolCall;
      readonly tool: Tool;
      readonly handle: ToolHandle;
    }
  | {
      readonly kind: "rejected";
      readonly call: RequestedToolCall;
      readonly args: ToolArguments;
      readonly outcome: Exclude<ToolOutcome, { status: "ok" }>;
    };

/** Announces a call, or rejects one that cannot run: unknown tool, bad arguments, a turn that was interrupted. */
export async function openToolCall(
  scope: TurnScope,
  call: RequestedToolCall,
  api_request_id: string,
): Promise<OpenedCall> {
  const tool = scope.tools.get(call.name);
  const args = parseObject(call.input);
  const common = { tool_name: call.name, tool_call_id: call.id, api_request_id, args: args ?? {} };
  const outcome = rejection(scope, call, tool, args);
  if (outcome !== undefined || tool === undefined) {
    const rejected = outcome ?? unknownTool(scope, call.name);
    scope.turn.rejectToolCall({
      ...common,
      status: rejected.status,
      result: rejected.result,
      error_type: rejected.errorType,
      error_message: rejected.message,
    });
    return { kind: "rejected", call, args: common.args, outcome: rejected };
  }
  return { kind: "ready", call, tool, handle: await scope.turn.startToolCall(common) };
}

/** The outcome of arguments that do not fit, or `undefined` when they do. */
export function argumentsProblem(tool: Tool, args: ToolArguments): Rejection | undefined {
  const problems = validateArguments(tool.parameters, args);
  return problems.length === 0 ? undefined : failed("invalid_tool_arguments", problems.join("; "));
}

/** What a call ends with that was interrupted before it ran. */
export function interruptedOutcome(): Rejection {
  const message = "interrupted before it ran";
  return {
    status: "cancelled",
    result: `Cancelled: ${message}`,
    errorType: "user_interrupt",
    message,
  };
}

type Rejection = Exclude<ToolOutcome, { status: "ok" }>;

function rejection(
  scope: TurnScope,
  call: RequestedToolCall,
  tool: Tool | undefined,
  args: ToolArguments | undefined,
): Rejection | undefined {
  if (scope.signal.aborted) return interruptedOutcome();
  if (tool === undefined) return unknownTool(scope, call.name);
  if (args === undefined)
    return failed("invalid_tool_arguments", "the arguments are not a JSON object");
  return argumentsProblem(tool, args);
}

function unknownTool(scope: TurnScope, name: string): Rejection {
  const known = [...scope.tools.keys()].join(", ");
  return failed("unknown_tool", `there is no tool "${name}"; there are ${known}`);
}

function failed(errorType: string, message: string): Rejection {
  return { status: "error", result: `Error: ${message}`, errorType, message };
}
