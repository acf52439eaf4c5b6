import type { ApproveToolCall, DecisionReturns } from "../contract/decisions.ts";
import type { ObserverEvents } from "../contract/events.ts";
import { within } from "./closing.ts";
import type { Entry } from "./entry.ts";
import type { Hooks } from "./hooks.ts";

/** What the deciders of `pre_tool_call` say together: block beats approve, approve beats running. */
export type ToolDecision =
  | { readonly action: "run"; readonly args: Record<string, unknown> }
  | { readonly action: "block"; readonly message: string; readonly plugin: string }
  | {
      readonly action: "approve";
      readonly args: Record<string, unknown>;
      readonly message: string | undefined;
      readonly rule_key: string | undefined;
      readonly plugin: string;
    };

type Approval = Omit<Extract<ToolDecision, { action: "approve" }>, "args">;
type Answer = { readonly isFailed: boolean; readonly value: unknown };

const DEFAULT_TIMEOUT_MS = 30_000;
const failed: Answer = { isFailed: true, value: undefined };

/**
 * Asks the deciders of `pre_tool_call`, one after the other; each sees the arguments as the ones before it left
 * them. `modify` answers merge key by key, later ones win; the first block ends the asking.
 *
 * **Contract:** deciders get a private copy of the real values. A throw, a rejection, a timeout and an invalid
 * answer have one outcome: no opinion, or a block for a decider registered with `onFailure: "block"`. Never rejects.
 */
export async function decideToolCall(
  hooks: Hooks,
  call: ObserverEvents["pre_tool_call"] & { readonly args: Record<string, unknown> },
): Promise<ToolDecision> {
  let args = call.args;
  let approve: Approval | undefined;
  for (const entry of hooks.decidersOf("pre_tool_call")) {
    const plugin = entry.plugin.name;
    const answer = await ask(hooks, entry, { ...call, args }, readToolAnswer);
    if (answer.isFailed && entry.options?.onFailure === "block") return guardFailed(plugin);
    const said = answer.value as DecisionReturns["pre_tool_call"] | undefined;
    if (said === undefined) continue;
    if (said.action === "block") return { action: "block", message: said.message, plugin };
    if (said.action === "modify") args = { ...args, ...said.args };
    else approve ??= approvalOf(said, plugin);
  }
  return approve === undefined ? { action: "run", args } : { ...approve, args };
}

/** Asks the deciders of `pre_llm_call`: their contexts in order of registration, joined by a blank line. Never rejects. */
export async function decideContext(
  hooks: Hooks,
  turn: ObserverEvents["pre_llm_call"],
): Promise<string | undefined> {
  const contexts: string[] = [];
  for (const entry of hooks.decidersOf("pre_llm_call")) {
    const answer = await ask(hooks, entry, turn, readContext);
    if (typeof answer.value === "string" && answer.value !== "") contexts.push(answer.value);
  }
  return contexts.length === 0 ? undefined : contexts.join("\n\n");
}

/** Asks the deciders of a `transform_` hook: the first replacement wins; `undefined` = keep the text. Never rejects. */
export async function decideText<Name extends "transform_tool_result" | "transform_llm_output">(
  hooks: Hooks,
  name: Name,
  event: ObserverEvents[Name],
): Promise<string | undefined> {
  const read = name === "transform_llm_output" ? readNonEmptyText : readText;
  for (const entry of hooks.decidersOf(name)) {
    const answer = await ask(hooks, entry, event, read);
    if (typeof answer.value === "string") return answer.value;
  }
  return undefined;
}

function guardFailed(plugin: string): ToolDecision {
  return {
    action: "block",
    message: `the guard "${plugin}" failed, so the call is blocked`,
    plugin,
  };
}

function approvalOf(said: ApproveToolCall, plugin: string): Approval {
  return { action: "approve", message: said.message, rule_key: said.rule_key, plugin };
}

/** One question to one decider, with its deadline. `read` throws on an answer that it cannot honour. */
async function ask(
  hooks: Hooks,
  entry: Entry,
  event: object,
  read: (value: unknown) => unknown,
): Promise<Answer> {
  const timeoutMs = entry.options?.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  let kind: "threw" | "rejected" | "invalid_decision" = "threw";
  try {
    const decider = entry.callback as (event: unknown) => unknown;
    const returned = decider(privateCopy(event));
    kind = "rejected";
    let value: unknown;
    const work = Promise.resolve(returned).then((resolved: unknown) => (value = resolved));
    if (!(await within(work, timeoutMs))) {
      work.catch(() => {}); // it was given up on; its rejection has nobody left to reach
      hooks.fault(entry, "timeout", `no answer within ${timeoutMs} ms`);
      return failed;
    }
    kind = "invalid_decision";
    const answer = value === undefined || value === null ? undefined : read(value);
    entry.plugin.faultsInARow = 0;
    return { isFailed: false, value: answer };
  } catch (error) {
    hooks.fault(entry, kind, error);
    return failed;
  }
}

/** What a decider may change without anybody noticing. Functions, which no clone takes, are left out. */
function privateCopy(event: object): unknown {
  try {
    return structuredClone(event);
  } catch {
    // An object that cannot be cloned as it is (a function in it, say) can still be told as JSON.
    return JSON.parse(JSON.stringify(event));
  }
}

function readToolAnswer(value: unknown): DecisionReturns["pre_tool_call"] {
  const { action, message, args, rule_key } = value as { [key: string]: unknown };
  if (action === "block" && typeof message === "string" && message !== "")
    return { action, message };
  if (action === "modify" && isRecord(args)) {
    return { action, args: structuredClone(args) };
  }
  if (action === "approve") {
    return {
      action,
      ...(typeof message === "string" ? { message } : {}),
      ...(typeof rule_key === "string" ? { rule_key } : {}),
    };
  }
  throw new TypeError(
    'expected { action: "block", message } or { action: "modify", args } or { action: "approve" }',
  );
}

function readContext(value: unknown): string {
  const context = isRecord(value) ? value["context"] : value;
  if (typeof context === "string") return context;
  throw new TypeError("expected a string or { context: string }");
}

function readText(value: unknown): string {
  if (typeof value === "string") return value;
  throw new TypeError(`expected a string, got ${typeof value}`);
}

function readNonEmptyText(value: unknown): string {
  const text = readText(value);
  if (text !== "") return text;
  throw new TypeError("expected a string that is not empty");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
