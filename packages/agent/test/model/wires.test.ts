import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Hooks, Lifecycle } from "@hermes-observer/core";
import { recorder } from "@hermes-observer/core/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { Agent, agentProducer, createModel } from "../../src/index.ts";
import type { AgentModel, TurnResult } from "../../src/index.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hermes-wires-"));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

function events(...data: object[]): Response {
  const text = data.map((event) => `event: x\ndata: ${JSON.stringify(event)}\n\n`).join("");
  return new Response(text, { headers: { "content-type": "text/event-stream" } });
}

const started = {
  type: "message_start",
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-x-1",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: 10,
      cache_read_input_tokens: 20,
      cache_creation_input_tokens: 30,
      output_tokens: 1,
    },
  },
};
const block = (index: number, content: object, ...deltas: object[]): object[] => [
  { type: "content_block_start", index, content_block: content },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
];
const ended = (stop_reason: string): object[] => [
  {
    type: "message_delta",
    delta: { stop_reason, stop_sequence: null },
    usage: { output_tokens: 5 },
  },
  { type: "message_stop" },
];

interface Run {
  readonly result: TurnResult;
  readonly bodies: { messages: { role: string; content: unknown }[]; stream?: boolean }[];
  readonly recorded: ReturnType<typeof recorder>;
}

async function run(
  make: (fetch: typeof globalThis.fetch) => AgentModel,
  answers: Response[],
): Promise<Run> {
  const bodies: Run["bodies"] = [];
  const model = make(async (_url, init) => {
    bodies.push(JSON.parse(init?.body as string) as Run["bodies"][number]);
    return answers.shift() ?? new Response("no more", { status: 400 });
  });
  const hooks = new Hooks();
  const recorded = recorder();
  hooks.register(recorded);
  const lifecycle = new Lifecycle(hooks, { producer: agentProducer });
  const session = new Agent({
    lifecycle,
    model,
    workspace: folder,
    retry: { baseDelayMs: 1, maxDelayMs: 1, maxRetries: 1 },
  }).startSession();
  return { result: await session.send("go"), bodies, recorded };
}

const anthropic = (fetch: typeof globalThis.fetch): AgentModel =>
  createModel({
    model: "claude-x",
    baseUrl: "http://127.0.0.1:9/v1",
    apiMode: "anthropic_messages",
    apiKey: "k",
    fetch,
  });
const openai = (fetch: typeof globalThis.fetch): AgentModel =>
  createModel({ model: "openai/gpt-5", apiKey: "k", fetch });

test("Anthropic's wire: thinking goes back with its signature, and three input counts are one total", async () => {
  const { result, bodies, recorded } = await run(anthropic, [
    events(
      started,
      ...block(
        0,
        { type: "thinking", thinking: "" },
        { type: "thinking_delta", thinking: "hm" },
        { type: "signature_delta", signature: "sig-1" },
      ),
      ...block(
        1,
        { type: "tool_use", id: "toolu_1", name: "list_files", input: {} },
        { type: "input_json_delta", partial_json: "{}" },
      ),
      ...ended("tool_use"),
    ),
    events(
      started,
      ...block(0, { type: "text", text: "" }, { type: "text_delta", text: "done" }),
      ...ended("end_turn"),
    ),
  ]);

  expect(result.text).toBe("done");
  expect(bodies[1]?.messages[1]?.content).toMatchObject([
    { type: "thinking", thinking: "hm", signature: "sig-1" },
    { type: "tool_use", id: "toolu_1", name: "list_files" },
  ]);
  const [post] = recorded.take("post_api_request");
  expect(post?.payload).toMatchObject({
    provider: "anthropic",
    api_mode: "anthropic_messages",
    finish_reason: "tool_use",
    response_model: "claude-x-1",
    usage: { inputTokens: { total: 60, noCache: 10, cacheRead: 20, cacheWrite: 30 } },
  });
  expect(recorded.unpaired()).toEqual([]);
});

