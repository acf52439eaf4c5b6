/**
 * Sums over the nodes below a container. Tokens and cost are sums of what is known; the counts of unknowns say how
 * much is not. Each attempt and tool counts once, however often it was reported.
 */
export interface Totals {
  readonly turns: number;
  readonly attempts: number;
  /** Attempts that ended with an error or timeout. */
  readonly failed_attempts: number;
  readonly tools: number;
  /** Tools that ended with an error or timeout; blocked, denied and cancelled calls are no errors. */
  readonly failed_tools: number;
  readonly approvals: number;
  readonly human_inputs: number;
  readonly subagents: number;
  /** `failed_attempts` + `failed_tools`. */
  readonly errors: number;
  readonly input_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
  readonly output_tokens: number;
  readonly reasoning_tokens: number;
  readonly total_tokens: number;
  /** Units of the currency; null when there are attempts and none has a known cost. */
  readonly cost: number | null;
  readonly cost_nano: number;
  /** Attempts whose cost is known, and those that were or may have been billed at a cost that is not. */
  readonly priced_attempts: number;
  readonly unknown_cost_attempts: number;
  /** Ended attempts without any usage, except those that the provider rejected. */
  readonly unknown_usage_attempts: number;
  /** Attempts that broke off; their tokens are what was reported until then. */
  readonly partial_usage_attempts: number;
  /** Answers from a local cache; neither tokens nor cost are counted. */
  readonly unbilled_attempts: number;
}

/** Totals that can be added to. */
export type MutableTotals = { -readonly [Field in keyof Totals]: Totals[Field] };

/** Nothing yet. */
export function emptyTotals(): MutableTotals {
  return {
    turns: 0,
    attempts: 0,
    failed_attempts: 0,
    tools: 0,
    failed_tools: 0,
    approvals: 0,
    human_inputs: 0,
    subagents: 0,
    errors: 0,
    input_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    output_tokens: 0,
    reasoning_tokens: 0,
    total_tokens: 0,
    cost: 0,
    cost_nano: 0,
    priced_attempts: 0,
    unknown_cost_attempts: 0,
    unknown_usage_attempts: 0,
    partial_usage_attempts: 0,
    unbilled_attempts: 0,
  };
}

/** Adds (`sign` 1) or takes back (`sign` -1) one set of sums. */
export function addTotals(into: MutableTotals, added: Totals, sign: 1 | -1): void {
  into.turns += sign * added.turns;
  into.attempts += sign * added.attempts;
  into.failed_attempts += sign * added.failed_attempts;
  into.tools += sign * added.tools;
  into.failed_tools += sign * added.failed_tools;
  into.approvals += sign * added.approvals;
  into.human_inputs += sign * added.human_inputs;
  into.subagents += sign * added.subagents;
  into.errors += sign * added.errors;
  into.input_tokens += sign * added.input_tokens;
  into.cache_read_tokens += sign * added.cache_read_tokens;
  into.cache_write_tokens += sign * added.cache_write_tokens;
  into.output_tokens += sign * added.output_tokens;
  into.reasoning_tokens += sign * added.reasoning_tokens;
  into.total_tokens += sign * added.total_tokens;
  into.cost_nano += sign * added.cost_nano;
  into.priced_attempts += sign * added.priced_attempts;
  into.unknown_cost_attempts += sign * added.unknown_cost_attempts;
  into.unknown_usage_attempts += sign * added.unknown_usage_attempts;
  into.partial_usage_attempts += sign * added.partial_usage_attempts;
  into.unbilled_attempts += sign * added.unbilled_attempts;
  const nothingKnown = into.priced_attempts === 0 && into.unknown_cost_attempts > 0;
  into.cost = nothingKnown ? null : into.cost_nano / 1e9;
}
