import type { Trajectory } from "../build-trajectory.ts";
import { cleanText } from "../clean-text.ts";
import type { Totals } from "../totals.ts";
import type { Verdict } from "../verdict.ts";
import { fit, wrap } from "./cells.ts";
import { formatCount, formatMoney, plural } from "./format.ts";
import { costOf } from "./row.ts";
import type { Style } from "./style.ts";

const maxShownReasons = 8;

/** What it all came to, wrapped to the width. */
export function totalsLines(
  trajectory: Trajectory,
  style: Style,
  width: number,
): readonly string[] {
  const totals = trajectory.totals.with_children;
  const parts = [
    plural(totals.turns, "turn"),
    withFailures(plural(totals.attempts, "attempt"), totals.failed_attempts),
    withFailures(plural(totals.tools, "tool call"), totals.failed_tools),
    totals.approvals > 0 ? plural(totals.approvals, "approval") : "",
    totals.human_inputs > 0 ? plural(totals.human_inputs, "human input") : "",
    totals.subagents > 0 ? plural(totals.subagents, "child agent") : "",
    tokens(totals),
    cost(totals, style),
  ].filter((part) => part !== "");
  const phrases = parts.map((part, i) => (i < parts.length - 1 ? `${part} ${style.dot}` : part));
  return wrap(phrases, width, style.ellipsis).map((line) => style.paint(line, "bold"));
}

/** Whether the record tells the whole story, and what stands against it. */
export function verdictLines(verdict: Verdict, style: Style, width: number): readonly string[] {
  const { reasons, notices } = verdict;
  const tone = ({ complete: "good", running: "active", incomplete: "bad" } as const)[
    verdict.verdict
  ];
  const glyph = style.glyph(
    ({ complete: "ok", running: "open", incomplete: "error" } as const)[verdict.verdict],
  );
  const counts = [
    reasons.length > 0 ? plural(reasons.length, "reason") : "",
    notices.length > 0 ? plural(notices.length, "notice") : "",
  ].filter((count) => count !== "");
  const head = [`${glyph} ${verdict.verdict}`, ...counts].join(` ${style.dot} `);
  const lines = [style.paint(fit(head, width, style.ellipsis), tone)];
  for (const reason of reasons.slice(0, maxShownReasons)) {
    lines.push(fit(cleanText(`  ${reason.code}: ${reason.message}`), width, style.ellipsis));
  }
  const more = reasons.length - maxShownReasons;
  if (more > 0) lines.push(style.paint(fit(`  ${more} more`, width, style.ellipsis), "dim"));
  return lines;
}

function withFailures(text: string, failed: number): string {
  return failed === 0 ? text : `${text} (${failed} failed)`;
}

function tokens(totals: Totals): string {
  if (totals.attempts === 0) return "";
  const cached =
    totals.cache_read_tokens > 0 ? ` (${formatCount(totals.cache_read_tokens)} cached)` : "";
  const unknown =
    totals.unknown_usage_attempts > 0 ? `, ${totals.unknown_usage_attempts} unreported` : "";
  return `${formatCount(totals.input_tokens)} tokens in${cached}, ${formatCount(totals.output_tokens)} out${unknown}`;
}

function cost(totals: Totals, style: Style): string {
  const unknown = totals.unknown_cost_attempts;
  const known = costOf(totals, style.currency);
  if (known === "") return "";
  if (unknown === 0) return known;
  const attempts = plural(unknown, "attempt");
  if (totals.cost === null) return `cost unknown (${attempts} without a price or usage)`;
  return `${formatMoney(totals.cost, style.currency)} + ${attempts} of unknown cost`;
}
