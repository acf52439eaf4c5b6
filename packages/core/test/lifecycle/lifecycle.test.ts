import { describe, expect, test } from "vitest";
import { fixedClock, Hooks, Lifecycle, seededIds } from "@hermes-observer/core";
import type { Clock, SessionHandle, ToolHandle, TurnHandle } from "@hermes-observer/core";
import { recorder } from "@hermes-observer/core/testing";
import type { Recorder } from "@hermes-observer/core/testing";

const producer = { name: "test-host", version: "1.0.0" };

function steppingClock(step = 0.25): Clock {
  let time = 0;
  return { now: () => 1_800_000_000 + time, monotonic: () => (time += step) };
}

interface Rig {
  readonly hooks: Hooks;
  readonly lifecycle: Lifecycle;
  readonly seen: Recorder;
  readonly session: SessionHandle;
}

function rig(clock: Clock = fixedClock(1_800_000_000)): Rig {
  const hooks = new Hooks({ writer: "w", clock });
  const seen = recorder();
  hooks.register(seen);
  const lifecycle = new Lifecycle(hooks, { producer, ids: seededIds(1) });
  return {
    hooks,
    lifecycle,
    seen,
    session: lifecycle.startSession({ model: "m", session_id: "s1" }),
  };
}

const turnOptions = { user_message: "tidy up", is_first_turn: true };
const requestOptions = {
  provider: "openai",
  base_url: "http://127.0.0.1/v1",
  api_mode: "chat_completions",
};
const attemptOptions = {
  retry_count: 0,
  message_count: 2,
  tool_count: 1,
  max_tokens: null,
  request: () => ({ method: "POST", body: { messages: [] } }),
};
const result = {
  finish_reason: "stop",
  response_model: "m-1",
  usage: { input_tokens: 3, output_tokens: 4 },
  assistant_content_chars: 2,
  assistant_tool_call_count: 0,
  response: () => ({ content: "ok" }),
};
const failure = {
  error: new TypeError("slow down"),
  status_code: 429,
  max_retries: 3,
  retryable: true,
  reason: "rate_limit",
};
const callOptions = {
  tool_name: "terminal",
  args: { command: "ls" },
  tool_call_id: "c1",
  api_request_id: "r1",
};
const approvalOptions = {
  command: "rm -rf build",
  description: "recursive delete",
  pattern_key: "rm_rf",
  surface: "cli",
};

async function openTool(turn: TurnHandle): Promise<ToolHandle> {
  return turn.startToolCall(callOptions);
}

