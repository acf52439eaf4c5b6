import { expect, test } from "vitest";

import type { ScriptedFault, ScriptStep } from "../../src/testing/index.ts";
import { problemsOf, rig } from "../run-scripted.ts";

const done: ScriptStep = { text: "done" };
const usage = { prompt_tokens: 100, completion_tokens: 7, total_tokens: 107 };

interface FaultCase {
  readonly fault: ScriptedFault;
  readonly reason: string;
  readonly status: number | null;
  readonly isRetryable: boolean;
}

const status = (code: number, error: object = {}): ScriptedFault => ({
  kind: "status",
  status: code,
  body: { error: { message: `status ${code}`, ...error } },
});

const cases: readonly (readonly [string, FaultCase])[] = [
  ["429", { fault: status(429), reason: "rate_limit", status: 429, isRetryable: true }],
  [
    "429 without quota",
    {
      fault: status(429, { code: "insufficient_quota" }),
      reason: "billing",
      status: 429,
      isRetryable: false,
    },
  ],
  ["500", { fault: status(500), reason: "server_error", status: 500, isRetryable: true }],
  ["502", { fault: status(502), reason: "server_error", status: 502, isRetryable: true }],
  ["503", { fault: status(503), reason: "overloaded", status: 503, isRetryable: true }],
  ["529", { fault: status(529), reason: "overloaded", status: 529, isRetryable: true }],
  ["408", { fault: status(408), reason: "timeout", status: 408, isRetryable: true }],
  ["401", { fault: status(401), reason: "auth", status: 401, isRetryable: false }],
  ["403", { fault: status(403), reason: "auth", status: 403, isRetryable: false }],
  ["402", { fault: status(402), reason: "billing", status: 402, isRetryable: false }],
  ["404", { fault: status(404), reason: "model_not_found", status: 404, isRetryable: false }],
  ["400", { fault: status(400), reason: "invalid_request", status: 400, isRetryable: false }],
  [
    "context overflow",
    {
      fault: status(400, { code: "context_length_exceeded" }),
      reason: "context_overflow",
      status: 400,
      isRetryable: false,
    },
  ],
  [
    "content policy",
    {
      fault: status(400, { code: "content_policy_violation" }),
      reason: "content_policy_blocked",
      status: 400,
      isRetryable: false,
    },
  ],
  [
    "dropped socket",
    { fault: { kind: "drop" }, reason: "connection_error", status: null, isRetryable: true },
  ],
  [
    "socket dropped in the answer",
    {
      fault: { kind: "drop", afterChunks: 2 },
      reason: "connection_error",
      status: null,
      isRetryable: true,
    },
  ],
  ["silence", { fault: { kind: "hang" }, reason: "timeout", status: null, isRetryable: true }],
  [
    "silence in the answer",
    { fault: { kind: "hang", afterChunks: 2 }, reason: "timeout", status: null, isRetryable: true },
  ],
  [
    "malformed body",
    { fault: { kind: "malformed" }, reason: "invalid_response", status: null, isRetryable: true },
  ],
];

const streamCases: readonly (readonly [string, FaultCase])[] = [
  [
    "cut stream",
    {
      fault: { kind: "cut", afterChunks: 2 },
      reason: "incomplete_stream",
      status: null,
      isRetryable: true,
    },
  ],
  [
    "empty stream",
    {
      fault: { kind: "cut", afterChunks: 0 },
      reason: "incomplete_stream",
      status: null,
      isRetryable: true,
    },
  ],
  [
    "error event",
    {
      fault: {
        kind: "error_event",
        error: { message: "it broke", type: "server_error" },
        afterChunks: 2,
      },
      reason: "server_error",
      status: null,
      isRetryable: true,
    },
  ],
  [
    "overloaded event",
    {
      fault: { kind: "error_event", error: { message: "Overloaded", type: "overloaded_error" } },
      reason: "overloaded",
      status: null,
      isRetryable: true,
    },
  ],
  [
    "rate limit event",
    {
      fault: { kind: "error_event", error: { message: "slow down", type: "rate_limit_error" } },
      reason: "rate_limit",
      status: null,
      isRetryable: true,
    },
  ],
];

const modes = [
  ...[...cases, ...streamCases].map(([name, fault]) => ["streamed", name, true, fault] as const),
  ...cases.map(([name, fault]) => ["whole", name, false, fault] as const),
];

test.each(modes)(
  "%s, %s: the attempt closes with its reason and the turn ends",
  async (...[, , isStreaming, fault]) => {
    await using run = await rig([{ text: ["half ", "an answer"], fault: fault.fault }, done], {
      isStreaming,
      limits: { idleTimeoutMs: 150 },
    });

    const result = await run.send("go");

    const [error] = run.recorded.take("api_request_error");
    expect(error?.payload).toMatchObject({
      reason: fault.reason,
      status_code: fault.status,
      retryable: fault.isRetryable,
      retry_count: 0,
      max_retries: 3,
      attempt: 0,
    });
    expect(error?.payload.error.message).not.toBe("");
    expect(result.completed).toBe(fault.isRetryable);
    expect(result.failed).toBe(!fault.isRetryable);
    expect(result.text).toBe(fault.isRetryable ? "done" : "");
    if (!fault.isRetryable) {
      expect(result.exitReason).toBe(`api_error(${fault.reason})`);
      expect(result.failure).toMatchObject({ reason: fault.reason, statusCode: fault.status });
    }
    expect(problemsOf(run)).toEqual([]);
  },
);

