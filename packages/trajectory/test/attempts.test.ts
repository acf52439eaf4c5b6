import type { Payload } from "@hermes-observer/core";
import { expect, test } from "vitest";
import {
  Script,
  endAttempt,
  endTurn,
  request,
  startAttempt,
  startTurn,
  turnIds,
  usage,
} from "./golden.ts";
import { all, build, codes, only } from "./reading.ts";

const ids = turnIds("s", "t");

function started(): Script {
  const script = new Script();
  startTurn(script, ids, true);
  return script;
}

/** An API event as real Hermes sends it: no ordinal, `started_at` shared by all retries. */
function hermes(script: Script, hook: string, more: Payload, after = 0.1): void {
  const { attempt: _none, ...rest } = request(ids, 1);
  script.emit(hook, { ...rest, started_at: 1_790_000_000.2, ...more }, after);
}

const failure = {
  status_code: 500,
  retryable: true,
  max_retries: 3,
  error: { type: "ServerError", message: "no" },
};

test("retries under one request id are attempts of their own with their own ends", () => {
  const script = started();
  startAttempt(script, ids, 1);
  script.emit(
    "api_request_error",
    { ...request(ids, 1), ...failure, retry_count: 0, reason: "server_error", api_duration: 0.2 },
    0.2,
  );
  startAttempt(script, ids, 1, 1);
  endAttempt(script, ids, 1, { attempt: 1 });

  const attempts = all(build(script.events), "attempt");

  expect(
    attempts.map(({ attempt, status, duration_ms }) => [attempt, status, duration_ms]),
  ).toEqual([
    [0, "error", 200],
    [1, "ok", 500],
  ]);
  expect(attempts[0]).toMatchObject({
    status_code: 500,
    reason: "server_error",
    error: { type: "ServerError", message: "no" },
  });
});

test("without ordinals, retries are told apart by arrival and measured by their own events", () => {
  const script = started();
  hermes(script, "pre_api_request", { retry_count: 0 });
  hermes(script, "api_request_error", {
    ...failure,
    retry_count: 0,
    reason: "rate_limit",
    api_duration: 0.1,
  });
  hermes(script, "pre_api_request", { retry_count: 1 }, 2);
  hermes(script, "post_api_request", { api_duration: 2.6, usage: usage(1, 0, 1) }, 0.5);

  const attempts = all(build(script.events), "attempt");

  expect(attempts.map(({ attempt, status }) => [attempt, status])).toEqual([
    [0, "error"],
    [1, "ok"],
  ]);
  expect(attempts[0]).toMatchObject({ duration_ms: 100, duration_source: "payload" });
  expect(attempts[1]).toMatchObject({
    duration_ms: 500,
    duration_source: "envelope",
    request_started_at: 1_790_000_000.2,
    request_duration_ms: 2600,
  });
});

test("a fallback to another provider is an attempt of its own and keeps the name of who failed", () => {
  const script = started();
  hermes(script, "pre_api_request", { retry_count: 0, provider: "a", model: "m1" });
  hermes(script, "api_request_error", {
    ...failure,
    retry_count: 0,
    reason: "billing",
    provider: "a",
    model: "m1",
  });
  hermes(script, "pre_api_request", { retry_count: 0, provider: "b", model: "m2" });
  hermes(script, "post_api_request", {
    provider: "b",
    model: "m2",
    response_model: "m2-2026-01-01",
  });

  const attempts = all(build(script.events), "attempt");

  expect(attempts.map(({ provider, model, status }) => [provider, model, status])).toEqual([
    ["a", "m1", "error"],
    ["b", "m2", "ok"],
  ]);
});

test("an attempt whose end was lost is abandoned with its turn and takes nobody else's end", () => {
  const script = started();
  hermes(script, "pre_api_request", { retry_count: 0 });
  hermes(script, "pre_api_request", { retry_count: 1 });
  hermes(script, "post_api_request", { usage: usage(1, 0, 1) });
  endTurn(script, ids);

  const attempts = all(build(script.events), "attempt");

  expect(attempts.map(({ status, closed_by }) => [status, closed_by])).toEqual([
    ["abandoned", "turn_end"],
    ["ok", "event"],
  ]);
  expect(codes(attempts[0])).toEqual(["start_without_end"]);
});

test("an error that comes late finds its attempt by its retry count", () => {
  const script = started();
  hermes(script, "pre_api_request", { retry_count: 0 });
  hermes(script, "pre_api_request", { retry_count: 1 });
  hermes(script, "api_request_error", { ...failure, retry_count: 0, reason: "timeout" });
  hermes(script, "post_api_request", {});

  const attempts = all(build(script.events), "attempt");

  expect(attempts.map((one) => [one.status, ...codes(one)])).toEqual([["timeout"], ["ok"]]);
});

test("a success after an error whose start was lost is an attempt of its own, not a second end", () => {
  const script = started();
  hermes(script, "pre_api_request", { retry_count: 0 });
  hermes(script, "api_request_error", { ...failure, retry_count: 0, reason: "overloaded" });
  hermes(script, "post_api_request", { usage: usage(10, 0, 20) });

  const attempts = all(build(script.events), "attempt");

  expect(attempts.map((one) => [one.status, ...codes(one)])).toEqual([
    ["error"],
    ["ok", "end_without_start"],
  ]);
});