test("Anthropic's wire: usage of a stream that breaks off is known from its beginning", async () => {
  const { result, recorded } = await run(anthropic, [
    events(started, ...block(0, { type: "text", text: "" }, { type: "text_delta", text: "do" })),
    events(
      started,
      ...block(0, { type: "text", text: "" }, { type: "text_delta", text: "done" }),
      ...ended("end_turn"),
    ),
  ]);

  expect(result.text).toBe("done");
  expect(recorded.take("api_request_error")[0]?.payload).toMatchObject({
    reason: "incomplete_stream",
    usage: {
      inputTokens: { total: 60, noCache: 10, cacheRead: 20, cacheWrite: 30 },
      outputTokens: { total: 1 },
    },
  });
});

test("Anthropic's wire: an overloaded event is retried", async () => {
  const { result, recorded } = await run(anthropic, [
    events({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }),
    events(
      started,
      ...block(0, { type: "text", text: "" }, { type: "text_delta", text: "done" }),
      ...ended("end_turn"),
    ),
  ]);

  expect(result.text).toBe("done");
  expect(recorded.take("api_request_error")[0]?.payload.reason).toBe("overloaded");
});

const chunk = (delta: object, finish_reason: string | null = null): object => ({
  id: "c1",
  model: "gpt-5-1",
  choices: [{ index: 0, delta, finish_reason }],
});

test("OpenAI's wire: a cut stream is told from a complete one", async () => {
  const { result, recorded } = await run(openai, [
    events(chunk({ content: "do" })),
    events(chunk({ content: "done" }), chunk({}, "stop")),
  ]);

  expect(result.text).toBe("done");
  expect(recorded.take("api_request_error")[0]?.payload.reason).toBe("incomplete_stream");
  expect(recorded.take("post_api_request")[0]?.payload).toMatchObject({
    provider: "openai",
    base_url: "https://api.openai.com/v1",
    response_model: "gpt-5-1",
  });
});

test("calls of one tool that come under one index each stay apart by their ids", async () => {
  const call = (index: number, id: string): object => ({
    index,
    id,
    type: "function",
    function: { name: "read_file", arguments: JSON.stringify({ path: `${id}.md` }) },
  });
  const { recorded } = await run(openai, [
    events(
      chunk({ tool_calls: [call(0, "a"), call(1, "b"), call(2, "c")] }),
      chunk({}, "tool_calls"),
    ),
    events(chunk({ content: "done" }), chunk({}, "stop")),
  ]);

  expect(
    recorded
      .take("pre_tool_call")
      .map(({ payload }) => [payload.tool_call_id, payload.args["path"]]),
  ).toEqual([
    ["a", "a.md"],
    ["b", "b.md"],
    ["c", "c.md"],
  ]);
});

test("a stream part without a beginning and a response without a model are taken as they are", async () => {
  const { result, recorded } = await run(
    () => ({
      provider: "own",
      model: "own",
      baseUrl: "",
      apiMode: "chat_completions",
      port: {
        provider: "own",
        modelId: "own",
        doGenerate: () => Promise.reject(new Error("not used")),
        doStream: async () => ({
          stream: new ReadableStream({
            start(controller) {
              controller.enqueue({ type: "text-delta", id: "1", delta: "hello" });
              controller.enqueue({ type: "raw", rawValue: "no object" });
              controller.enqueue({
                type: "finish",
                finishReason: { unified: "stop", raw: undefined },
                usage: {
                  inputTokens: {
                    total: undefined,
                    noCache: undefined,
                    cacheRead: undefined,
                    cacheWrite: undefined,
                  },
                  outputTokens: { total: 3, text: undefined, reasoning: undefined },
                },
              });
              controller.close();
            },
          }),
        }),
      },
    }),
    [],
  );

  expect(result).toMatchObject({ text: "hello", exitReason: "text_response(finish_reason=stop)" });
  expect(recorded.take("post_api_request")[0]?.payload).toMatchObject({
    response_model: null,
    usage: { outputTokens: { total: 3 } },
  });
});

test("a stream without a last part is incomplete, also when the package does not say so", async () => {
  const { result } = await run(
    () => ({
      provider: "own",
      model: "own",
      baseUrl: "",
      apiMode: "chat_completions",
      port: {
        provider: "own",
        modelId: "own",
        doGenerate: () => Promise.reject(new Error("not used")),
        doStream: async () => ({
          stream: new ReadableStream({ start: (controller) => controller.close() }),
        }),
      },
    }),
    [],
  );

  expect(result.exitReason).toBe("api_error(incomplete_stream)");
});
