import { openJournal } from "@hermes-observer/journal";
import type { Journal, SessionSummary } from "@hermes-observer/journal";
import { cleanText, nodesOf } from "@hermes-observer/trajectory";
import type { PriceTable, TreeNode } from "@hermes-observer/trajectory";
import type { Arguments, CommandContext } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { journalFolder } from "../journal-folder.ts";
import { loadSession } from "../load-session.ts";
import type { LoadedSession } from "../load-session.ts";
import { wholeNumber } from "../parse.ts";
import { priceTable } from "../prices.ts";
import { table } from "../table.ts";

/** One session in the list; the fields of `sessions --json`. */
interface Row {
  readonly session_id: string;
  readonly verdict: string;
  /** Epoch seconds. */
  readonly started_at: number | null;
  readonly duration_ms: number | null;
  readonly platform: string;
  readonly model: string;
  readonly first_message: string;
  readonly turns: number;
  readonly tools: number;
  readonly errors: number;
  readonly total_tokens: number;
  /** In `currency`; null when no attempt has a known price. */
  readonly cost: number | null;
  readonly currency: string | null;
  readonly bytes: number;
}

/** `sessions`: what was recorded, newest first. */
export async function sessions(args: Arguments, context: CommandContext): Promise<number> {
  const { output } = context;
  const folder = journalFolder(args, context);
  const limit = wholeNumber(args, "limit", 1) ?? 20;
  const prices = priceTable(args, context);
  const journal = openJournal(folder);
  const summaries = [...journal.sessions()].sort((a, b) => (b.startedAt ?? 0) - (a.startedAt ?? 0));
  const rows: Row[] = [];
  let children = 0;
  for (const summary of summaries) {
    if (rows.length >= limit) break;
    output.progress(
      `reading ${rows.length + 1} of ${Math.min(limit, summaries.length)} sessions …`,
    );
    const row = rowOf(summary, journal, prices);
    if (row.platform === "subagent" && !args.flag("all")) children += 1;
    else rows.push(row);
  }
  if (args.flag("json")) {
    output.json({
      journal: folder,
      total: summaries.length,
      shown: rows.length,
      children_left_out: children,
      sessions: rows,
    });
    return exitCodes.ok;
  }
  if (rows.length === 0) {
    output.line(`no sessions in ${cleanText(folder)}; hermes-observer demo records one`);
    return exitCodes.ok;
  }
  output.write(`${table(header, rows.map(cells), output.width)}\n`);
  const left = children === 0 ? "" : `, ${children} of delegated children left out (--all)`;
  output.line(`${rows.length} of ${summaries.length} sessions${left}, in ${cleanText(folder)}`);
  return exitCodes.ok;
}

const header = [
  "session",
  "verdict",
  "started",
  "took",
  "turns",
  "tools",
  "errors",
  "tokens",
  "cost",
  "first message",
];

function cells(row: Row): string[] {
  const started =
    row.started_at === null
      ? "?"
      : new Date(row.started_at * 1000).toISOString().slice(0, 19).replace("T", " ");
  const cost =
    row.cost === null ? "unknown" : `${row.cost.toFixed(4)} ${row.currency ?? ""}`.trim();
  return [
    row.session_id === "" ? "(no session id)" : row.session_id,
    row.verdict,
    started,
    row.duration_ms === null ? "?" : `${(row.duration_ms / 1000).toFixed(1)} s`,
    String(row.turns),
    String(row.tools),
    String(row.errors),
    String(row.total_tokens),
    cost,
    row.first_message,
  ];
}

function rowOf(summary: SessionSummary, journal: Journal, prices: PriceTable): Row {
  const sessionId = summary.sessionId ?? summary.hash;
  const loaded = loadSession(journal, sessionId, { summary, prices });
  const session = sessionNode(loaded, sessionId);
  const { turns, tools, errors, total_tokens, cost } = (session ?? loaded.trajectory).totals
    .with_children;
  return {
    session_id: sessionId,
    verdict: loaded.verdict.verdict,
    started_at: session?.started_at ?? summary.startedAt,
    duration_ms: session?.duration_ms ?? null,
    platform: session?.platform ?? "",
    model: session?.model ?? "",
    first_message: firstMessage(session),
    turns,
    tools,
    errors,
    total_tokens,
    cost,
    currency: loaded.trajectory.currency,
    bytes: summary.bytes,
  };
}

type SessionTree = Extract<TreeNode, { kind: "session" }>;

function sessionNode(loaded: LoadedSession, sessionId: string): SessionTree | undefined {
  for (const node of nodesOf(loaded.trajectory)) {
    if (node.kind === "session" && node.session_id === sessionId) return node;
  }
  return undefined;
}

function firstMessage(session: SessionTree | undefined): string {
  const turn = session?.children.find((node) => node.kind === "turn");
  return turn?.kind === "turn" ? turn.prompt_preview : "";
}
