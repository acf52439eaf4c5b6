import { Hooks, Lifecycle } from "@hermes-observer/core";
import { expect, test } from "vitest";

import { Agent, AgentError, agentProducer, createModel, standardTools } from "../src/index.ts";
import { calls, problemsOf, rig, toolEnds } from "./run-scripted.ts";

test("turns of a session share its history and id, and start fires once", async () => {
  await using run = await rig([{ text: "one" }, { text: "two" }]);

  const first = await run.send("a");
  const second = await run.send("b");
  run.session.finalize("exit");

  expect(second.sessionId).toBe(first.sessionId);
  expect(second.turnId).not.toBe(first.turnId);
  expect(
    run.server.requests[1]?.body.messages?.map(({ role, content }) => [role, content]).slice(1),
  ).toEqual([
    ["user", "a"],
    ["assistant", "one"],
    ["user", "b"],
  ]);
  const turn = [
    "pre_llm_call",
    "pre_api_request",
    "post_api_request",
    "transform_llm_output",
    "post_llm_call",
    "on_session_end",
  ];
  expect(run.recorded.hooks()).toEqual([
    "on_session_start",
    ...turn,
    ...turn,
    "on_session_finalize",
  ]);
  expect(problemsOf(run)).toEqual([]);
});

test("the API hooks say what was asked and what it weighs", async () => {
  const usage = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 };
  await using run = await rig([{ text: "hello", usage, model: "scripted-2" }], {
    systemPrompt: "be brief",
    limits: { maxOutputTokens: 99 },
  });

  await run.send("hi");

  const [pre] = run.recorded.take("pre_api_request");
  const [post] = run.recorded.take("post_api_request");
  expect(pre?.payload).toMatchObject({
    model: "scripted",
    provider: "openai-compatible",
    base_url: run.server.baseUrl,
    api_mode: "chat_completions",
    api_call_count: 1,
    message_count: 2,
    tool_count: 6,
    max_tokens: 99,
    request: {
      method: "POST",
      body: {
        model: "scripted",
        messages: [
          { role: "system", content: "be brief" },
          { role: "user", content: "hi" },
        ],
        max_tokens: 99,
        stream: true,
      },
    },
  });
  expect(pre?.payload.request_char_count).toBeGreaterThan(10);
  expect(pre?.payload.approx_input_tokens).toBe(
    Math.ceil((pre?.payload.request_char_count ?? 0) / 4),
  );
  expect(post?.payload).toMatchObject({
    finish_reason: "stop",
    response_model: "scripted-2",
    assistant_content_chars: 5,
    assistant_tool_call_count: 0,
    response: {
      model: "scripted-2",
      finish_reason: "stop",
      assistant_message: { role: "assistant", content: "hello" },
      usage: { inputTokens: { total: 5 }, raw: usage },
    },
  });
  const { first_chunk_at: first, started_at: started, ended_at: ended } = post?.payload ?? {};
  expect(Number(first)).toBeGreaterThanOrEqual(Number(started));
  expect(Number(first)).toBeLessThanOrEqual(Number(ended));
  expect(run.server.requests[0]?.body).toMatchObject({ max_tokens: 99, stream: true });
});

test("an answer that is not streamed has no first chunk, and the rest is the same", async () => {
  await using run = await rig(
    [{ reasoning: "hm", ...calls(["list_files", {}]) }, { text: "done" }],
    { isStreaming: false },
  );

  const result = await run.send("hi");

  expect(result.text).toBe("done");
  expect(
    run.recorded.take("post_api_request").map(({ payload }) => payload.first_chunk_at),
  ).toEqual([null, null]);
  expect(toolEnds(run)).toEqual(["list_files ok -"]);
  expect(run.server.requests[1]?.body.messages?.[2]).toMatchObject({
    role: "assistant",
    reasoning_content: "hm",
  });
});

test("reasoning goes back to the model with the calls that it led to", async () => {
  await using run = await rig([
    { reasoning: ["h", "m"], ...calls(["list_files", {}]) },
    { text: "done" },
  ]);

  await run.send("hi");

  expect(run.server.requests[1]?.body.messages?.[2]).toMatchObject({
    role: "assistant",
    reasoning_content: "hm",
  });
  expect(run.recorded.take("pre_api_request")[1]?.payload.request).toMatchObject({
    body: {
      messages: [
        {},
        {},
        { reasoning_content: "hm", tool_calls: [{}] },
        { role: "tool", content: "(no files)" },
      ],
    },
  });
});

test("arguments that are no JSON go back in a form that a provider takes", async () => {
  await using run = await rig([
    calls(["list_files", "{oops"], ["list_files", ""]),
    { text: "done" },
  ]);

  await run.send("hi");

  const sent = run.server.requests[1]?.body.messages?.[2] as unknown as {
    tool_calls: { function: { arguments: string } }[];
  };
  expect(sent.tool_calls.map((call) => JSON.parse(call.function.arguments) as unknown)).toEqual([
    { malformed_json: "{oops" },
    {},
  ]);
});