describe("a whole turn", () => {
  test("fires the hooks of the contract in order, each pair closed once", async () => {
    const { seen, session } = rig();

    const turn = await session.startTurn(turnOptions);
    const request = turn.startRequest(requestOptions);
    request.startAttempt(attemptOptions).error(failure);
    request.startAttempt({ ...attemptOptions, retry_count: 1 }).ok(result);
    const tool = await openTool(turn);
    const human = tool.requestHumanInput({ kind: "approval", prompt: "may I?" });
    human.requestApproval(approvalOptions).respond("once");
    human.resolve("once");
    const child = tool.startSubagent({ child_goal: "summarise" });
    child.stop({ child_status: "completed", child_summary: "done" });
    tool.ok("fine");
    const toModel = await tool.transformResult("fine");
    const text = await turn.transformOutput("all tidy");
    turn.end({
      completed: true,
      turn_exit_reason: "text_response(finish_reason=stop)",
      assistant_response: text,
    });
    session.finalize("shutdown");

    expect(seen.hooks()).toEqual([
      "on_session_start",
      "pre_llm_call",
      "pre_api_request",
      "api_request_error",
      "pre_api_request",
      "post_api_request",
      "pre_tool_call",
      "on_human_input_request",
      "pre_approval_request",
      "post_approval_response",
      "on_human_input_resolved",
      "subagent_start",
      "subagent_stop",
      "post_tool_call",
      "transform_tool_result",
      "transform_llm_output",
      "post_llm_call",
      "on_session_end",
      "on_session_finalize",
    ]);
    expect(seen.unpaired()).toEqual([]);
    expect([toModel, text]).toEqual(["fine", "all tidy"]);
  });

  test("two attempts of one request share its id and are told apart by their ordinal", async () => {
    const { seen, session } = rig();

    const turn = await session.startTurn(turnOptions);
    const request = turn.startRequest(requestOptions);
    request.startAttempt(attemptOptions).error(failure);
    request.startAttempt({ ...attemptOptions, retry_count: 1, model: "fallback" }).ok(result);
    const next = turn.startRequest(requestOptions).startAttempt(attemptOptions);

    const pre = seen.take("pre_api_request").map(({ payload }) => payload);
    expect(
      pre.map(({ attempt, api_call_count, model }) => [attempt, api_call_count, model]),
    ).toEqual([
      [0, 1, "m"],
      [1, 1, "fallback"],
      [0, 2, "m"],
    ]);
    expect(pre[0]?.api_request_id).toBe(pre[1]?.api_request_id);
    expect(pre[2]?.api_request_id).not.toBe(pre[0]?.api_request_id);
    expect(seen.find("api_request_error")?.payload).toMatchObject({
      attempt: 0,
      status_code: 429,
      retry_count: 0,
      max_retries: 3,
      retryable: true,
      reason: "rate_limit",
      error: { type: "TypeError", message: "slow down" },
    });
    next[Symbol.dispose]();
  });

  test("durations come from the monotonic clock in the unit of their field, wall times stay what they were", async () => {
    let wall = 1_800_000_000;
    let monotonic = 5;
    const { seen, session } = rig({ now: () => wall, monotonic: () => monotonic });

    const turn = await session.startTurn(turnOptions);
    const attempt = turn.startRequest(requestOptions).startAttempt(attemptOptions);
    monotonic += 0.5;
    attempt.firstChunk();
    monotonic += 1;
    wall -= 3600;
    attempt.firstChunk();
    attempt.ok(result);
    const tool = await openTool(turn);
    monotonic += 0.0426;
    tool.ok("x");

    expect(seen.find("post_api_request")?.payload).toMatchObject({
      started_at: 1_800_000_000,
      first_chunk_at: 1_800_000_000.5,
      ended_at: 1_800_000_001.5,
      api_duration: 1.5,
    });
    expect(seen.find("post_tool_call")?.payload.duration_ms).toBe(43);
  });
});

