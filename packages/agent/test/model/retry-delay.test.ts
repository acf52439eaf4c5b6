import { expect, test } from "vitest";

import type { ModelFailure } from "../../src/model/model-failure.ts";
import { defaultRetryPolicy, retryAfterMs, retryDelay } from "../../src/model/retry-delay.ts";

const now = Date.UTC(2026, 0, 1) / 1000;

function failure(headers: Record<string, string> = {}): ModelFailure {
  return {
    errorType: "Error",
    reason: "rate_limit",
    statusCode: 429,
    retryable: true,
    headers,
    message: "slow down",
  };
}

test.each([
  [{ "retry-after": "2" }, 2_000],
  [{ "retry-after": "0.15" }, 150],
  [{ "retry-after": " 3 " }, 3_000],
  [{ "retry-after": "0" }, 0],
  [{ "retry-after": "Thu, 01 Jan 2026 00:00:05 GMT" }, 5_000],
  [{ "retry-after": "Thu, 01 Jan 2026 00:00:00 GMT" }, 0],
  [{ "retry-after": "Wed, 31 Dec 2025 23:00:00 GMT" }, 0],
  [{ "retry-after-ms": "250" }, 250],
  [{ "retry-after-ms": "250", "retry-after": "9" }, 250],
  [{ "retry-after-ms": "soon", "retry-after": "9" }, 9_000],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "-1" }, undefined],
  [{ "retry-after": "" }, undefined],
  [{}, undefined],
])("%j asks for %j ms", (headers, expected) => {
  expect(retryAfterMs(headers as Record<string, string>, now)).toBe(expected);
});

test("the longest wait that is allowed is made, and one more is not", () => {
  const source = { now, random: () => 0 };

  expect(retryDelay(failure({ "retry-after": "60" }), 0, defaultRetryPolicy, source)).toBe(60_000);
  expect(
    retryDelay(failure({ "retry-after-ms": "60001" }), 0, defaultRetryPolicy, source),
  ).toBeUndefined();
});

test("without a word from the server the wait doubles up to its limit, half of it by chance", () => {
  const delays = (random: number): (number | undefined)[] =>
    [0, 1, 2, 6, 60].map((count) =>
      retryDelay(failure(), count, defaultRetryPolicy, { now, random: () => random }),
    );

  expect(delays(0)).toEqual([250, 500, 1_000, 15_000, 15_000]);
  expect(delays(0.5)).toEqual([375, 750, 1_500, 22_500, 22_500]);
  expect(delays(0.999_999)).toEqual([500, 1_000, 2_000, 30_000, 30_000]);
});
