import type { NodeStatus } from "../node.ts";

/** Colours that are used; each closes itself. */
export type Tone = "good" | "bad" | "warn" | "active" | "dim" | "bold" | "plain";

/** How the tree is drawn. */
export interface Style {
  readonly branch: string;
  readonly lastBranch: string;
  readonly pipe: string;
  readonly space: string;
  readonly ellipsis: string;
  readonly arrow: string;
  readonly dot: string;
  readonly none: string;
  readonly quote: readonly [open: string, close: string];
  readonly currency: string | null;
  glyph(status: NodeStatus): string;
  paint(text: string, tone: Tone): string;
}

/** What a terminal can show, and the currency of the amounts. */
export interface StyleOptions {
  readonly color: boolean;
  readonly unicode: boolean;
  readonly currency: string | null;
}

/** The style for a terminal. */
export function styleOf(options: StyleOptions): Style {
  const marks = options.unicode ? unicodeMarks : asciiMarks;
  const glyphs = options.unicode ? unicodeGlyphs : asciiGlyphs;
  return {
    ...marks,
    currency: options.currency,
    glyph: (status) => glyphs[status],
    paint: options.color ? paint : (text) => text,
  };
}

/** The tone of a status. */
export function toneOf(status: NodeStatus): Tone {
  return tones[status];
}

const unicodeMarks = {
  branch: "├─ ",
  lastBranch: "└─ ",
  pipe: "│  ",
  space: "   ",
  ellipsis: "…",
  arrow: "→",
  dot: "·",
  none: "–",
  quote: ["“", "”"] as const,
};

const asciiMarks = {
  branch: "|- ",
  lastBranch: "`- ",
  pipe: "|  ",
  space: "   ",
  ellipsis: "...",
  arrow: ">",
  dot: "-",
  none: "-",
  quote: ['"', '"'] as const,
};

const unicodeGlyphs: Readonly<Record<NodeStatus, string>> = {
  open: "▸",
  ok: "✓",
  error: "✗",
  blocked: "⊘",
  cancelled: "○",
  timeout: "✗",
  denied: "⊘",
  abandoned: "?",
  unobserved: "?",
  interrupted: "○",
};

const asciiGlyphs: Readonly<Record<NodeStatus, string>> = {
  open: ">",
  ok: "+",
  error: "x",
  blocked: "!",
  cancelled: "o",
  timeout: "x",
  denied: "!",
  abandoned: "?",
  unobserved: "?",
  interrupted: "o",
};

const tones: Readonly<Record<NodeStatus, Tone>> = {
  open: "active",
  ok: "good",
  error: "bad",
  blocked: "warn",
  cancelled: "warn",
  timeout: "bad",
  denied: "warn",
  abandoned: "warn",
  unobserved: "warn",
  interrupted: "warn",
};

const codes: Readonly<Record<Tone, readonly [open: number, close: number]>> = {
  good: [32, 39],
  bad: [31, 39],
  warn: [33, 39],
  active: [36, 39],
  dim: [2, 22],
  bold: [1, 22],
  plain: [0, 0],
};

function paint(text: string, tone: Tone): string {
  if (tone === "plain" || text === "") return text;
  const [open, close] = codes[tone];
  return `\u001b[${open}m${text}\u001b[${close}m`;
}
