import { describe, expect, test } from "vitest";
import { decideContext, decideText, decideToolCall, Hooks } from "@hermes-observer/core";
import type { DecisionReturns, Fault, PreToolCall } from "@hermes-observer/core";

type Said = DecisionReturns["pre_tool_call"];
type Answer = (payload: PreToolCall) => unknown;

const call = {
  tool_name: "terminal",
  args: { command: "ls", nested: { deep: [1] } } as Record<string, unknown>,
  session_id: "s1",
  task_id: "k1",
  turn_id: "t1",
  tool_call_id: "c1",
  api_request_id: "r1",
};

function withDeciders(...answers: (Answer | { answer: Answer; onFailure: "block" })[]): {
  hooks: Hooks;
  faults: Fault[];
} {
  const faults: Fault[] = [];
  const hooks = new Hooks({ onFault: (fault) => void faults.push(fault), maxConsecutiveFaults: 2 });
  answers.forEach((given, index) => {
    const { answer, onFailure } =
      typeof given === "function" ? { answer: given, onFailure: "allow" as const } : given;
    hooks.register({
      name: `d${index}`,
      register: (ctx) =>
        void ctx.registerHook("pre_tool_call", answer as () => Said, {
          decides: true,
          timeoutMs: 20,
          onFailure,
        }),
    });
  });
  return { hooks, faults };
}

const hangs: Answer = () => new Promise(() => {});
const throws: Answer = () => {
  throw new Error("boom");
};
const rejects: Answer = () => Promise.reject(new Error("boom"));
const hostile: Answer = () => ({
  get action() {
    throw new Error("getter");
  },
});

describe("decideToolCall", () => {
  test("without an opinion the call runs with its own arguments, the same object", async () => {
    const { hooks } = withDeciders(
      () => undefined,
      () => null,
    );

    const decision = await decideToolCall(hooks, call);

    expect(decision).toEqual({ action: "run", args: call.args });
    expect(decision.action === "run" && decision.args).toBe(call.args);
  });

  test("block wins over approve and modify, whatever the order, and ends the asking", async () => {
    let asked = 0;
    const { hooks } = withDeciders(
      () => ({ action: "approve", rule_key: "r" }),
      () => ({ action: "modify", args: { command: "pwd" } }),
      async () => ({ action: "block", message: "no" }),
      () => (asked += 1),
    );

    const decision = await decideToolCall(hooks, call);

    expect([decision, asked]).toEqual([{ action: "block", message: "no", plugin: "d2" }, 0]);
  });

  test("modify answers merge key by key, later ones win, and each decider sees the result so far", async () => {
    const seen: unknown[] = [];
    const { hooks } = withDeciders(
      () => ({ action: "modify", args: { command: "pwd", a: 1 } }),
      (payload) => {
        seen.push(payload.args);
        return { action: "modify", args: { a: 2 } };
      },
      () => ({ action: "approve", message: "sure?", rule_key: "k" }),
    );

    const decision = await decideToolCall(hooks, call);

    const args = { command: "pwd", nested: { deep: [1] }, a: 2 };
    expect(decision).toEqual({
      action: "approve",
      args,
      message: "sure?",
      rule_key: "k",
      plugin: "d2",
    });
    expect(seen).toEqual([{ command: "pwd", nested: { deep: [1] }, a: 1 }]);
  });

  test("a decider that changes what it is given changes nothing", async () => {
    const { hooks } = withDeciders((payload) => {
      const args = payload.args as { command: string; nested: { deep: number[] } };
      args.command = "rm";
      args.nested.deep.push(2);
      return undefined;
    });

    await decideToolCall(hooks, call);

    expect(call.args).toEqual({ command: "ls", nested: { deep: [1] } });
  });

  test("a decider cannot change its answer afterwards", async () => {
    const given = { action: "modify", args: { command: { text: "pwd" } } };
    const { hooks } = withDeciders(() => given);

    const decision = await decideToolCall(hooks, call);
    given.args.command.text = "rm";

    expect(decision.action === "run" && decision.args["command"]).toEqual({ text: "pwd" });
  });

  test.each<[string, Answer]>([
    ["threw", throws],
    ["rejected", rejects],
    ["timeout", hangs],
    ["invalid_decision", () => "block"],
    ["invalid_decision", () => ({ action: "block" })],
    ["invalid_decision", () => ({ action: "block", message: "" })],
    ["invalid_decision", () => ({ action: "modify", args: [1] })],
    ["invalid_decision", () => ({ action: "modify", args: { f: () => 1 } })],
    ["invalid_decision", () => ({ action: "dance" })],
    ["invalid_decision", hostile],
  ])("%s has one outcome: open, or a block for a guard that says so", async (kind, answer) => {
    const open = withDeciders(answer);
    const shut = withDeciders({ answer, onFailure: "block" });

    const opened = await decideToolCall(open.hooks, call);
    const blocked = await decideToolCall(shut.hooks, call);

    expect(opened).toEqual({ action: "run", args: call.args });
    expect(blocked).toMatchObject({ action: "block", plugin: "d0" });
    expect(open.faults.map((fault) => fault.kind)).toEqual([kind]);
  });

  test("a failing decider is switched off, a guard that must block never is", async () => {
    const { hooks, faults } = withDeciders(throws, { answer: throws, onFailure: "block" });

    const outcomes: string[] = [];
    for (let index = 0; index < 4; index += 1) {
      outcomes.push((await decideToolCall(hooks, call)).action);
    }

    expect(outcomes).toEqual(["block", "block", "block", "block"]);
    expect(
      faults.filter((fault) => fault.kind === "switched_off").map((fault) => fault.plugin),
    ).toEqual(["d0", "d1"]);
    expect(hooks.hasDeciders("pre_tool_call")).toBe(true);
  });

  test("arguments that cannot be cloned are asked about all the same", async () => {
    const seen: unknown[] = [];
    const { hooks } = withDeciders((payload) => void seen.push(payload.args));

    await decideToolCall(hooks, { ...call, args: { command: "ls", log: () => {} } });

    expect(seen).toEqual([{ command: "ls" }]);
  });

  test("deciders keep deciding while observing is paused", async () => {
    const { hooks } = withDeciders(() => ({ action: "block", message: "no" }));

    hooks.pause();

    expect((await decideToolCall(hooks, call)).action).toBe("block");
  });
});

