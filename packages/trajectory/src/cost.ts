import type { PriceEntry, PriceTable } from "./price-table.ts";
import type { Usage } from "./usage.ts";

/** Why there is no amount; `not_billed` and `rejected` are reasons for which nothing is owed or expected. */
export type UnknownCost =
  | "not_ended"
  | "no_price_table"
  | "no_price"
  | "no_cache_price"
  | "no_usage"
  | "incomplete_usage"
  | "rejected";

/**
 * What an attempt cost. Unknown is null with a reason, never 0.
 *
 * Amounts are whole billionths of the currency (`amount_nano`), rounded half up once per attempt, so that sums are
 * exact; `amount` is the same in units of the currency.
 */
export interface Cost {
  readonly amount: number | null;
  readonly amount_nano: number | null;
  readonly currency: string | null;
  readonly unknown_reason: UnknownCost | null;
  /** `provider/model` or `model` of the price that was used. */
  readonly priced_as: string | null;
  /** False for an answer from a local cache: its amount is 0 whatever its usage says. */
  readonly billed: boolean;
  /** True when the provider reported nothing about a cache and the whole input was priced as uncached. */
  readonly cache_assumed_unused: boolean;
}

/** What is priced: who answered, and how much was used. */
export interface Billable {
  readonly provider: string;
  readonly model: string;
  readonly response_model: string;
  readonly usage: Usage | null;
}

/** Finds prices and computes costs. */
export interface Pricer {
  readonly currency: string | null;
  cost(billable: Billable): Cost;
}

/**
 * Makes a pricer from a table.
 *
 * The model that answered (`response_model`) is looked up first, then the one that was asked for; for each: entry of
 * this provider, entry without a provider, the only entry of any provider, and then the same three for the name
 * without a date at its end (`-2024-08-06`, `-20240806`, `@20240806`) or `-latest`.
 */
export function createPricer(table: PriceTable | null | undefined): Pricer {
  if (table === null || table === undefined) {
    return { currency: null, cost: () => unknownCost("no_price_table") };
  }
  const index = indexOf(table);
  const found = new Map<string, PriceEntry | null>();
  const find = (billable: Billable): PriceEntry | null => {
    const key = `${billable.provider}\0${billable.model}\0${billable.response_model}`;
    let entry = found.get(key);
    if (entry === undefined) {
      if (found.size >= 1024) found.clear(); // model names come from payloads: bounded
      entry = lookUp(index, billable);
      found.set(key, entry);
    }
    return entry;
  };
  return {
    currency: table.currency,
    cost: (billable) => costOf(billable.usage, find(billable), table.currency),
  };
}

/** The cost of an answer that came from a local cache. */
export function unbilledCost(currency: string | null): Cost {
  return {
    ...unknownCost("no_usage"),
    amount: 0,
    amount_nano: 0,
    currency,
    unknown_reason: null,
    billed: false,
  };
}

/** A cost that is not known, and why. */
export function unknownCost(reason: UnknownCost): Cost {
  return unknown[reason];
}

/** Billionths of a currency unit as units. */
function fromNano(nano: number): number {
  return nano / 1e9;
}

function blank(reason: UnknownCost): Cost {
  return Object.freeze({
    amount: null,
    amount_nano: null,
    currency: null,
    unknown_reason: reason,
    priced_as: null,
    billed: true,
    cache_assumed_unused: false,
  });
}

const unknown: Readonly<Record<UnknownCost, Cost>> = {
  not_ended: blank("not_ended"),
  no_price_table: blank("no_price_table"),
  no_price: blank("no_price"),
  no_cache_price: blank("no_cache_price"),
  no_usage: blank("no_usage"),
  incomplete_usage: blank("incomplete_usage"),
  rejected: blank("rejected"),
};

function costOf(usage: Usage | null, entry: PriceEntry | null, currency: string): Cost {
  if (usage === null) return unknown.no_usage;
  if (entry === null) return unknown.no_price;
  const { uncached_input_tokens: input, output_tokens: output } = usage;
  if (input === null || output === null) return unknown.incomplete_usage;
  const cached = cacheLines(usage, entry);
  if (cached === null) return unknown.no_cache_price;
  const nano = toNano([[input, entry.input], [output, entry.output], ...cached]);
  return {
    amount: fromNano(nano),
    amount_nano: nano,
    currency,
    unknown_reason: null,
    priced_as: entry.provider === undefined ? entry.model : `${entry.provider}/${entry.model}`,
    billed: true,
    cache_assumed_unused: usage.cache_read_tokens === null && usage.cache_write_tokens === null,
  };
}

type PricedTokens = readonly [tokens: number, perMillion: number];

/** What was read from and written to a cache; null when there is some and no price for it. */
function cacheLines(usage: Usage, entry: PriceEntry): readonly PricedTokens[] | null {
  const lines: PricedTokens[] = [];
  for (const [tokens, perMillion] of [
    [usage.cache_read_tokens, entry.cache_read],
    [usage.cache_write_tokens, entry.cache_write],
  ] as const) {
    if (tokens === null || tokens === 0) continue;
    if (perMillion === undefined) return null;
    lines.push([tokens, perMillion]);
  }
  return lines;
}

/**
 * Tokens at a price per million, in billionths. A price with six decimals is a whole number of 10^-12 per token, so
 * the products are exact integers below 2^53 for any real request.
 */
function toNano(lines: readonly PricedTokens[]): number {
  let pico = 0;
  for (const [tokens, perMillion] of lines) pico += tokens * Math.round(perMillion * 1e6);
  return Math.round(pico / 1000);
}

type PriceIndex = ReadonlyMap<string, readonly PriceEntry[]>;

function indexOf(table: PriceTable): PriceIndex {
  const index = new Map<string, PriceEntry[]>();
  for (const entry of table.prices) {
    for (const model of [entry.model, ...(entry.aliases ?? [])]) {
      const entries = index.get(model);
      if (entries === undefined) index.set(model, [entry]);
      else entries.push(entry);
    }
  }
  return index;
}

function lookUp(index: PriceIndex, billable: Billable): PriceEntry | null {
  for (const model of [billable.response_model, billable.model]) {
    if (model === "") continue;
    const entry =
      byName(index, model, billable.provider) ?? byName(index, undated(model), billable.provider);
    if (entry !== null) return entry;
  }
  return null;
}

function byName(index: PriceIndex, model: string, provider: string): PriceEntry | null {
  const entries = index.get(model) ?? [];
  return (
    entries.find((entry) => entry.provider === provider) ??
    entries.find((entry) => entry.provider === undefined) ??
    (entries.length === 1 ? (entries[0] ?? null) : null)
  );
}

function undated(model: string): string {
  return model.replace(/(?:[-@]\d{8}|-\d{4}-\d{2}-\d{2}|-latest)$/, "");
}
