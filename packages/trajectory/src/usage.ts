import { asObject } from "./payload-fields.ts";
import { readShape } from "./usage-shapes.ts";
import type { UsageIssue } from "./usage-issue.ts";
import type { RawCounts, UsageShape } from "./usage-shapes.ts";

/**
 * Token counts with one meaning, whatever the provider calls them. null means "not reported" and is not 0.
 *
 * `input_tokens` is the whole input: `uncached_input_tokens` + `cache_read_tokens` + `cache_write_tokens` (those that
 * are not reported counted as none). `output_tokens` is the whole output; `reasoning_tokens` is a part of it.
 * `total_tokens` = `input_tokens` + `output_tokens`.
 */
export interface Usage {
  readonly input_tokens: number | null;
  readonly uncached_input_tokens: number | null;
  readonly cache_read_tokens: number | null;
  readonly cache_write_tokens: number | null;
  readonly output_tokens: number | null;
  readonly reasoning_tokens: number | null;
  readonly total_tokens: number | null;
  /** True when the request broke off: what is here was reported until then. */
  readonly partial: boolean;
  /** The provider's convention that was recognised. */
  readonly shape: UsageShape;
}

/** A normalised usage, null when nothing was reported, and what was odd about it. */
export interface NormalizedUsage {
  readonly usage: Usage | null;
  readonly issues: readonly UsageIssue[];
}

/**
 * Brings a provider's usage object to one meaning. Never throws.
 *
 * Numbers as text are read; negative numbers, NaN, more than 10^12 and everything else count as not reported; fractions
 * are rounded.
 * If cache parts exceed the whole input, the input is raised to their sum, and likewise output to its reasoning, so
 * that parts always add up and none is negative. Each of these is an issue.
 */
export function normalizeUsage(raw: unknown, options: { partial?: boolean } = {}): NormalizedUsage {
  const fields = asObject(raw);
  if (fields === null) {
    return raw === undefined || raw === null ? nothing : unreadable;
  }
  const issues: UsageIssue[] = [];
  const counts = readShape(fields, issues);
  if (counts === null) {
    return Object.keys(fields).length === 0 ? nothing : unreadable;
  }
  const input = inclusiveInput(counts, issues);
  const output = inclusiveOutput(counts, issues);
  const usage: Usage = {
    input_tokens: input,
    uncached_input_tokens: uncached(input, counts),
    cache_read_tokens: counts.cacheRead,
    cache_write_tokens: counts.cacheWrite,
    output_tokens: output,
    reasoning_tokens: counts.reasoning,
    total_tokens: total(input, output, counts, issues),
    partial: options.partial === true,
    shape: counts.shape,
  };
  return { usage, issues };
}

const nothing: NormalizedUsage = Object.freeze({ usage: null, issues: [] });
const unreadable: NormalizedUsage = Object.freeze({
  usage: null,
  issues: [{ field: "usage", kind: "unknown_shape" }] satisfies UsageIssue[],
});

function inclusiveInput(counts: RawCounts, issues: UsageIssue[]): number | null {
  const cached = (counts.cacheRead ?? 0) + (counts.cacheWrite ?? 0);
  if (counts.input === null) {
    if (counts.uncached === null) return null;
    return counts.uncached + cached;
  }
  if (counts.input >= cached) return counts.input;
  issues.push({ field: "input_tokens", kind: "parts_exceed_total" });
  return cached;
}

function uncached(input: number | null, counts: RawCounts): number | null {
  if (input === null) return null;
  return input - (counts.cacheRead ?? 0) - (counts.cacheWrite ?? 0);
}

function inclusiveOutput(counts: RawCounts, issues: UsageIssue[]): number | null {
  const reasoning = counts.reasoning ?? 0;
  if (counts.output === null) {
    if (counts.text === null) return null;
    return counts.text + reasoning;
  }
  // Some OpenAI-compatible servers leave reasoning out of completion_tokens; their own total shows it.
  const leftOut = counts.total !== null && counts.input !== null && reasoning > 0;
  if (leftOut && counts.total === (counts.input ?? 0) + counts.output + reasoning) {
    return counts.output + reasoning;
  }
  if (counts.output >= reasoning) return counts.output;
  issues.push({ field: "output_tokens", kind: "parts_exceed_total" });
  return reasoning;
}

function total(
  input: number | null,
  output: number | null,
  counts: RawCounts,
  issues: UsageIssue[],
): number | null {
  if (input === null || output === null) return counts.total;
  const sum = input + output;
  if (counts.total !== null && counts.total !== sum) {
    issues.push({ field: "total_tokens", kind: "total_mismatch" });
  }
  return sum;
}
