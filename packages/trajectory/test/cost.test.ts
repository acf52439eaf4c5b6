import fc from "fast-check";
import { expect, test } from "vitest";
import { PriceTableError, createPricer, normalizeUsage, parsePriceTable } from "../src/index.ts";
import type { Cost, PriceTable } from "../src/index.ts";

const table: PriceTable = {
  currency: "USD",
  prices: [
    { model: "m", provider: "p", input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 },
    { model: "m", input: 4, output: 16 },
    { model: "only-p", provider: "p", input: 1, output: 1 },
    { model: "two", provider: "a", input: 1, output: 1 },
    { model: "two", provider: "b", input: 2, output: 2 },
    { model: "aliased", aliases: ["alias"], input: 5, output: 5 },
  ],
};

function cost(
  raw: unknown,
  who: { provider?: string; model?: string; response_model?: string } = {},
): Cost {
  return createPricer(table).cost({
    provider: who.provider ?? "p",
    model: who.model ?? "m",
    response_model: who.response_model ?? "",
    usage: normalizeUsage(raw).usage,
  });
}

const million = { prompt_tokens: 1_000_000, completion_tokens: 0 };

test("cached input is priced as cached, once", () => {
  const raw = { input_tokens: 9844, output_tokens: 0, input_token_details: { cache_read: 9842 } };

  expect(cost(raw)).toMatchObject({
    amount: 0.002_958_6,
    amount_nano: 2_958_600,
    currency: "USD",
    priced_as: "p/m",
    billed: true,
  });
});

test("all four parts are priced", () => {
  const raw = {
    input_tokens: 1000,
    cache_read_input_tokens: 2000,
    cache_creation_input_tokens: 3000,
    output_tokens: 400,
  };

  expect(cost(raw).amount).toBe(0.003 + 0.0006 + 0.011_25 + 0.006);
});

test.each([
  [{ provider: "p", model: "m" }, 3],
  [{ provider: "other", model: "m" }, 4],
  [{ provider: "other", model: "only-p" }, 1],
  [{ provider: "b", model: "two" }, 2],
  [{ provider: "c", model: "two" }, null],
  [{ provider: "p", model: "alias" }, 5],
  [{ provider: "p", model: "m-2026-01-31" }, 3],
  [{ provider: "p", model: "m-20260131" }, 3],
  [{ provider: "p", model: "m@20260131" }, 3],
  [{ provider: "p", model: "m-latest" }, 3],
  [{ provider: "p", model: "m-mini" }, null],
  [{ provider: "p", model: "M" }, null],
  [{ provider: "p", model: "preset", response_model: "aliased" }, 5],
  [{ provider: "p", model: "m", response_model: "unheard-of" }, 3],
  [{ provider: "p", model: "m", response_model: "aliased" }, 5],
])("the price for %j is %j", (who, expected) => {
  expect(cost(million, who).amount).toBe(expected);
  if (expected === null) expect(cost(million, who).unknown_reason).toBe("no_price");
});

test.each([
  [null, "no_usage"],
  [{ prompt_tokens: 10 }, "incomplete_usage"],
  [{ total_tokens: 10 }, "incomplete_usage"],
])("usage %j has no cost because of %s, never 0", (raw, reason) => {
  expect(cost(raw)).toMatchObject({ amount: null, amount_nano: null, unknown_reason: reason });
});

test("a cached part without a price of its own makes the cost unknown", () => {
  const raw = {
    prompt_tokens: 10,
    completion_tokens: 1,
    prompt_tokens_details: { cached_tokens: 5 },
  };

  expect(cost(raw, { provider: "x" })).toMatchObject({
    amount: null,
    unknown_reason: "no_cache_price",
  });
});

test("a provider that reports nothing about a cache is priced as uncached, which the cost says", () => {
  expect(cost(million)).toMatchObject({ amount: 3, cache_assumed_unused: true });
  expect(cost({ ...million, prompt_tokens_details: { cached_tokens: 0 } })).toMatchObject({
    amount: 3,
    cache_assumed_unused: false,
  });
});

test("without a table nothing has a cost", () => {
  const pricer = createPricer(undefined);

  expect(pricer.currency).toBeNull();
  expect(
    pricer.cost({ provider: "p", model: "m", response_model: "", usage: null }).unknown_reason,
  ).toBe("no_price_table");
});

test("property: amounts are whole billionths and add up exactly", () => {
  const used = fc.record({ prompt_tokens: fc.nat(2_000_000), completion_tokens: fc.nat(200_000) });

  fc.assert(
    fc.property(fc.array(used, { minLength: 1, maxLength: 50 }), (list) => {
      const nanos = list.map((raw) => cost(raw).amount_nano ?? Number.NaN);
      const exact = list.map(
        (raw) => BigInt(raw.prompt_tokens) * 3000n + BigInt(raw.completion_tokens) * 15_000n,
      );

      expect(nanos.every((nano) => Number.isSafeInteger(nano))).toBe(true);
      expect(BigInt(nanos.reduce((sum, nano) => sum + nano, 0))).toBe(
        exact.reduce((sum, nano) => sum + nano, 0n),
      );
    }),
  );
});

test("amounts are rounded half up to a billionth, once per attempt", () => {
  const pricer = createPricer({
    currency: "USD",
    prices: [{ model: "t", input: 0.0005, output: 0 }],
  });
  const usage = normalizeUsage({ prompt_tokens: 1, completion_tokens: 0 }).usage;

  expect(pricer.cost({ provider: "", model: "t", response_model: "", usage }).amount_nano).toBe(1);
});

test("a price table is given back as it was checked", () => {
  const json: unknown = JSON.parse(
    JSON.stringify({ ...table, as_of: "2026-12-01", note: "ignored" }),
  );

  expect(parsePriceTable(json)).toEqual({ ...table, as_of: "2026-12-01" });
});

test.each([
  [[], "object"],
  [{ currency: "usd", prices: [] }, "currency"],
  [{ currency: "USD" }, "prices"],
  [{ currency: "USD", prices: [7] }, "prices[0]"],
  [{ currency: "USD", prices: [{ model: "" }] }, "prices[0].model"],
  [{ currency: "USD", prices: [{ model: "m", provider: 1 }] }, "prices[0].provider"],
  [{ currency: "USD", prices: [{ model: "m", aliases: [1] }] }, "prices[0].aliases"],
  [{ currency: "USD", prices: [{ model: "m", input: -1, output: 1 }] }, "prices[0].input"],
  [{ currency: "USD", prices: [{ model: "m", input: 1 }] }, "prices[0].output"],
  [{ currency: "USD", prices: [{ model: "m", input: 1, output: 1_000_001 }] }, "prices[0].output"],
  [
    { currency: "USD", prices: [{ model: "m", input: 1, output: 1, cache_read: "1" }] },
    "prices[0].cache_read",
  ],
  [
    {
      currency: "USD",
      prices: [
        { model: "m", input: 1, output: 1 },
        { model: "n", aliases: ["m"], input: 1, output: 1 },
      ],
    },
    "prices[1]",
  ],
])("the table %j is refused with a message that says where", (json, where) => {
  const parse = (): unknown => parsePriceTable(json);

  expect(parse).toThrow(where);
  try {
    parse();
  } catch (error) {
    expect(PriceTableError.isInstance(error) && error.code).toBe("OBS_INVALID_PRICE_TABLE");
  }
});
