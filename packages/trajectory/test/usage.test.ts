import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normalizeUsage } from "../src/index.ts";
import type { Usage } from "../src/index.ts";

/** Normalised counts as [input, uncached, cache read, cache write, output, reasoning, total]. */
function counts(raw: unknown): (number | null | undefined)[] {
  const { usage } = normalizeUsage(raw);
  return [
    usage?.input_tokens,
    usage?.uncached_input_tokens,
    usage?.cache_read_tokens,
    usage?.cache_write_tokens,
    usage?.output_tokens,
    usage?.reasoning_tokens,
    usage?.total_tokens,
  ];
}

describe("every convention comes to one meaning", () => {
  test.each([
    [
      "hermes",
      {
        input_tokens: 800,
        output_tokens: 50,
        cache_read_tokens: 100,
        cache_write_tokens: 10,
        reasoning_tokens: 20,
        prompt_tokens: 910,
        total_tokens: 960,
      },
      [910, 800, 100, 10, 50, 20, 960],
    ],
    [
      "openai_chat",
      {
        prompt_tokens: 17_903,
        completion_tokens: 50,
        prompt_tokens_details: { cached_tokens: 17_817 },
        completion_tokens_details: { reasoning_tokens: 8 },
      },
      [17_903, 86, 17_817, null, 50, 8, 17_953],
    ],
    [
      "openai_chat",
      {
        prompt_tokens: 10,
        completion_tokens: 2,
        prompt_cache_hit_tokens: 4,
        prompt_cache_miss_tokens: 6,
      },
      [10, 6, 4, null, 2, null, 12],
    ],
    [
      "openai_responses",
      {
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 60 },
        output_tokens: 30,
        output_tokens_details: { reasoning_tokens: 10 },
        total_tokens: 130,
      },
      [100, 40, 60, null, 30, 10, 130],
    ],
    [
      "anthropic",
      {
        input_tokens: 5,
        cache_read_input_tokens: 128_955,
        cache_creation_input_tokens: 1253,
        output_tokens: 10,
      },
      [130_213, 5, 128_955, 1253, 10, null, 130_223],
    ],
    [
      "ai_sdk",
      {
        inputTokens: { total: 100, noCache: 30, cacheRead: 60, cacheWrite: 10 },
        outputTokens: { total: 20, text: 15, reasoning: 5 },
      },
      [100, 30, 60, 10, 20, 5, 120],
    ],
    [
      "ai_sdk",
      {
        inputTokens: { total: undefined, noCache: 30, cacheRead: 60, cacheWrite: undefined },
        outputTokens: { total: undefined, text: 15, reasoning: 5 },
      },
      [90, 30, 60, null, 20, 5, 110],
    ],
    [
      "ai_sdk_flat",
      {
        inputTokens: 100,
        outputTokens: 20,
        totalTokens: 120,
        reasoningTokens: 5,
        cachedInputTokens: 60,
      },
      [100, 40, 60, null, 20, 5, 120],
    ],
    [
      "bedrock",
      {
        inputTokens: 30,
        outputTokens: 20,
        totalTokens: 120,
        cacheReadInputTokens: 60,
        cacheWriteInputTokens: 10,
      },
      [100, 30, 60, 10, 20, null, 120],
    ],
    [
      "gemini",
      {
        promptTokenCount: 100,
        cachedContentTokenCount: 40,
        candidatesTokenCount: 20,
        thoughtsTokenCount: 30,
        totalTokenCount: 150,
      },
      [100, 60, 40, null, 50, 30, 150],
    ],
    [
      "langchain",
      { input_tokens: 9844, output_tokens: 3, input_token_details: { cache_read: 9842 } },
      [9844, 2, 9842, null, 3, null, 9847],
    ],
    [
      "langchain",
      { input_tokens: 9844, cache_read: 9842 },
      [9844, 2, 9842, null, null, null, null],
    ],
    ["bare", { input_tokens: 7, output_tokens: 3 }, [7, 7, null, null, 3, null, 10]],
  ])("%s %j", (shape, raw, expected) => {
    expect(counts(raw)).toEqual(expected);
    expect(normalizeUsage(raw).usage?.shape).toBe(shape);
    expect(normalizeUsage(raw).issues).toEqual([]);
  });
});

test("reasoning that a server leaves out of completion_tokens is added, as its own total shows", () => {
  const raw = {
    prompt_tokens: 10,
    completion_tokens: 5,
    total_tokens: 45,
    completion_tokens_details: { reasoning_tokens: 30 },
  };

  expect(counts(raw)).toEqual([10, 10, null, null, 35, 30, 45]);
  expect(normalizeUsage(raw).issues).toEqual([]);
});

test("without prompt_tokens, only the total can show that input_tokens includes the cache", () => {
  const parts = {
    input_tokens: 100,
    output_tokens: 10,
    cache_read_tokens: 60,
    cache_write_tokens: 0,
  };

  expect(counts({ ...parts, total_tokens: 110 }).slice(0, 3)).toEqual([100, 40, 60]);
  expect(counts({ ...parts, total_tokens: 170 }).slice(0, 3)).toEqual([160, 100, 60]);
  expect(counts(parts).slice(0, 3)).toEqual([160, 100, 60]);
});