test("an id that is minted again after a compression refund counts on and is named", () => {
  const script = started();
  hermes(script, "pre_api_request", { retry_count: 0 });
  hermes(script, "api_request_error", { ...failure, retry_count: 0, reason: "context_overflow" });
  hermes(script, "pre_api_request", { retry_count: 0, started_at: 1_790_000_009 });
  hermes(script, "post_api_request", { started_at: 1_790_000_009, api_duration: 0.4 });

  const attempts = all(build(script.events), "attempt");

  expect(attempts.map(({ attempt }) => attempt)).toEqual([0, 1]);
  expect(codes(attempts[1])).toEqual(["reused_id"]);
  expect(attempts[1]).toMatchObject({ duration_ms: 400, duration_source: "payload" });
});

test("one request seen by two sources is one attempt and is counted once", () => {
  const script = started();
  for (let i = 0; i < 2; i += 1) hermes(script, "pre_api_request", { retry_count: 0 });
  for (let i = 0; i < 2; i += 1) hermes(script, "post_api_request", { usage: usage(100, 0, 10) });

  const trajectory = build(script.events);

  expect(codes(only(trajectory, "attempt"))).toEqual(["duplicate_start", "duplicate_end"]);
  expect(trajectory.totals.own).toMatchObject({ attempts: 1, input_tokens: 100 });
});

test("a start that comes after its end completes the same attempt", () => {
  const script = started();
  endAttempt(script, ids, 1);
  startAttempt(script, ids, 1);

  const trajectory = build(script.events);

  expect(only(trajectory, "attempt")).toMatchObject({ status: "ok", message_count: 3 });
  expect(codes(only(trajectory, "attempt"))).toEqual(["out_of_order"]);
  expect(trajectory.totals.own.input_tokens).toBe(900);
});

test.each([
  ["interrupted", "interrupted"],
  ["user_cancel", "cancelled"],
  ["timeout", "timeout"],
  ["server_error", "error"],
])(
  "an attempt that broke off because of %s is %s and keeps the usage until then as partial",
  (reason, status) => {
    const script = started();
    startAttempt(script, ids, 1);
    script.emit("api_request_error", {
      ...request(ids, 1),
      reason,
      retry_count: 0,
      error: { type: "X", message: "" },
      usage: usage(100, 0, 17),
    });

    const trajectory = build(script.events);

    expect(only(trajectory, "attempt")).toMatchObject({
      status,
      usage: { input_tokens: 100, output_tokens: 17, partial: true },
    });
    expect(trajectory.totals.own).toMatchObject({
      partial_usage_attempts: 1,
      input_tokens: 100,
      priced_attempts: 1,
    });
  },
);

test("an answer from a local cache costs nothing and is not added to any sum", () => {
  const script = started();
  startAttempt(script, ids, 1);
  endAttempt(script, ids, 1, { response: { cached: true }, usage: usage(5000, 0, 100) });

  const trajectory = build(script.events);

  expect(only(trajectory, "attempt")).toMatchObject({
    from_cache: true,
    cost: { amount: 0, billed: false },
  });
  expect(trajectory.totals.own).toMatchObject({
    unbilled_attempts: 1,
    input_tokens: 0,
    cost: 0,
    attempts: 1,
  });
});

test("missing usage is unknown, not 0; a request that the provider rejected is neither", () => {
  const script = started();
  startAttempt(script, ids, 1);
  endAttempt(script, ids, 1, { usage: null });
  startAttempt(script, ids, 2);
  script.emit("api_request_error", {
    ...request(ids, 2),
    ...failure,
    retry_count: 0,
    reason: "server_error",
  });

  const trajectory = build(script.events);

  expect(
    all(trajectory, "attempt").map(({ usage: used, cost }) => [
      used,
      cost.amount,
      cost.unknown_reason,
    ]),
  ).toEqual([
    [null, null, "no_usage"],
    [null, null, "rejected"],
  ]);
  expect(trajectory.totals.own).toMatchObject({
    cost: null,
    unknown_cost_attempts: 1,
    unknown_usage_attempts: 1,
  });
});

test("odd token counts are named on the attempt", () => {
  const script = started();
  startAttempt(script, ids, 1);
  endAttempt(script, ids, 1, { usage: { prompt_tokens: "12", completion_tokens: -1 } });

  const attempt = only(build(script.events), "attempt");

  expect(attempt.usage).toMatchObject({
    input_tokens: 12,
    output_tokens: null,
    total_tokens: null,
  });
  expect(attempt.deviations.map(({ detail }) => detail)).toEqual([
    "usage.prompt_tokens: text_number",
    "usage.completion_tokens: negative",
  ]);
});

test("times in milliseconds are not used and are named", () => {
  const script = started();
  script.emit("pre_api_request", { ...request(ids, 1), started_at: 1_790_000_000_000 });
  script.emit(
    "post_api_request",
    { ...request(ids, 1), started_at: 1_790_000_000_000, api_duration: Number.NaN },
    1,
  );

  const attempt = only(build(script.events), "attempt");

  expect(attempt).toMatchObject({ started_at: script.events[1]?.at, duration_ms: 1000 });
  expect(attempt.deviations).toMatchObject([
    { code: "invalid_field", detail: "started_at", count: 2 },
    { code: "invalid_field", detail: "api_duration", count: 1 },
  ]);
});

test("time to first chunk is measured from the attempt's own start", () => {
  const script = started();
  startAttempt(script, ids, 1);
  const at = script.at;
  endAttempt(script, ids, 1, { first_chunk_at: at + 0.125 });

  expect(only(build(script.events), "attempt").first_chunk_ms).toBeCloseTo(125, 0);
});
