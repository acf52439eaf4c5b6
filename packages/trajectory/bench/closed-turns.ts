import type { EventRecord } from "@hermes-observer/core";

const eventsPerTurn = 14;

/**
 * An endless record of closed turns, as an agent makes them: two requests, the first of them retried, and two parallel
 * calls of one tool per turn; a new session every 1,000 turns, finalized every other time.
 */
export function* closedTurns(
  count: number,
  options: { missing?: number } = {},
): Generator<EventRecord> {
  let n = 0;
  let at = 1_790_000_000;
  const missing = options.missing ?? 0;
  for (let turn = 0; n < count; turn += 1) {
    const sessionId = `2026_session_${Math.floor(turn / 1000)}`;
    const ids = { session_id: sessionId, task_id: sessionId, turn_id: `${sessionId}:t:${turn}` };
    if (turn % 1000 === 0 && turn % 2000 !== 0) {
      const old = `2026_session_${Math.floor(turn / 1000) - 1}`;
      yield record("on_session_finalize", { session_id: old, platform: "cli", reason: "shutdown" });
    }
    for (const [hook, payload] of turnEvents(ids, turn % 1000 === 0)) {
      if (missing > 0 && hook.startsWith("post_") && (n * 7919) % 100 < missing) {
        n += 1;
        continue;
      }
      yield record(hook, payload);
      if (n >= count) return;
    }
  }
  function record(hook: string, payload: Record<string, unknown>): EventRecord {
    n += 1;
    at += 0.01;
    return {
      id: `bench:${n}`,
      at,
      hook,
      payload: { telemetry_schema_version: "hermes.observer.v1", ...payload },
    };
  }
}

interface Ids {
  readonly session_id: string;
  readonly task_id: string;
  readonly turn_id: string;
}

function* turnEvents(ids: Ids, isFirst: boolean): Generator<[string, Record<string, unknown>]> {
  const model = {
    platform: "cli",
    model: "m-large",
    provider: "p",
    base_url: "http://x/v1",
    api_mode: "chat_completions",
  };
  if (isFirst)
    yield ["on_session_start", { session_id: ids.session_id, model: "m-large", platform: "cli" }];
  yield [
    "pre_llm_call",
    { ...ids, user_message: "do it", is_first_turn: isFirst, model: "m-large", platform: "cli" },
  ];
  for (let call = 1; call <= 2; call += 1) {
    const request = {
      ...ids,
      ...model,
      api_request_id: `${ids.turn_id}:api:${call}`,
      api_call_count: call,
    };
    yield [
      "pre_api_request",
      {
        ...request,
        attempt: 0,
        retry_count: 0,
        message_count: 3,
        tool_count: 5,
        approx_input_tokens: 900,
        request_char_count: 3600,
        max_tokens: null,
        request: { method: "POST", body: {} },
      },
    ];
    if (call === 1) {
      yield [
        "api_request_error",
        {
          ...request,
          attempt: 0,
          api_duration: 0.2,
          status_code: 429,
          retry_count: 0,
          max_retries: 3,
          retryable: true,
          reason: "rate_limit",
          error: { type: "RateLimit", message: "slow down" },
        },
      ];
      yield [
        "pre_api_request",
        {
          ...request,
          attempt: 1,
          retry_count: 1,
          message_count: 3,
          tool_count: 5,
          approx_input_tokens: 900,
          request_char_count: 3600,
          max_tokens: null,
          request: { method: "POST", body: {} },
        },
      ];
    }
    yield [
      "post_api_request",
      {
        ...request,
        attempt: call === 1 ? 1 : 0,
        api_duration: 0.5,
        finish_reason: "stop",
        message_count: 4,
        response_model: "m-large-2026-01-01",
        response: { model: "m-large" },
        usage: {
          input_tokens: 800,
          output_tokens: 50,
          cache_read_tokens: 100,
          cache_write_tokens: 0,
          reasoning_tokens: 10,
          prompt_tokens: 900,
          total_tokens: 950,
        },
        assistant_content_chars: 20,
        assistant_tool_call_count: 2,
      },
    ];
    if (call === 2) break;
    for (const id of ["call_a", "call_b"])
      yield [
        "pre_tool_call",
        {
          ...ids,
          tool_name: "read_file",
          args: { path: "a.md" },
          tool_call_id: id,
          api_request_id: request.api_request_id,
        },
      ];
    for (const id of ["call_b", "call_a"])
      yield [
        "post_tool_call",
        {
          ...ids,
          tool_name: "read_file",
          args: { path: "a.md" },
          tool_call_id: id,
          api_request_id: request.api_request_id,
          result: "text",
          duration_ms: 12,
          status: "ok",
          error_type: null,
          error_message: null,
        },
      ];
  }
  yield [
    "post_llm_call",
    {
      ...ids,
      user_message: "do it",
      assistant_response: "done",
      model: "m-large",
      platform: "cli",
    },
  ];
  yield [
    "on_session_end",
    {
      ...ids,
      completed: true,
      failed: false,
      interrupted: false,
      turn_exit_reason: "text_response",
      model: "m-large",
      platform: "cli",
    },
  ];
}

/** How many events a turn has, for counting. */
export const turnSize: number = eventsPerTurn;