test("what a producer marks as not reported is null, not 0", () => {
  const raw = {
    input_tokens: 0,
    output_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    reasoning_tokens: 0,
    prompt_tokens: 12,
    total_tokens: 12,
    reported_usage_fields: {
      prompt_tokens: true,
      output_tokens: false,
      cache_read_tokens: false,
      cache_write_tokens: false,
      reasoning_tokens: false,
    },
  };

  expect(counts(raw)).toEqual([12, 12, null, null, null, null, 12]);
});

test.each([null, undefined, {}])("%j is no usage and nothing odd", (raw) => {
  expect(normalizeUsage(raw)).toEqual({ usage: null, issues: [] });
});

test.each([7, "x", [], { foo: 1 }])("%j is no usage and is named", (raw) => {
  expect(normalizeUsage(raw)).toEqual({
    usage: null,
    issues: [{ field: "usage", kind: "unknown_shape" }],
  });
});

test.each([
  [Number.NaN, null, "not_a_number"],
  [Number.POSITIVE_INFINITY, null, "not_a_number"],
  [-1, null, "negative"],
  [1e12 + 1, null, "too_large"],
  ["12", 12, "text_number"],
  ["12.5", null, "not_a_number"],
  ["-3", null, "not_a_number"],
  [true, null, "not_a_number"],
  [{}, null, "not_a_number"],
  [1.5, 2, "fraction"],
])("the count %j becomes %j", (value, expected, kind) => {
  const { usage, issues } = normalizeUsage({ prompt_tokens: value, completion_tokens: 1 });

  expect(usage?.input_tokens).toBe(expected);
  expect(issues).toEqual([{ field: "prompt_tokens", kind }]);
});

test("10^12 tokens are the most that is taken", () => {
  expect(normalizeUsage({ prompt_tokens: 1e12, completion_tokens: 1 }).usage?.input_tokens).toBe(
    1e12,
  );
});

test("sums that contradict their parts are repaired upwards and named", () => {
  const raw = {
    prompt_tokens: 10,
    prompt_tokens_details: { cached_tokens: 30 },
    completion_tokens: 1,
    completion_tokens_details: { reasoning_tokens: 5 },
    total_tokens: 3,
  };

  expect(counts(raw)).toEqual([30, 0, 30, null, 5, 5, 35]);
  expect(normalizeUsage(raw).issues.map(({ kind }) => kind)).toEqual([
    "parts_exceed_total",
    "parts_exceed_total",
    "total_mismatch",
  ]);
});

test("partial usage is flagged", () => {
  expect(normalizeUsage({ input_tokens: 1 }, { partial: true }).usage?.partial).toBe(true);
  expect(normalizeUsage({ input_tokens: 1 }).usage?.partial).toBe(false);
});

test("property: parts add up to the whole input, reasoning lies within output, and nothing is negative", () => {
  const count = fc.oneof(
    fc.nat(1e6),
    fc.constant(null),
    fc.constant(undefined),
    fc.double(),
    fc.string(),
    fc.integer(),
  );
  const details = fc.record(
    {
      cached_tokens: count,
      reasoning_tokens: count,
      cacheRead: count,
      noCache: count,
      total: count,
      text: count,
    },
    { requiredKeys: [] },
  );
  const names = [
    "input_tokens",
    "output_tokens",
    "prompt_tokens",
    "completion_tokens",
    "total_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
    "reasoning_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
    "promptTokenCount",
    "candidatesTokenCount",
    "thoughtsTokenCount",
    "cachedContentTokenCount",
    "cachedInputTokens",
    "cacheReadInputTokens",
    "cache_read",
  ];
  const nested = [
    "prompt_tokens_details",
    "completion_tokens_details",
    "input_tokens_details",
    "inputTokens",
    "outputTokens",
  ];
  const usageObject = fc.record(
    Object.fromEntries([
      ...names.map((name) => [name, count]),
      ...nested.map((name) => [name, fc.oneof(details, count)]),
    ]),
    { requiredKeys: [] },
  );

  fc.assert(
    fc.property(usageObject, (raw) => {
      const { usage } = normalizeUsage(raw);
      if (usage !== null) expectConsistent(usage);
    }),
    { numRuns: 2000 },
  );
});

function expectConsistent(usage: Usage): void {
  const { input_tokens: input, output_tokens: output } = usage;
  for (const value of Object.values(usage)) {
    if (typeof value === "number") expect(Number.isSafeInteger(value) && value >= 0).toBe(true);
  }
  const parts = [usage.uncached_input_tokens, usage.cache_read_tokens, usage.cache_write_tokens];
  if (input !== null) expect(parts.reduce<number>((all, part) => all + (part ?? 0), 0)).toBe(input);
  if (output !== null) expect(usage.reasoning_tokens ?? 0).toBeLessThanOrEqual(output);
  if (input !== null && output !== null) expect(usage.total_tokens).toBe(input + output);
}