test("attempts of one request share its id and count up", async () => {
  await using run = await rig([{ fault: status(500) }, { fault: status(503) }, done]);

  await run.send("go");

  const attempts = run.recorded.take("pre_api_request").map(({ payload }) => payload);
  expect(attempts.map(({ attempt, retry_count }) => [attempt, retry_count])).toEqual([
    [0, 0],
    [1, 1],
    [2, 2],
  ]);
  expect(new Set(attempts.map((payload) => payload.api_request_id)).size).toBe(1);
  expect(run.recorded.hooks().filter((hook) => hook.includes("api"))).toEqual([
    "pre_api_request",
    "api_request_error",
    "pre_api_request",
    "api_request_error",
    "pre_api_request",
    "post_api_request",
  ]);
});

test("after the last allowed retry the turn fails with the last reason", async () => {
  await using run = await rig(
    [{ fault: status(500) }, { fault: status(500) }, { fault: status(503) }],
    {
      retry: { maxRetries: 2 },
    },
  );

  const result = await run.send("go");

  expect(result).toMatchObject({ failed: true, exitReason: "api_error(overloaded)", steps: 1 });
  run.server.assertConsumed();
  expect(problemsOf(run)).toEqual([]);
});

test("no retries are made when none are allowed", async () => {
  await using run = await rig([{ fault: status(500) }], { retry: { maxRetries: 0 } });

  const result = await run.send("go");

  expect(result.exitReason).toBe("api_error(server_error)");
  expect(run.server.requests).toHaveLength(1);
});

test("the wait that the server asks for is the wait that is made, and the surface is told", async () => {
  const waits: number[] = [];
  const retries: unknown[] = [];
  const limited: ScriptedFault = {
    ...status(429),
    headers: { "retry-after": "7" },
  } as ScriptedFault;
  await using run = await rig([{ fault: limited }, done], {
    sleep: async (milliseconds) => void waits.push(milliseconds),
    ui: { onRetry: (retry) => retries.push(retry) },
  });

  await run.send("go");

  expect(waits).toEqual([7_000]);
  expect(retries).toEqual([
    {
      reason: "rate_limit",
      message: "status 429",
      statusCode: 429,
      retry: 1,
      maxRetries: 3,
      delayMs: 7_000,
      discardsText: false,
    },
  ]);
});

test("a server that asks for too long a wait ends the turn instead", async () => {
  const limited: ScriptedFault = {
    ...status(429),
    headers: { "retry-after": "61" },
  } as ScriptedFault;
  await using run = await rig([{ fault: limited }]);

  expect((await run.send("go")).exitReason).toBe("api_error(rate_limit)");
});

test("text of a broken stream is announced as void before it comes again", async () => {
  const seen: string[] = [];
  await using run = await rig(
    [{ text: ["one ", "two"], fault: { kind: "cut", afterChunks: 2 } }, { text: "three" }],
    {
      ui: {
        onText: (delta) => seen.push(delta),
        onRetry: ({ discardsText }) => seen.push(`retry, discards ${discardsText}`),
      },
    },
  );

  const result = await run.send("go");

  expect(seen).toEqual(["one ", "retry, discards true", "three"]);
  expect(result.text).toBe("three");
});

test("usage that came before a stream broke off is kept", async () => {
  await using run = await rig([
    { text: ["a", "b"], usage, usageEveryChunk: true, fault: { kind: "drop", afterChunks: 2 } },
    { text: "ok", usage },
  ]);

  const result = await run.send("go");

  const [error] = run.recorded.take("api_request_error");
  expect(error?.payload).toMatchObject({
    usage: { inputTokens: { total: 100 }, outputTokens: { total: 7 }, raw: usage },
  });
  expect(result.usage?.outputTokens.total).toBe(14);
});

test("an answer without usage reports null, not zero", async () => {
  await using run = await rig([done]);

  const result = await run.send("go");

  expect(run.recorded.take("post_api_request")[0]?.payload.usage).toBeNull();
  expect(result.usage).toBeNull();
});

test("an answer without text and tools is a failed turn", async () => {
  await using run = await rig([{ text: "" }]);

  const result = await run.send("go");

  expect(result).toMatchObject({ failed: true, exitReason: "empty_response", text: "" });
  expect(run.recorded.take("post_llm_call")).toEqual([]);
  expect(problemsOf(run)).toEqual([]);
});

test.each([[1], [3], [7]])(
  "a stream whose bytes come %i at a time is the same answer",
  async (splitBytes) => {
    await using run = await rig([{ text: ["Grüße ", "🧭 an ", "alle"], splitBytes, usage }]);

    const result = await run.send("go");

    expect(result.text).toBe("Grüße 🧭 an alle");
    expect(run.recorded.take("post_api_request")[0]?.payload.usage).toMatchObject({ raw: usage });
  },
);

test("a surface whose callback throws fails the turn and leaves nothing open", async () => {
  await using run = await rig([{ text: "hello" }], {
    ui: {
      onText: () => {
        throw new Error("no terminal");
      },
    },
  });

  const result = await run.send("go");

  expect(result).toMatchObject({ failed: true, exitReason: "api_error(unknown)" });
  expect(problemsOf(run)).toEqual([]);
});
