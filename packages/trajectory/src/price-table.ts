import { asObject } from "./payload-fields.ts";

/** Price of one model, per million tokens, in the currency of its table. */
export interface PriceEntry {
  /** Model id exactly as the provider spells it. */
  readonly model: string;
  /** Provider id as events carry it; an entry without one fits every provider. */
  readonly provider?: string;
  /** Other exact spellings of the same model. */
  readonly aliases?: readonly string[];
  /** Input outside the cache. */
  readonly input: number;
  /** Output, reasoning included. */
  readonly output: number;
  /** Input read from a cache; without it a request that read one has no known cost. */
  readonly cache_read?: number;
  /** Input written to a cache; without it a request that wrote one has no known cost. */
  readonly cache_write?: number;
}

/**
 * Prices as data: `{"currency": "USD", "prices": [{"model": "m", "provider": "p", "input": 3, "output": 15}]}`.
 * Up to six decimals per million tokens count; what lies behind is rounded.
 */
export interface PriceTable {
  /** ISO 4217 code of all prices. */
  readonly currency: string;
  /** When the prices held, for readers. */
  readonly as_of?: string;
  readonly prices: readonly PriceEntry[];
}

/** A price table that cannot be used; the message says where and why. */
export class PriceTableError extends Error {
  static readonly marker: symbol = Symbol.for("hermes-observer.PriceTableError");
  readonly code = "OBS_INVALID_PRICE_TABLE";

  constructor(message: string) {
    super(message);
    this.name = "PriceTableError";
    Object.defineProperty(this, PriceTableError.marker, { value: true });
  }

  static isInstance(error: unknown): error is PriceTableError {
    return typeof error === "object" && error !== null && PriceTableError.marker in error;
  }
}

/**
 * Checks a parsed JSON value and gives it back as a price table.
 *
 * @throws PriceTableError when a field is missing, negative or of the wrong type, or when two entries claim one model.
 */
export function parsePriceTable(value: unknown): PriceTable {
  const table = asObject(value);
  if (table === null)
    throw new PriceTableError("A price table is an object with currency and prices.");
  const { currency, prices, as_of: asOf } = table;
  if (typeof currency !== "string" || !/^[A-Z]{3}$/.test(currency)) {
    throw new PriceTableError('currency must be a three-letter code such as "USD".');
  }
  if (!Array.isArray(prices)) throw new PriceTableError("prices must be a list.");
  const entries = prices.map((entry: unknown, index) => parseEntry(entry, index));
  const seen = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    for (const model of [entry.model, ...(entry.aliases ?? [])]) claim(seen, entry, model, index);
  }
  return { currency, prices: entries, ...(typeof asOf === "string" ? { as_of: asOf } : {}) };
}

function claim(seen: Set<string>, entry: PriceEntry, model: string, index: number): void {
  const key = `${entry.provider ?? ""}\0${model}`;
  if (seen.has(key)) throw new PriceTableError(`prices[${index}]: ${model} has a price already.`);
  seen.add(key);
}

function parseEntry(value: unknown, index: number): PriceEntry {
  const entry = asObject(value);
  const where = `prices[${index}]`;
  if (entry === null) throw new PriceTableError(`${where} must be an object.`);
  const { model, provider, aliases } = entry;
  if (typeof model !== "string" || model === "")
    throw new PriceTableError(`${where}.model is missing.`);
  if (provider !== undefined && typeof provider !== "string") {
    throw new PriceTableError(`${where}.provider must be a text.`);
  }
  if (aliases !== undefined && !isTextList(aliases)) {
    throw new PriceTableError(`${where}.aliases must be a list of texts.`);
  }
  return {
    model,
    ...(provider === undefined ? {} : { provider }),
    ...(aliases === undefined ? {} : { aliases }),
    input: price(entry["input"], `${where}.input`),
    output: price(entry["output"], `${where}.output`),
    ...optional("cache_read", entry["cache_read"], where),
    ...optional("cache_write", entry["cache_write"], where),
  };
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function optional(
  field: "cache_read" | "cache_write",
  value: unknown,
  where: string,
): { [name in typeof field]?: number } {
  return value === undefined || value === null
    ? {}
    : { [field]: price(value, `${where}.${field}`) };
}

function price(value: unknown, where: string): number {
  if (typeof value === "number" && Number.isFinite(value) && value >= 0 && value <= 1_000_000)
    return value;
  throw new PriceTableError(`${where} must be a price per million tokens between 0 and 1,000,000.`);
}
