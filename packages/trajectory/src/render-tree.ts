import type { Trajectory, TreeNode } from "./build-trajectory.ts";
import { cleanText } from "./clean-text.ts";
import { deviationRules } from "./deviation.ts";
import { cells, fit, padStart } from "./render/cells.ts";
import { rowOf } from "./render/row.ts";
import type { Row } from "./render/row.ts";
import { styleOf, toneOf } from "./render/style.ts";
import type { Style } from "./render/style.ts";
import { totalsLines, verdictLines } from "./render/summary.ts";
import type { Verdict } from "./verdict.ts";

/** How the tree is shown. */
export interface RenderOptions {
  /** Columns of the terminal; default 80, at least 20. */
  readonly width?: number;
  /** ANSI colours; default off. */
  readonly color?: boolean;
  /** Box drawing and symbols beyond ASCII; default on. Text of the payload stays as it is. */
  readonly unicode?: boolean;
  /** Shown below the tree. */
  readonly verdict?: Verdict;
}

/**
 * Draws a trajectory as a tree for terminals: a line per node with status, name, duration, tokens and cost; what
 * deviates below its node; totals and verdict at the end. No line is wider than `width` cells, and no byte of a
 * payload can move the cursor, set a title or turn the text around. Ends without a line break.
 */
export function renderTree(trajectory: Trajectory, options: RenderOptions = {}): string {
  const width = Math.max(20, Math.floor(options.width ?? 80));
  const style = styleOf({
    color: options.color === true,
    unicode: options.unicode !== false,
    currency: trajectory.currency,
  });
  const drawing: Drawing = { style, width, columns: columnsFor(width), lines: [] };
  for (const root of trajectory.roots) draw(drawing, root, { own: "", below: "" });
  if (trajectory.roots.length === 0) drawing.lines.push("no events");
  drawing.lines.push("", ...totalsLines(trajectory, style, width));
  if (options.verdict !== undefined)
    drawing.lines.push(...verdictLines(options.verdict, style, width));
  return drawing.lines.join("\n");
}

interface Drawing {
  readonly style: Style;
  readonly width: number;
  readonly columns: Columns;
  readonly lines: string[];
}

/** What stands before a node's line, and before the lines below it. */
interface Lead {
  readonly own: string;
  readonly below: string;
}

/** Widths of the columns at the right; 0 hides one. */
interface Columns {
  readonly duration: number;
  readonly tokens: number;
  readonly cost: number;
}

const maxShownDeviations = 3;
const minTitle = 14;

function columnsFor(width: number): Columns {
  if (width >= 76) return { duration: 9, tokens: 14, cost: 12 };
  if (width >= 58) return { duration: 9, tokens: 0, cost: 12 };
  return { duration: width >= 40 ? 9 : 0, tokens: 0, cost: 0 };
}

/** Depth first, with an own stack: a trajectory may be deeper than the call stack. */
function draw(drawing: Drawing, root: TreeNode, lead: Lead): void {
  const waiting: { node: TreeNode; lead: Lead }[] = [{ node: root, lead }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    drawNode(drawing, next.node, next.lead);
    const { children } = next.node;
    for (let i = children.length - 1; i >= 0; i -= 1) {
      const child = children[i];
      if (child === undefined) continue;
      waiting.push({
        node: child,
        lead: leadOf(drawing.style, next.lead, i === children.length - 1),
      });
    }
  }
}

function leadOf(style: Style, parent: Lead, isLast: boolean): Lead {
  return {
    own: `${parent.below}${isLast ? style.lastBranch : style.branch}`,
    below: `${parent.below}${isLast ? style.space : style.pipe}`,
  };
}

function drawNode(drawing: Drawing, node: TreeNode, lead: Lead): void {
  const { style, width, columns, lines } = drawing;
  const row = rowOf(node, style);
  const own = shortLead(lead.own, drawing);
  const left = width - cells(own) - 2;
  const amounts = rightOf(row, columns);
  // Amounts give way where there are none, and where the name would not be readable beside them.
  const right = amounts.trim() === "" || left - cells(amounts) < minTitle ? "" : amounts;
  const room = left - cells(right);
  const title = fit(row.title, room, style.ellipsis);
  const noteRoom = room - cells(title) - 2;
  const note = noteRoom >= 4 ? fit(row.note, noteRoom, style.ellipsis) : "";
  const gap = " ".repeat(Math.max(0, room - cells(title) - (note === "" ? 0 : cells(note) + 2)));
  const glyph = style.paint(style.glyph(node.status), toneOf(node.status));
  const name = style.paint(
    title,
    node.kind === "session" || node.kind === "turn" ? "bold" : "plain",
  );
  const notePart = note === "" ? "" : `  ${style.paint(note, noteTone(node))}`;
  const line = `${style.paint(own, "dim")}${glyph} ${name}${notePart}${gap}${style.paint(right, "dim")}`;
  lines.push(line.trimEnd());
  drawDeviations(drawing, node, lead);
}

function noteTone(node: TreeNode): "bad" | "warn" | "dim" {
  const tone = toneOf(node.status);
  return tone === "bad" || tone === "warn" ? tone : "dim";
}

function rightOf(row: Row, columns: Columns): string {
  const part = (text: string, width: number): string =>
    width === 0 ? "" : padStart(fit(text, width - 1), width);
  return `${part(row.duration, columns.duration)}${part(row.tokens, columns.tokens)}${part(row.cost, columns.cost)}`;
}

/** Deep trees keep half of the line for their text: what is cut from the lead is shown by an ellipsis. */
function shortLead(lead: string, { style, width }: Drawing): string {
  const room = Math.floor(width / 2);
  if (lead.length <= room) return lead; // all characters of a lead are one cell wide
  return `${style.ellipsis}${lead.slice(lead.length - room + style.ellipsis.length)}`;
}

function drawDeviations(drawing: Drawing, node: TreeNode, lead: Lead): void {
  const { style, width, lines } = drawing;
  const hasChildren = node.children.length > 0;
  const start = shortLead(`${lead.below}${hasChildren ? style.pipe : style.space}`, drawing);
  for (const deviation of node.deviations.slice(0, maxShownDeviations)) {
    const { severity, sentence } = deviationRules[deviation.code];
    const detail = deviation.detail === null ? "" : ` (${deviation.detail})`;
    const times = deviation.count > 1 ? ` x${deviation.count}` : "";
    const mark = severity === "defect" ? "!" : style.dot;
    const text = cleanText(`${mark} ${deviation.code}${times}: ${sentence}${detail}`);
    const shown = fit(text, width - cells(start), style.ellipsis);
    lines.push(
      `${style.paint(start, "dim")}${style.paint(shown, severity === "defect" ? "warn" : "dim")}`,
    );
  }
  const more = node.deviations.length + node.deviations_dropped - maxShownDeviations;
  if (more <= 0) return;
  lines.push(style.paint(fit(`${start}${style.dot} ${more} more`, width, style.ellipsis), "dim"));
}
