import { statSync } from "node:fs";
import { resolve } from "node:path";
import { AgentError, createModel } from "@hermes-observer/agent";
import type { AgentModel, ApprovalChoice, ApprovalRequest } from "@hermes-observer/agent";
import { cleanText } from "@hermes-observer/trajectory";
import { askApproval } from "../ask-approval.ts";
import { CliError } from "../cli-error.ts";
import type { Arguments, CommandContext } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { liveView } from "../live-view.ts";
import { oneOf, wholeNumber } from "../parse.ts";
import { runAgent } from "../run-agent.ts";

/** `run TASK`: the agent with a real model, recorded. */
export async function run(args: Arguments, context: CommandContext): Promise<number> {
  const { output } = context;
  const model = modelFrom(args, context);
  const workspace = workspaceFrom(args);
  const maxSteps = wholeNumber(args, "max-steps", 1);
  const isJson = args.flag("json");
  return runAgent(
    {
      task: args.positionals[0] ?? "",
      model,
      workspace,
      isStreaming: !args.flag("no-stream"),
      ...(maxSteps === undefined ? {} : { limits: { maxSteps } }),
      ui: {
        ...liveView(output, (text) => {
          if (!isJson) output.write(cleanText(text, { lines: "keep" }));
        }),
        askApproval: approver(args),
      },
    },
    args,
    context,
  );
}

function approver(
  args: Arguments,
): (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalChoice> {
  const choice = oneOf(args, "approve", ["ask", "deny", "once", "session"] as const);
  if (choice === "ask" || (choice === undefined && process.stdin.isTTY)) return askApproval;
  return () => Promise.resolve(choice ?? "deny");
}

function modelFrom(args: Arguments, { env }: CommandContext): AgentModel {
  const model = args.text("model");
  const baseUrl = args.text("base-url");
  if (model === undefined) {
    throw new CliError(
      "run needs a model: --model openai/NAME or anthropic/NAME, or --base-url URL --model NAME; " +
        "hermes-observer demo needs none",
      exitCodes.usage,
    );
  }
  try {
    return createModel({ model, env, ...(baseUrl === undefined ? {} : { baseUrl }) });
  } catch (error) {
    if (!AgentError.isInstance(error)) throw error;
    throw new CliError(error.message, exitCodes.usage);
  }
}

function workspaceFrom(args: Arguments): string {
  const workspace = resolve(args.text("workspace") ?? ".");
  if (statSync(workspace, { throwIfNoEntry: false })?.isDirectory() === true) return workspace;
  throw new CliError(`--workspace "${workspace}" is no folder; make it first`, exitCodes.usage);
}
