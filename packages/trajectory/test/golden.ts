import type { EventRecord, Payload } from "@hermes-observer/core";
import type { PriceTable } from "../src/price-table.ts";

/** Writes event records with running ids and times, as one recorder would. */
export class Script {
  readonly events: EventRecord[] = [];
  at: number;
  #n = 0;
  readonly #writer: string;

  constructor(options: { writer?: string; at?: number } = {}) {
    this.#writer = options.writer ?? "w1";
    this.at = options.at ?? 1_790_000_000;
  }

  /** Adds an event `after` seconds after the last one and gives it back. */
  emit(hook: string, payload: Payload, after = 0.05): EventRecord {
    this.#n += 1;
    this.at = Math.round((this.at + after) * 1e6) / 1e6;
    const event: EventRecord = {
      id: `${this.#writer}:${this.#n}`,
      at: this.at,
      hook,
      payload: { telemetry_schema_version: "hermes.observer.v1", ...payload },
    };
    this.events.push(event);
    return event;
  }
}

/** Ids of one turn. */
export function turnIds(sessionId: string, turnId: string): Payload {
  return { session_id: sessionId, task_id: `task-${sessionId}`, turn_id: turnId };
}

/** The fields of an API event of one attempt. */
export function request(ids: Payload, call: number, attempt = 0): Payload {
  return {
    ...ids,
    api_request_id: `${String(ids["turn_id"])}:api:${call}`,
    api_call_count: call,
    attempt,
    platform: "cli",
    provider: "openai",
    model: "gpt-large",
    base_url: "http://127.0.0.1/v1",
    api_mode: "chat_completions",
  };
}

const requestSize = {
  message_count: 3,
  tool_count: 5,
  approx_input_tokens: 900,
  request_char_count: 3600,
  max_tokens: null,
};

/** Start of an attempt. */
export function startAttempt(script: Script, ids: Payload, call: number, attempt = 0): void {
  const startedAt = script.at + 0.05;
  script.emit("pre_api_request", {
    ...request(ids, call, attempt),
    ...requestSize,
    retry_count: attempt,
    started_at: startedAt,
    request: { method: "POST", body: { model: "gpt-large" } },
  });
}

/** Successful end of an attempt that began `seconds` ago. */
export function endAttempt(script: Script, ids: Payload, call: number, more: Payload = {}): void {
  const attempt = Number(more["attempt"] ?? 0);
  const seconds = 0.5;
  script.emit(
    "post_api_request",
    {
      ...request(ids, call, attempt),
      api_duration: seconds,
      started_at: script.at,
      ended_at: script.at + seconds,
      finish_reason: "stop",
      message_count: 4,
      response_model: "gpt-large-2026-01-01",
      response: { model: "gpt-large-2026-01-01", finish_reason: "stop" },
      usage: usage(800, 100, 50),
      assistant_content_chars: 20,
      assistant_tool_call_count: 1,
      ...more,
    },
    seconds,
  );
}

/** Hermes' usage: input outside the cache, cache read, output. */
export function usage(input: number, cacheRead: number, output: number): Payload {
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_tokens: cacheRead,
    cache_write_tokens: 0,
    reasoning_tokens: 10,
    request_count: 1,
    prompt_tokens: input + cacheRead,
    total_tokens: input + cacheRead + output,
  };
}

/** Fields that both events of a tool call carry. */
export function call(
  ids: Payload,
  toolName: string,
  toolCallId: string,
  args: Payload = {},
): Payload {
  return {
    ...ids,
    tool_name: toolName,
    args,
    tool_call_id: toolCallId,
    api_request_id: `${String(ids["turn_id"])}:api:1`,
  };
}

/** How a call ended. */
export function outcome(status: string, more: Payload = {}): Payload {
  return { result: "{}", duration_ms: 12, status, error_type: null, error_message: null, ...more };
}

/** Begins a turn. */
export function startTurn(script: Script, ids: Payload, isFirst: boolean, text = "do it"): void {
  script.emit("pre_llm_call", {
    ...ids,
    user_message: text,
    conversation_history: [],
    is_first_turn: isFirst,
    model: "gpt-large",
    platform: "cli",
    parent_session_id: "",
    sender_id: "",
  });
}

/** Ends a turn with an answer. */
export function endTurn(script: Script, ids: Payload): void {
  script.emit("post_llm_call", {
    ...ids,
    user_message: "do it",
    assistant_response: "done",
    conversation_history: [],
    model: "gpt-large",
    platform: "cli",
  });
  script.emit("on_session_end", {
    ...ids,
    completed: true,
    failed: false,
    interrupted: false,
    turn_exit_reason: "text_response(finish_reason=stop)",
    model: "gpt-large",
    platform: "cli",
  });
}

/** Prices that fit the golden recording. */
export const prices: PriceTable = {
  currency: "USD",
  prices: [
    {
      model: "gpt-large",
      provider: "openai",
      input: 3,
      output: 15,
      cache_read: 0.3,
      cache_write: 3.75,
    },
  ],
};

