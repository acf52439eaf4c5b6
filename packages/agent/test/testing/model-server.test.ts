import { createConnection } from "node:net";

import { afterEach, expect, test } from "vitest";

import { AgentError } from "../../src/index.ts";
import { startModelServer } from "../../src/testing/index.ts";
import type { ModelScript, ModelServer, ScriptStep } from "../../src/testing/index.ts";

let server: ModelServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function start(script: ModelScript | readonly ScriptStep[]): Promise<ModelServer> {
  const whole =
    "conversations" in script ? script : { conversations: [{ name: "main", steps: script }] };
  server = await startModelServer({ script: whole });
  return server;
}

function ask(target: ModelServer, body: object, signal?: AbortSignal): Promise<Response> {
  return fetch(`${target.baseUrl}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }], ...body }),
    ...(signal === undefined ? {} : { signal }),
  });
}

function mismatch(target: ModelServer): string {
  try {
    target.assertConsumed();
  } catch (error) {
    if (AgentError.isInstance(error) && error.code === "AGENT_SCRIPT_MISMATCH")
      return error.message;
    throw error;
  }
  return "";
}

const usage = {
  prompt_tokens: 10,
  completion_tokens: 4,
  prompt_tokens_details: { cached_tokens: 8 },
  completion_tokens_details: { reasoning_tokens: 3 },
};
const full: ScriptStep = {
  reasoning: ["hm ", "ok"],
  text: ["a", "b"],
  toolCalls: [
    { name: "one", arguments: { x: 1 } },
    { id: "own", name: "two", arguments: "not json" },
  ],
  usage,
};

test("a whole answer holds text, reasoning, calls and the exact usage", async () => {
  const target = await start([full]);

  const body = (await (await ask(target, {})).json()) as Record<string, unknown>;

  expect(body).toEqual({
    id: "chatcmpl-main-0",
    object: "chat.completion",
    created: 0,
    model: "m",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: "ab",
          reasoning_content: "hm ok",
          tool_calls: [
            {
              id: "call_main_0",
              type: "function",
              function: { name: "one", arguments: '{"x":1}' },
            },
            { id: "own", type: "function", function: { name: "two", arguments: "not json" } },
          ],
        },
        finish_reason: "tool_calls",
      },
    ],
    usage,
  });
});

test("a streamed answer says the same in chunks and ends with [DONE]", async () => {
  const target = await start([full]);

  const text = await (await ask(target, { stream: true })).text();

  const data = text
    .trimEnd()
    .split("\n\n")
    .map((frame) => frame.replace(/^data: /, ""));
  expect(data.at(-1)).toBe("[DONE]");
  const chunks = data
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { choices: { delta: object }[]; usage?: unknown });
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage });
  const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
  expect(deltas).toEqual([
    { role: "assistant", content: "" },
    { reasoning_content: "hm " },
    { reasoning_content: "ok" },
    { content: "a" },
    { content: "b" },
    {
      tool_calls: [
        { index: 0, id: "call_main_0", type: "function", function: { name: "one", arguments: "" } },
      ],
    },
    { tool_calls: [{ index: 0, function: { arguments: '{"x"' } }] },
    { tool_calls: [{ index: 0, function: { arguments: ":1}" } }] },
    {
      tool_calls: [
        { index: 1, id: "own", type: "function", function: { name: "two", arguments: "" } },
      ],
    },
    { tool_calls: [{ index: 1, function: { arguments: "not " } }] },
    { tool_calls: [{ index: 1, function: { arguments: "json" } }] },
    {},
  ]);
});

test("the same script and requests give the same bytes", async () => {
  const bytes = async (splitBytes?: number): Promise<string> => {
    const target = await start([{ ...full, ...(splitBytes === undefined ? {} : { splitBytes }) }]);
    return (await ask(target, { stream: true })).text();
  };

  const first = await bytes();

  expect(await bytes()).toBe(first);
  expect(await bytes(3)).toBe(first);
});

test("requests are kept in order of arrival, exactly as they came", async () => {
  const target = await start([{ text: "a" }, { text: "b" }]);
  const raw = '{ "model":"m",  "messages": [] }';

  await fetch(`${target.baseUrl}/chat/completions`, { method: "POST", body: raw });
  await ask(target, {});

  expect(target.requests[0]?.rawBody).toBe(raw);
  expect(target.requests.map(({ conversation, step }) => `${conversation} ${step}`)).toEqual([
    "main 0",
    "main 1",
  ]);
  target.assertConsumed();
});

test("conversations take their own steps, told apart by system prompt and last user message", async () => {
  const target = await start({
    conversations: [
      {
        name: "child",
        match: { system: "child", user: "task" },
        steps: [{ text: "from the child" }],
      },
      { name: "other", match: { user: "task" }, steps: [{ text: "from the other" }] },
      { name: "rest", steps: [{ text: "from the rest" }] },
    ],
  });
  const say = async (messages: object[]): Promise<string> => {
    const body = (await (await ask(target, { messages })).json()) as {
      choices: { message: { content: string } }[];
    };
    return body.choices[0]?.message.content ?? "";
  };

  expect(await say([{ role: "user", content: [{ type: "text", text: "hello" }] }])).toBe(
    "from the rest",
  );
  expect(
    await say([
      { role: "system", content: "be a child" },
      { role: "user", content: "the task" },
    ]),
  ).toBe("from the child");
  expect(await say([{ role: "user", content: [{ type: "text", text: "the task" }] }])).toBe(
    "from the other",
  );
});

test("a request without a step is refused and reported", async () => {
  const target = await start([]);

  const response = await ask(target, {});

  expect(response.status).toBe(400);
  expect(mismatch(target)).toContain(
    '"main", request 1: the script has no step left; it ends with "hi"',
  );
});

test("a request that fits no conversation is refused and reported, shortened", async () => {
  const target = await start({ conversations: [{ name: "a", match: { user: "x" }, steps: [] }] });

  expect(
    (await ask(target, { messages: [{ role: "user", content: "y".repeat(500) }] })).status,
  ).toBe(400);
  expect(mismatch(target)).toMatch(/no conversation fits a request that ends with "y{120}…"/);
});

test("an expectation that does not hold is refused and reported, and its step stays", async () => {
  const target = await start([{ expect: "ho", text: "a" }]);

  expect((await ask(target, {})).status).toBe(400);
  expect(mismatch(target)).toMatch(
    /expected "ho" in the last message, got "hi"; "main": 1 of 1 steps left/,
  );
});

test("steps that nobody asked for are reported", async () => {
  const target = await start([{ text: "a" }, { text: "b" }]);
  await ask(target, {});

  expect(mismatch(target)).toContain('"main": 1 of 2 steps left');
});

test("a body that is not JSON fits nothing and breaks nothing", async () => {
  const target = await start({ conversations: [{ name: "a", match: { user: "x" }, steps: [] }] });

  for (const body of ["{", "null", ""]) {
    const response = await fetch(`${target.baseUrl}/chat/completions`, { method: "POST", body });
    expect(response.status).toBe(400);
  }
  expect(target.mismatches).toHaveLength(3);
});

test("the models are listed, and there is nothing else", async () => {
  const target = await start({ models: ["one", "two"], conversations: [] });

  const list = (await (await fetch(`${target.baseUrl}/models`)).json()) as {
    data: { id: string }[];
  };

  expect(list.data.map(({ id }) => id)).toEqual(["one", "two"]);
  expect((await fetch(`${target.baseUrl}/other`)).status).toBe(404);
});

test("onRequest sees a request before it is answered", async () => {
  const seen: string[] = [];
  server = await startModelServer({
    script: { conversations: [{ name: "main", steps: [{ text: "a" }] }] },
    onRequest: ({ rawBody }) => void seen.push(rawBody),
  });

  await ask(server, {});

  expect(seen).toHaveLength(1);
});

test("it listens on the loopback interface only, and closing it takes hanging connections down", async () => {
  const target = await start([{ fault: { kind: "hang" } }]);
  const { hostname, port } = new URL(target.baseUrl);
  const hanging = ask(target, {});
  await expect.poll(() => target.requests.length).toBe(1);

  await target.close();

  expect(hostname).toBe("127.0.0.1");
  await expect(hanging).rejects.toThrow();
  const refused = await new Promise<string | undefined>((resolve) => {
    createConnection(Number(port), hostname).on("error", (error: NodeJS.ErrnoException) =>
      resolve(error.code),
    );
  });
  expect(refused).toBe("ECONNREFUSED");
});

test("a client that goes away in the middle of an answer leaves the server standing", async () => {
  const target = await start([
    { text: Array.from({ length: 50 }, () => "x".repeat(100)), splitBytes: 1, chunkDelayMs: 1 },
    { text: "still here" },
  ]);
  const controller = new AbortController();
  const response = await ask(target, { stream: true }, controller.signal);
  controller.abort();

  await expect(response.text()).rejects.toThrow();
  expect((await ask(target, {})).status).toBe(200);
});

test("a port that is taken is an error of starting", async () => {
  const target = await start([]);
  const port = Number(new URL(target.baseUrl).port);

  await expect(startModelServer({ script: { conversations: [] }, port })).rejects.toThrow(
    "EADDRINUSE",
  );
});

test.each([
  [{ kind: "error_event", error: { message: "x" } }, 200, '{"error":{"message":"x"}}'],
  [{ kind: "malformed", data: "nonsense" }, 200, "nonsense"],
  [
    { kind: "status", status: 418, headers: { "x-y": "z" } },
    418,
    '{"error":{"message":"scripted status 418","type":"scripted"}}',
  ],
] as const)("not streamed, %j answers as scripted", async (fault, status, text) => {
  const target = await start([{ text: "a", fault }]);

  const response = await ask(target, {});

  expect(response.status).toBe(status);
  expect(await response.text()).toBe(text);
});
