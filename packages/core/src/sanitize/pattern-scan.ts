import type { Edit } from "./edits.ts";
import { maskOf } from "./markers.ts";
import type { PatternRule } from "./rule-types.ts";

interface CompiledPattern {
  readonly rule: string;
  readonly pattern: RegExp;
}

/** The probe that the search for separators answers on its way. */
const address = "://";

/** Finds shapes that announce themselves by fixed letters: URLs, key blocks, header schemes. */
export class PatternScan {
  readonly #byProbe: readonly { readonly probe: string; readonly patterns: CompiledPattern[] }[];

  constructor(rules: readonly PatternRule[]) {
    const byProbe = new Map<string, CompiledPattern[]>();
    for (const { id, probes, pattern } of rules) {
      const compiled = { rule: id, pattern: new RegExp(pattern, "g") };
      for (const probe of probes) byProbe.set(probe, [...(byProbe.get(probe) ?? []), compiled]);
    }
    this.#byProbe = [...byProbe].map(([probe, patterns]) => ({ probe, patterns }));
  }

  /** Adds an edit for every match. */
  scan(text: string, hasAddress: boolean, edits: Edit[]): void {
    for (const { probe, patterns } of this.#byProbe) {
      if (probe === address ? !hasAddress : !occurs(text, probe)) continue;
      for (const { rule, pattern } of patterns) findAll(text, rule, pattern, edits);
    }
  }
}

/** A line begins after a line feed or with the text. */
function occurs(text: string, probe: string): boolean {
  return text.includes(probe) || (probe.startsWith("\n") && text.startsWith(probe.slice(1)));
}

function findAll(text: string, rule: string, pattern: RegExp, edits: Edit[]): void {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    // Every pattern has a first group that takes part in the match.
    const start = match.index + (match[1] as string).length;
    edits.push({
      start,
      end: beforeEscapedQuote(text, pattern.lastIndex),
      replacement: maskOf(rule),
      rule,
    });
  }
}

/** A backslash before a quote belongs to the quote: without it a string that was JSON would be none any more. */
function beforeEscapedQuote(text: string, end: number): number {
  let at = end;
  if (text[at] !== '"' && text[at] !== "'") return at;
  while (text[at - 1] === "\\") at -= 1;
  return at;
}