describe("closing", () => {
  test.each<[string, (turn: TurnHandle) => Promise<void>, string[]]>([
    [
      "attempt",
      async (turn) => void turn.startRequest(requestOptions).startAttempt(attemptOptions),
      ["api_request_error"],
    ],
    ["tool", async (turn) => void (await openTool(turn)), ["post_tool_call"]],
    [
      "human input",
      async (turn) => void turn.requestHumanInput({ kind: "sudo", prompt: "password?" }),
      ["on_human_input_resolved"],
    ],
    [
      "approval",
      async (turn) => void (await openTool(turn)).requestApproval(approvalOptions),
      ["post_approval_response", "post_tool_call"],
    ],
    [
      "approval in a human input in a tool",
      async (turn) => {
        const human = (await openTool(turn)).requestHumanInput({
          kind: "approval",
          prompt: "may I?",
        });
        human.requestApproval(approvalOptions);
      },
      ["post_approval_response", "on_human_input_resolved", "post_tool_call"],
    ],
    ["subagent", async (turn) => void turn.startSubagent({ child_goal: "x" }), ["subagent_stop"]],
  ])("the end of a turn closes an open %s, innermost first", async (_name, open, closes) => {
    const { seen, session } = rig();
    const turn = await session.startTurn(turnOptions);
    await open(turn);

    turn.end({ interrupted: true, turn_exit_reason: "interrupted_by_user" });

    expect(seen.hooks().slice(-closes.length - 1)).toEqual([...closes, "on_session_end"]);
    expect(seen.unpaired()).toEqual([]);
  });

  test("using closes what an exception left open, with the status of something left", async () => {
    const { seen, lifecycle, hooks } = rig();
    const act = async (): Promise<void> => {
      using session = lifecycle.startSession({ model: "m" });
      using turn = await session.startTurn(turnOptions);
      using tool = await openTool(turn);
      using attempt = turn.startRequest(requestOptions).startAttempt(attemptOptions);
      throw new Error(`${tool.tool_name} ${attempt.attempt}`);
    };

    await expect(act()).rejects.toThrow("terminal 0");

    expect(seen.find("api_request_error")?.payload).toMatchObject({
      reason: "interrupted",
      retryable: false,
    });
    expect(seen.find("post_tool_call")?.payload).toMatchObject({
      status: "cancelled",
      error_type: "tool_interrupted",
    });
    expect(seen.find("on_session_end")?.payload).toMatchObject({
      interrupted: true,
      completed: false,
      turn_exit_reason: "abandoned",
    });
    expect(seen.find("on_session_finalize")?.payload).toMatchObject({ reason: "disposed" });
    expect(seen.find("post_llm_call")).toBeUndefined();
    expect([seen.unpaired(), hooks.faultCount]).toEqual([[], 0]);
  });

  test("a second close fires nothing and is counted", async () => {
    const { seen, session, lifecycle } = rig();
    const turn = await session.startTurn(turnOptions);
    const tool = await openTool(turn);
    const attempt = turn.startRequest(requestOptions).startAttempt(attemptOptions);
    const human = turn.requestHumanInput({ kind: "clarify", prompt: "which?" });
    const approval = human.requestApproval(approvalOptions);
    const child = turn.startSubagent({ child_goal: "x" });
    turn.end({ completed: true, turn_exit_reason: "done" });
    session.finalize();
    const before = seen.events.length;

    tool.ok("late");
    attempt.ok(result);
    attempt.interrupted();
    approval.respond("once");
    human.resolve("submitted");
    child.stop({ child_status: "completed", child_summary: null });
    turn.end({ turn_exit_reason: "again" });
    session.finalize();

    expect(seen.events.length).toBe(before);
    expect(lifecycle.deviations.get("late_close")).toBe(8);
  });

  test.each([
    ["ok", (tool: ToolHandle) => tool.ok("r"), null],
    ["error", (tool: ToolHandle) => tool.error({ message: "exit 1", result: "out" }), "tool_error"],
    ["blocked", (tool: ToolHandle) => tool.blocked({ message: "no" }), "plugin_block"],
    ["cancelled", (tool: ToolHandle) => tool.cancelled(), "user_interrupt"],
    ["timeout", (tool: ToolHandle) => tool.timeout({ message: "420 s" }), "tool_timeout"],
  ] as const)("a tool closes with the status %s", async (status, close, errorType) => {
    const { seen, session } = rig();
    const tool = await openTool(await session.startTurn(turnOptions));

    close(tool);

    expect(seen.find("post_tool_call")?.payload).toMatchObject({
      status,
      error_type: errorType,
      tool_call_id: "c1",
    });
  });

  test("a call that cannot run fires both of its hooks", async () => {
    const { seen, session } = rig();
    const turn = await session.startTurn(turnOptions);

    turn.rejectToolCall({
      ...callOptions,
      status: "error",
      error_type: "invalid_tool_arguments",
      error_message: "not JSON",
    });

    expect(seen.hooks().slice(-2)).toEqual(["pre_tool_call", "post_tool_call"]);
    expect(seen.find("post_tool_call")?.payload).toMatchObject({
      status: "error",
      duration_ms: 0,
      result: null,
    });
  });
});

