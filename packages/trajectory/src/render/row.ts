import type { TreeNode } from "../build-trajectory.ts";
import { cleanText } from "../clean-text.ts";
import type { AttemptNode } from "../node.ts";
import type { Totals } from "../totals.ts";
import { formatCount, formatDuration, formatMoney } from "./format.ts";
import type { Style } from "./style.ts";

/** What a line of the tree says, unpainted and safe to print. */
export interface Row {
  /** Kind and name. */
  readonly title: string;
  /** What a reader wants to know besides: how it failed, what it was about. */
  readonly note: string;
  readonly duration: string;
  readonly tokens: string;
  readonly cost: string;
}

/** The line of a node. */
export function rowOf(node: TreeNode, style: Style): Row {
  const [title, note] = wordsOf(node, style);
  const isOver = node.status !== "open";
  return {
    title: cleanText(title),
    note: cleanText(note),
    duration: isOver ? formatDuration(node.duration_ms) : "",
    ...amountsOf(node, style),
  };
}

/** Tokens in and out of sums; a question mark for what is not known. */
function tokensOf(totals: Totals, style: Style): string {
  if (totals.attempts === 0) return "";
  const isUnknown = totals.unknown_usage_attempts > 0;
  const known = totals.input_tokens + totals.output_tokens;
  if (known === 0 && isUnknown) return "?";
  const sum = `${formatCount(totals.input_tokens)}${style.arrow}${formatCount(totals.output_tokens)}`;
  return isUnknown ? `${sum}+?` : sum;
}

/** Cost of sums; a question mark for what is not known. */
export function costOf(totals: Totals, currency: string | null): string {
  if (totals.attempts === 0 || (totals.priced_attempts === 0 && totals.unbilled_attempts > 0))
    return "";
  if (totals.cost === null) return "?";
  if (totals.priced_attempts === 0) return "";
  const sum = formatMoney(totals.cost, currency);
  return totals.unknown_cost_attempts > 0 ? `${sum}+?` : sum;
}

function amountsOf(node: TreeNode, style: Style): { tokens: string; cost: string } {
  if (node.kind === "attempt") return attemptAmounts(node, style);
  if (!("totals" in node)) return { tokens: "", cost: "" };
  const totals = node.totals.with_children;
  return { tokens: tokensOf(totals, style), cost: costOf(totals, style.currency) };
}

function attemptAmounts(node: AttemptNode, style: Style): { tokens: string; cost: string } {
  if (node.status === "open") return { tokens: "", cost: "" };
  if (node.from_cache) return { tokens: "cached", cost: formatMoney(0, node.cost.currency) };
  const isRejected = node.cost.unknown_reason === "rejected";
  const unknown = isRejected ? style.none : "?";
  return {
    tokens: node.usage === null ? unknown : attemptTokens(node, style),
    cost: node.cost.amount === null ? unknown : formatMoney(node.cost.amount, node.cost.currency),
  };
}

function attemptTokens({ usage }: AttemptNode, style: Style): string {
  const { input_tokens: input, output_tokens: output } = usage ?? {};
  const count = (tokens: number | null | undefined): string =>
    tokens === null || tokens === undefined ? "?" : formatCount(tokens);
  return `${count(input)}${style.arrow}${count(output)}${usage?.partial === true ? style.ellipsis : ""}`;
}

function wordsOf(node: TreeNode, style: Style): readonly [title: string, note: string] {
  switch (node.kind) {
    case "session":
      return sessionWords(node, style);
    case "turn":
      return [
        node.name,
        joined([quoted(node.prompt_preview, style), stateOf(node, node.exit_reason)]),
      ];
    case "attempt":
      return [`model ${modelOf(node)}`, attemptNote(node)];
    case "tool":
      return [`tool ${node.name}`, joined([node.input_preview, failureOf(node)])];
    case "approval":
      return [
        `approval ${node.name}`,
        joined([
          answer(node.choice, node.status),
          node.surface && `(${node.surface})`,
          node.command_preview,
        ]),
      ];
    case "human_input":
      return [`human ${node.name}`, answer(node.outcome, node.status)];
    case "subagent":
      return [
        `child ${node.name}`,
        joined([quoted(node.goal_preview, style), stateOf(node, node.exit_reason || node.outcome)]),
      ];
  }
}

function sessionWords(
  node: TreeNode & { readonly kind: "session" },
  style: Style,
): readonly [title: string, note: string] {
  if (node.unattributed) return ["unattributed events", ""];
  const from = node.previous_session_id === null ? "" : `continues ${node.previous_session_id}`;
  const words = [node.platform, node.model, from].filter((word) => word !== "");
  const state = node.status === "ok" ? "" : node.status;
  return [`session ${node.name}`, joined([words.join(` ${style.dot} `), state])];
}

function modelOf(node: AttemptNode): string {
  const model = node.provider === "" ? node.name : `${node.provider}/${node.name}`;
  return node.attempt === 0 ? model : `${model} (retry ${node.attempt})`;
}

function attemptNote(node: AttemptNode): string {
  if (node.status === "ok") return node.finish_reason === "length" ? "cut at max_tokens" : "";
  const state = node.status === "error" || node.status === node.reason ? "" : node.status;
  const code = node.status_code === null ? "" : String(node.status_code);
  const what = joined([state, code, node.reason || (node.error?.type ?? "")], " ");
  return joined([what, node.error?.message ?? ""], ": ") || node.status;
}

function failureOf(node: TreeNode & { readonly kind: "tool" }): string {
  if (node.status === "ok") return "";
  return joined([node.status, node.error?.message ?? node.error?.type ?? ""], ": ");
}

function stateOf(node: TreeNode, reason: string): string {
  return node.status === "ok"
    ? ""
    : joined([node.status, reason === node.status ? "" : reason], ": ");
}

function answer(given: string, status: string): string {
  return given === "" ? status : given;
}

function quoted(text: string, style: Style): string {
  return text === "" ? "" : `${style.quote[0]}${text}${style.quote[1]}`;
}

function joined(words: readonly string[], separator = "  "): string {
  return words.filter((word) => word !== "").join(separator);
}