/**
 * A recording in which nothing is wrong: a retried request, two parallel calls of one tool, a failing tool, an approved
 * dangerous command inside its human input, a delegated child with a session of its own, two turns, a finalize.
 */
export function golden(sessionId = "s1", options: { writer?: string } = {}): EventRecord[] {
  const script = new Script(options);
  const ids = turnIds(sessionId, `${sessionId}:t1`);
  script.emit("on_session_start", { session_id: sessionId, model: "gpt-large", platform: "cli" });
  startTurn(script, ids, true, "fix the failing test");
  startAttempt(script, ids, 1);
  script.emit(
    "api_request_error",
    {
      ...request(ids, 1),
      api_duration: 0.2,
      started_at: script.at,
      ended_at: script.at + 0.2,
      status_code: 429,
      retry_count: 0,
      max_retries: 3,
      retryable: true,
      reason: "rate_limit",
      error: { type: "RateLimitError", message: "slow down" },
      request: { method: "POST", body: {} },
    },
    0.2,
  );
  startAttempt(script, ids, 1, 1);
  endAttempt(script, ids, 1, { attempt: 1, finish_reason: "tool_calls" });
  parallelReads(script, ids);
  dangerousCommand(script, ids, sessionId);
  delegation(script, ids, sessionId);
  startAttempt(script, ids, 2);
  endAttempt(script, ids, 2);
  script.emit("transform_llm_output", {
    ...ids,
    response_text: "done",
    model: "gpt-large",
    platform: "cli",
  });
  endTurn(script, ids);
  const second = turnIds(sessionId, `${sessionId}:t2`);
  startTurn(script, second, false, "thanks");
  startAttempt(script, second, 1);
  endAttempt(script, second, 1);
  endTurn(script, second);
  script.emit("on_session_finalize", {
    session_id: sessionId,
    platform: "cli",
    reason: "shutdown",
  });
  return script.events;
}

function parallelReads(script: Script, ids: Payload): void {
  const a = call(ids, "read_file", "call_a", { path: "a.md" });
  const b = call(ids, "read_file", "call_b", { path: "b.md" });
  script.emit("pre_tool_call", a);
  script.emit("pre_tool_call", b);
  script.emit("post_tool_call", { ...b, ...outcome("ok") });
  script.emit("transform_tool_result", { ...b, ...outcome("ok") });
  script.emit("post_tool_call", {
    ...a,
    ...outcome("error", { error_type: "tool_error", error_message: "no such file" }),
  });
}

function dangerousCommand(script: Script, ids: Payload, sessionId: string): void {
  const danger = call(ids, "terminal", "call_c", { command: "rm -r ./x" });
  const input = {
    kind: "approval",
    request_id: `${sessionId}-h1`,
    session_id: sessionId,
    session_key: "",
    platform: "cli",
    prompt: "Allow rm -r ./x?",
    turn_id: ids["turn_id"],
    tool_call_id: "call_c",
  };
  const approval = {
    command: "rm -r ./x",
    description: "removes files",
    pattern_key: "rm_recursive",
    pattern_keys: ["rm_recursive"],
    session_key: "",
    surface: "cli",
    session_id: sessionId,
    turn_id: ids["turn_id"],
    tool_call_id: "call_c",
    request_id: `${sessionId}-h1`,
  };
  script.emit("pre_tool_call", danger);
  script.emit("on_human_input_request", input);
  script.emit("pre_approval_request", approval);
  script.emit("post_approval_response", { ...approval, choice: "once" }, 2);
  script.emit("on_human_input_resolved", { ...input, outcome: "once" });
  script.emit("post_tool_call", { ...danger, ...outcome("ok", { duration_ms: 40 }) });
}

function delegation(script: Script, ids: Payload, sessionId: string): void {
  const child = `${sessionId}-child`;
  const childIds = turnIds(child, `${child}:t1`);
  const delegate = call(ids, "delegate_task", "call_d", { goal: "count the words" });
  const link = {
    parent_session_id: sessionId,
    parent_turn_id: ids["turn_id"],
    parent_subagent_id: null,
    parent_tool_call_id: "call_d",
    child_session_id: child,
    child_subagent_id: "sa-0-1",
    child_role: "leaf",
  };
  script.emit("pre_tool_call", delegate);
  script.emit("subagent_start", { ...link, child_goal: "count the words" });
  script.emit("on_session_start", { session_id: child, model: "gpt-large", platform: "subagent" });
  startTurn(script, childIds, true, "count the words");
  startAttempt(script, childIds, 1);
  endAttempt(script, childIds, 1, { usage: usage(200, 0, 20) });
  endTurn(script, childIds);
  script.emit("subagent_stop", {
    ...link,
    child_summary: "12 words",
    child_status: "completed",
    duration_ms: 700,
    tool_call_history: [],
    usage: usage(200, 0, 20),
  });
  script.emit("post_tool_call", { ...delegate, ...outcome("ok", { duration_ms: 800 }) });
}