describe("sessions", () => {
  test("start fires once, at the first turn; end fires per turn; a resumed session has no start", async () => {
    const { seen, session, lifecycle } = rig();
    for (const is_first_turn of [true, false]) {
      const turn = await session.startTurn({ user_message: "x", is_first_turn });
      turn.end({ completed: true, turn_exit_reason: "done", assistant_response: "y" });
    }
    const resumed = lifecycle.startSession({ model: "m", session_id: "s0", resumed: true });
    (await resumed.startTurn(turnOptions)).end({ turn_exit_reason: "done" });

    expect(seen.take("on_session_start").map(({ payload }) => payload.session_id)).toEqual(["s1"]);
    expect(seen.take("on_session_end")).toHaveLength(3);
    expect(seen.find("on_session_start")?.payload.producer).toEqual(producer);
  });

  test("a reset finalises the old identity, then fires reset, and start with the first turn of the new one", async () => {
    const { seen, session } = rig();
    await session.startTurn(turnOptions);

    const next = session.reset({ reason: "new", new_session_id: "s2" });
    const before = seen.hooks();
    await next.startTurn(turnOptions);

    expect(before.slice(-3)).toEqual(["on_session_end", "on_session_finalize", "on_session_reset"]);
    expect(seen.find("on_session_finalize")?.payload).toMatchObject({
      session_id: "s1",
      new_session_id: "s2",
      reason: "new",
    });
    expect(seen.find("on_session_reset")?.payload).toMatchObject({
      session_id: "s2",
      old_session_id: "s1",
    });
    expect(seen.take("on_session_start").map(({ payload }) => payload.session_id)).toEqual([
      "s1",
      "s2",
    ]);
    expect([session.isOpen, next.isOpen]).toEqual([false, true]);
  });

  test("a child runs in its own session, linked by ids on both sides", async () => {
    const { seen, session, lifecycle } = rig();
    const tool = await openTool(await session.startTurn(turnOptions));
    const child = tool.startSubagent({ child_goal: "summarise", child_role: "leaf" });
    const childSession = lifecycle.startSession({
      model: "m",
      session_id: child.child_session_id,
      platform: "subagent",
    });
    await childSession.startTurn({
      ...turnOptions,
      parent_session_id: "s1",
      parent_subagent_id: child.child_subagent_id,
    });
    childSession.finalize();
    child.stop({
      child_status: "completed",
      child_summary: "done",
      usage: { input_tokens: 1 },
      child_exit_reason: "completed",
    });

    const start = seen.find("subagent_start")?.payload;
    expect(start).toMatchObject({
      parent_session_id: "s1",
      parent_tool_call_id: "c1",
      parent_subagent_id: null,
      child_goal: "summarise",
    });
    expect(seen.find("subagent_stop")?.payload).toMatchObject({
      child_session_id: start?.child_session_id,
      child_subagent_id: start?.child_subagent_id,
      usage: { input_tokens: 1 },
    });
    expect(
      seen.find("pre_llm_call", (payload) => payload.platform === "subagent")?.payload
        .parent_session_id,
    ).toBe("s1");
  });
});