test("a session runs one turn at a time", async () => {
  await using run = await rig([{ text: "one", delayMs: 20 }]);

  const first = run.send("a");

  await expect(run.send("b")).rejects.toThrow("AGENT_SESSION_BUSY");
  expect((await first).text).toBe("one");
});

test("a session that is over takes no message, and ends once", async () => {
  await using run = await rig([]);

  run.session.finalize();
  run.session.finalize();

  await expect(run.send("a")).rejects.toThrow("AGENT_SESSION_CLOSED");
  expect(run.recorded.hooks()).toEqual(["on_session_finalize"]);
});

test("a reset leaves for an empty conversation with a new id", async () => {
  await using run = await rig([{ text: "one" }, { text: "two" }]);
  await run.send("a");

  using next = run.session.reset("new");
  await next.send("b");

  expect(next.session_id).not.toBe(run.session.session_id);
  expect(run.server.requests[1]?.body.messages).toHaveLength(2);
  const hooks = run.recorded.hooks();
  expect(
    hooks.slice(hooks.indexOf("on_session_finalize"), hooks.indexOf("on_session_finalize") + 3),
  ).toEqual(["on_session_finalize", "on_session_reset", "on_session_start"]);
});

test("two sessions of one agent do not mix", async () => {
  const steps = (name: string): object => ({
    name,
    match: { user: name },
    steps: [{ ...calls(["list_files", {}]), delayMs: 3 }, { text: `for ${name}` }],
  });
  await using run = await rig({ conversations: [steps("ada"), steps("bob")] } as never);
  const agent = new Agent({
    lifecycle: run.lifecycle,
    model: createModel({ model: "scripted", baseUrl: run.server.baseUrl, env: {} }),
    workspace: run.workspace,
  });
  using ada = agent.startSession({ session_id: "s-ada" });
  using bob = agent.startSession();

  const results = await Promise.all([ada.send("ada", { sender_id: "u1" }), bob.send("bob")]);

  expect(results.map(({ text }) => text)).toEqual(["for ada", "for bob"]);
  expect(results[0]?.sessionId).toBe("s-ada");
  const [turn] = run.recorded
    .take("pre_llm_call")
    .filter(({ payload }) => payload.session_id === "s-ada");
  expect(turn?.payload.sender_id).toBe("u1");
  const calledBy = run.recorded.take("post_tool_call").map(({ payload }) => payload.session_id);
  expect(new Set(calledBy)).toEqual(new Set([ada.session_id, bob.session_id]));
  expect(problemsOf(run)).toEqual([]);
});

test("an agent without a system prompt and without tools sends neither", async () => {
  await using run = await rig([{ text: "plain" }], { systemPrompt: "", tools: [] });

  await run.send("hi");

  expect(run.server.requests[0]?.body.messages).toHaveLength(1);
  expect(run.server.requests[0]?.body).not.toHaveProperty("tools");
  expect(run.recorded.take("pre_api_request")[0]?.payload).toMatchObject({
    message_count: 1,
    tool_count: 0,
  });
});

test("two tools of one name and a folder that is not there are refused at the start", () => {
  const lifecycle = new Lifecycle(new Hooks(), { producer: agentProducer });
  const model = createModel({ model: "m", baseUrl: "http://127.0.0.1:9/v1", env: {} });
  const make =
    (workspace: string, tools = standardTools()): (() => Agent) =>
    () =>
      new Agent({ lifecycle, model, workspace, tools });

  expect(make("/no/such/folder")).toThrow("AGENT_INVALID_OPTION");
  expect(make(".", [...standardTools(), ...standardTools()])).toThrow(
    'two tools are called "terminal"',
  );
  expect(AgentError.isInstance(new Error("x"))).toBe(false);
});

test.each([
  ["limits", { idleTimeoutMs: 2_147_483_647 }, true],
  ["limits", { idleTimeoutMs: 2_147_483_648 }, false],
  ["limits", { maxSteps: 0 }, true],
  ["limits", { maxSteps: -1 }, false],
  ["limits", { maxSteps: Number.NaN }, false],
  ["limits", { maxOutputTokens: null }, true],
  ["retry", { maxRetries: 0 }, true],
  ["retry", { baseDelayMs: Number.POSITIVE_INFINITY }, false],
])("%s %j: taken is %s", (option, numbers, isTaken) => {
  const lifecycle = new Lifecycle(new Hooks(), { producer: agentProducer });
  const model = createModel({ model: "m", baseUrl: "http://127.0.0.1:9/v1", env: {} });
  const make = (): Agent => new Agent({ lifecycle, model, workspace: ".", [option]: numbers });

  if (isTaken) expect(make()).toBeInstanceOf(Agent);
  else expect(make).toThrow("AGENT_INVALID_OPTION");
});

test("the capability row names every hook that the agent was seen to fire", async () => {
  await using run = await rig([calls(["list_files", {}]), { text: "done" }]);
  await run.send("hi");
  run.session.finalize();

  for (const hook of run.recorded.hooks()) expect(agentProducer.capabilities?.[hook]).toBe("full");
});
