// The specification's minimal plugin, and below it a host that runs it and checks what it saw:
//   node -C @hermes-observer/source examples/minimal-plugin/minimal-plugin.ts
import assert from "node:assert/strict";

import { countOpenSpans, spans } from "./spans.ts";

// #region minimal-plugin
import type {
  PluginContext,
  PostApiRequest,
  PostToolCall,
  PreApiRequest,
  PreToolCall,
} from "@hermes-observer/core";
import { finishLlmSpan, finishToolSpan, startLlmSpan, startToolSpan } from "./spans.ts";

export const name = "minimal-plugin";

export function register(ctx: PluginContext): void {
  ctx.registerHook("pre_api_request", onPreApiRequest);
  ctx.registerHook("post_api_request", onPostApiRequest);
  ctx.registerHook("pre_tool_call", onPreToolCall);
  ctx.registerHook("post_tool_call", onPostToolCall);
}

function onPreApiRequest({ api_request_id, turn_id, request, model }: PreApiRequest): void {
  startLlmSpan({ requestId: api_request_id, turnId: turn_id, request, model });
}

function onPostApiRequest({ api_request_id, response, usage, api_duration }: PostApiRequest): void {
  finishLlmSpan({ requestId: api_request_id, response, usage, duration: api_duration });
}

function onPreToolCall({ tool_call_id, tool_name, args }: PreToolCall): void {
  startToolSpan({ callId: tool_call_id, name: tool_name, args });
}

function onPostToolCall({ tool_call_id, result, status, duration_ms }: PostToolCall): void {
  finishToolSpan({ callId: tool_call_id, result, status, durationMs: duration_ms });
}
// #endregion

if (import.meta.main) {
  const { Hooks, Lifecycle, fixedClock } = await import("@hermes-observer/core");

  const hooks = new Hooks({ clock: fixedClock(1_800_000_000) });
  hooks.register({ name, register });
  const host = new Lifecycle(hooks, { producer: { name: "example", version: "1.0.0" } });

  const session = host.startSession({ model: "small-model" });
  const turn = await session.startTurn({ user_message: "List the files.", is_first_turn: true });
  const request = turn.startRequest({
    provider: "example",
    base_url: "http://localhost:8080/v1",
    api_mode: "chat_completions",
  });
  const attempt = request.startAttempt({
    retry_count: 0,
    message_count: 1,
    tool_count: 1,
    max_tokens: null,
    request: () => ({ method: "POST", body: { model: "small-model" } }),
  });
  attempt.ok({
    finish_reason: "tool_calls",
    response_model: "small-model",
    usage: { input_tokens: 12, output_tokens: 5 },
    assistant_content_chars: 0,
    assistant_tool_call_count: 1,
    response: () => ({ finish_reason: "tool_calls" }),
  });
  const tool = await turn.startToolCall({
    tool_name: "list_files",
    tool_call_id: "call_1",
    args: { path: "." },
  });
  tool.ok("README.md");
  turn.end({ completed: true, turn_exit_reason: "done", assistant_response: "README.md" });
  session.finalize();

  assert.equal(countOpenSpans(), 0);
  assert.deepEqual(spans, [
    {
      kind: "llm",
      id: request.api_request_id,
      started: {
        turnId: turn.turn_id,
        request: { method: "POST", body: { model: "small-model" } },
        model: "small-model",
      },
      finished: {
        response: { finish_reason: "tool_calls" },
        usage: { input_tokens: 12, output_tokens: 5 },
        duration: 0,
      },
    },
    {
      kind: "tool",
      id: "call_1",
      started: { name: "list_files", args: { path: "." } },
      finished: { result: "README.md", status: "ok", durationMs: 0 },
    },
  ]);
  assert.equal(hooks.faultCount, 0);
  process.stdout.write(`${spans.length} spans, each finished once\n`);
}