describe("decideContext and decideText", () => {
  const turn = {
    session_id: "s1",
    turn_id: "t1",
    user_message: "hi",
    is_first_turn: true,
    model: "m",
    platform: "cli",
    sender_id: "",
  };
  function answering(
    name: keyof DecisionReturns,
    ...answers: unknown[]
  ): { hooks: Hooks; faults: Fault[] } {
    const faults: Fault[] = [];
    const hooks = new Hooks({ onFault: (fault) => void faults.push(fault) });
    answers.forEach((answer, index) => {
      hooks.register({
        name: `d${index}`,
        register: (ctx) => void ctx.registerHook(name, (() => answer) as never, { decides: true }),
      });
    });
    return { hooks, faults };
  }

  test("contexts are joined by a blank line in order of registration; empty and invalid ones are left out", async () => {
    const { hooks, faults } = answering("pre_llm_call", "one", { context: "two" }, "", 3, null);

    expect(await decideContext(hooks, turn)).toBe("one\n\ntwo");
    expect(faults.map((fault) => [fault.plugin, fault.kind])).toEqual([["d3", "invalid_decision"]]);
  });

  test("no context is undefined", async () => {
    expect(await decideContext(new Hooks(), turn)).toBeUndefined();
  });

  test("the first replacement of a tool result wins, also the empty one", async () => {
    const { hooks, faults } = answering("transform_tool_result", null, 7, "", "late");
    const outcome = {
      result: "r",
      duration_ms: 1,
      status: "ok" as const,
      error_type: null,
      error_message: null,
    };

    expect(await decideText(hooks, "transform_tool_result", { ...call, ...outcome })).toBe("");
    expect(faults.map((fault) => fault.kind)).toEqual(["invalid_decision"]);
  });

  test("the final text cannot be replaced by nothing", async () => {
    const { hooks, faults } = answering("transform_llm_output", "", "better");

    expect(
      await decideText(hooks, "transform_llm_output", { response_text: "x", session_id: "s1" }),
    ).toBe("better");
    expect(faults.map((fault) => fault.kind)).toEqual(["invalid_decision"]);
  });

  test("nobody asked means undefined", async () => {
    expect(
      await decideText(new Hooks(), "transform_llm_output", {
        response_text: "x",
        session_id: "s",
      }),
    ).toBeUndefined();
  });
});