describe("deciders and builders", () => {
  test("context, changed arguments, replaced result and replaced text reach the host, observers see what became of them", async () => {
    const { hooks, seen, session } = rig();
    hooks.register({
      name: "decider",
      register: (ctx) => {
        ctx.registerHook("pre_llm_call", () => ({ context: "be brief" }), { decides: true });
        ctx.registerHook("pre_tool_call", () => ({ action: "modify", args: { command: "pwd" } }), {
          decides: true,
        });
        ctx.registerHook("transform_tool_result", ({ result: text }) => `${String(text)}!`, {
          decides: true,
        });
        ctx.registerHook("transform_llm_output", () => "replaced", { decides: true });
      },
    });

    const turn = await session.startTurn(turnOptions);
    const tool = await openTool(turn);
    tool.ok("fine");

    expect(turn.context).toBe("be brief");
    expect(tool.decision).toEqual({ action: "run", args: { command: "pwd" } });
    expect(seen.find("pre_tool_call")?.payload.args).toEqual({ command: "pwd" });
    expect(await tool.transformResult("fine")).toBe("fine!");
    expect(seen.find("transform_tool_result")?.payload.result).toBe("fine!");
    expect(await turn.transformOutput("x")).toBe("replaced");
    expect(seen.find("transform_llm_output")?.payload.response_text).toBe("replaced");
  });

  test("a blocked call still fires its pre hook, with the arguments that were asked for", async () => {
    const { hooks, seen, session } = rig();
    hooks.register({
      name: "guard",
      register: (ctx) =>
        void ctx.registerHook("pre_tool_call", () => ({ action: "block", message: "no" }), {
          decides: true,
        }),
    });

    const tool = await openTool(await session.startTurn(turnOptions));
    tool.blocked({ message: "no" });

    expect(tool.decision).toEqual({ action: "block", message: "no", plugin: "guard" });
    expect(seen.find("pre_tool_call")?.payload.args).toEqual({ command: "ls" });
    expect(seen.find("post_tool_call")?.payload).toMatchObject({
      status: "blocked",
      error_type: "plugin_block",
    });
  });

  test("builders are not called when nobody listens", async () => {
    const hooks = new Hooks();
    const lifecycle = new Lifecycle(hooks, { producer });
    let built = 0;
    const build = (): object => ({ built: (built += 1) });

    const turn = await lifecycle.startSession({ model: "m" }).startTurn(turnOptions);
    const request = turn.startRequest(requestOptions);
    request.startAttempt({ ...attemptOptions, request: build }).ok({ ...result, response: build });
    request.startAttempt({ ...attemptOptions, request: build }).error(failure);
    (await openTool(turn)).ok("x");
    turn.end({ turn_exit_reason: "done", assistant_response: "x" });

    expect(built).toBe(0);
  });

  test("a builder that throws is a fault of the host and harms nobody", async () => {
    const { hooks, seen, session } = rig();
    const turn = await session.startTurn(turnOptions);
    const broken = (): object => {
      throw new Error("no");
    };

    const attempt = turn
      .startRequest(requestOptions)
      .startAttempt({ ...attemptOptions, request: broken });
    attempt.ok({ ...result, response: broken });
    turn.end({ turn_exit_reason: "done" });

    expect([seen.take("pre_api_request"), seen.take("post_api_request"), hooks.faultCount]).toEqual(
      [[], [], 2],
    );
    expect(seen.take("on_session_end")).toHaveLength(1);
  });

  test.each<[unknown, { type: string; message: string }]>([
    ["text", { type: "string", message: "text" }],
    [undefined, { type: "undefined", message: "undefined" }],
    [{ message: "m" }, { type: "Error", message: "m" }],
    [
      {
        get message() {
          throw new Error("getter");
        },
      },
      { type: "Error", message: "an error that cannot be looked at" },
    ],
  ])("whatever was thrown becomes type and message: %#", async (error, expected) => {
    const { seen, session } = rig();
    const turn = await session.startTurn(turnOptions);

    turn
      .startRequest(requestOptions)
      .startAttempt(attemptOptions)
      .error({ ...failure, error, usage: { output_tokens: 7 } });

    expect(seen.find("api_request_error")?.payload).toMatchObject({
      error: expected,
      usage: { output_tokens: 7 },
    });
  });

  test("free text is sanitised, and what the host holds is not touched", async () => {
    const { seen, session } = rig(steppingClock());
    const secret = "sk-proj-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    const args = { command: `curl -H "Authorization: Bearer ${secret}"`, api_key: secret };
    const turn = await session.startTurn({ ...turnOptions, user_message: `use ${secret}` });
    const tool = await turn.startToolCall({ ...callOptions, args });
    tool.requestHumanInput({ kind: "sudo", prompt: `password for ${secret}` }).resolve("provided");
    tool.error({ message: `failed with ${secret}`, result: { token: secret } });

    expect(JSON.stringify(seen.events)).not.toContain(secret);
    expect(args.api_key).toBe(secret);
    expect(tool.decision).toMatchObject({ args: { api_key: secret } });
  });
});

describe("ids", () => {
  test("the same seed gives the same ids, another seed others", () => {
    const make = (seed: number): string[] => {
      const ids = seededIds(seed);
      return [ids.session(), ids.task(), ids.turn("s", "t"), ids.subagent(2), ids.humanInput()];
    };

    expect(make(7)).toEqual(make(7));
    expect(make(8)).not.toEqual(make(7));
    expect(new Set(make(7)).size).toBe(5);
  });
});
