import { existsSync } from "node:fs";
import { join } from "node:path";

import type { Plugin } from "@hermes-observer/core";
import { expect, test } from "vitest";

import type { ApprovalChoice } from "../../src/index.ts";
import { calls, problemsOf, rig, toolEnds } from "../run-scripted.ts";

/** Aborts at the first event of a hook. */
function abortAt(
  hook:
    | "pre_llm_call"
    | "pre_api_request"
    | "api_request_error"
    | "post_api_request"
    | "pre_tool_call"
    | "pre_approval_request"
    | "subagent_start",
): {
  plugin: Plugin;
  controller: AbortController;
} {
  const controller = new AbortController();
  const plugin: Plugin = {
    name: "abort",
    register: (ctx) => {
      ctx.registerHook(hook, () => {
        controller.abort();
      });
    },
  };
  return { plugin, controller };
}

test("a turn whose signal has aborted already makes no request", async () => {
  await using run = await rig([]);

  const result = await run.send("go", AbortSignal.abort());

  expect(result).toMatchObject({
    interrupted: true,
    exitReason: "interrupted_by_user",
    steps: 0,
    text: "",
  });
  expect(run.recorded.hooks()).toEqual(["on_session_start", "pre_llm_call", "on_session_end"]);
  expect(problemsOf(run)).toEqual([]);
});

test("an interrupt before the request is sent closes the attempt as interrupted", async () => {
  const { plugin, controller } = abortAt("pre_api_request");
  await using run = await rig([{ text: "never read" }], { plugins: [plugin] });

  const result = await run.send("go", controller.signal);

  expect(result.exitReason).toBe("interrupted_during_api_call");
  expect(run.recorded.take("api_request_error")[0]?.payload.reason).toBe("interrupted");
  expect(problemsOf(run)).toEqual([]);
});

test.each([[true], [false]])(
  "an interrupt while the model is silent ends the turn (streaming: %s)",
  async (isStreaming) => {
    await using run = await rig([{ fault: { kind: "hang" } }], { isStreaming });
    const controller = new AbortController();

    const sent = run.send("go", controller.signal);
    await expect.poll(() => run.server.requests.length).toBe(1);
    controller.abort();
    const result = await sent;

    expect(result).toMatchObject({
      interrupted: true,
      failed: false,
      exitReason: "interrupted_during_api_call",
    });
    expect(run.recorded.take("api_request_error")[0]?.payload).toMatchObject({
      reason: "interrupted",
      status_code: null,
      retryable: false,
    });
    expect(problemsOf(run)).toEqual([]);
  },
);

test("an interrupt in the middle of a stream keeps the usage that was known", async () => {
  const usage = { prompt_tokens: 100, completion_tokens: 7, total_tokens: 107 };
  const controller = new AbortController();
  await using run = await rig(
    [{ text: ["a", "b"], usage, usageEveryChunk: true, fault: { kind: "hang", afterChunks: 3 } }],
    { ui: { onText: () => controller.abort() } },
  );

  const result = await run.send("go", controller.signal);

  expect(result).toMatchObject({ interrupted: true, usage: { inputTokens: { total: 100 } } });
  expect(run.recorded.take("api_request_error")[0]?.payload).toMatchObject({
    reason: "interrupted",
    usage: { raw: usage },
  });
  expect(run.recorded.take("post_llm_call")).toEqual([]);
  expect(problemsOf(run)).toEqual([]);
});

test("an interrupt ends the wait before a retry", async () => {
  const { plugin, controller } = abortAt("api_request_error");
  await using run = await rig([{ fault: { kind: "status", status: 500 } }], {
    plugins: [plugin],
    retry: { baseDelayMs: 60_000, maxDelayMs: 60_000 },
  });

  const result = await run.send("go", controller.signal);

  expect(result.exitReason).toBe("interrupted_during_api_call");
  expect(run.server.requests).toHaveLength(1);
  expect(problemsOf(run)).toEqual([]);
});

test("an interrupt stops a running command with its whole process group", async () => {
  const controller = new AbortController();
  await using run = await rig([
    calls(["terminal", { command: "touch started; (sleep 1; touch survived) & sleep 60" }]),
  ]);

  const sent = run.send("go", controller.signal);
  await expect
    .poll(() => existsSync(join(run.workspace, "started")), { timeout: 5_000 })
    .toBe(true);
  const began = performance.now();
  controller.abort();
  const result = await sent;

  expect(performance.now() - began).toBeLessThan(1_500);
  expect(result).toMatchObject({ interrupted: true, exitReason: "interrupted_by_user" });
  expect(toolEnds(run)).toEqual(["terminal cancelled user_interrupt"]);
  expect(existsSync(join(run.workspace, "survived"))).toBe(false);
  expect(problemsOf(run)).toEqual([]);
});

test("an interrupt in a tool leaves every other call of the answer closed too", async () => {
  const { plugin, controller } = abortAt("pre_tool_call");
  await using run = await rig(
    [calls(["list_files", {}], ["list_files", {}], ["terminal", { command: "sleep 60" }])],
    { plugins: [plugin] },
  );

  const result = await run.send("go", controller.signal);

  expect(result.interrupted).toBe(true);
  expect(toolEnds(run)).toHaveLength(3);
  expect(new Set(toolEnds(run).map((end) => end.split(" ")[1]))).toEqual(new Set(["cancelled"]));
  expect(problemsOf(run)).toEqual([]);
});

test("an interrupt while a human is asked cancels the question, and a late answer runs nothing", async () => {
  const controller = new AbortController();
  let answer = (choice: ApprovalChoice): void => void choice;
  await using run = await rig([calls(["terminal", { command: "rm -rf ." }])], {
    ui: {
      askApproval: () => {
        controller.abort();
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    },
  });

  const result = await run.send("go", controller.signal);
  answer("once");

  expect(result.interrupted).toBe(true);
  expect(toolEnds(run)).toEqual(["terminal cancelled user_interrupt"]);
  expect(run.recorded.take("post_approval_response")[0]?.payload.choice).toBe("cancelled");
  expect(run.recorded.take("on_human_input_resolved")[0]?.payload.outcome).toBe("cancelled");
  expect(existsSync(run.workspace)).toBe(true);
  expect(problemsOf(run)).toEqual([]);
});

test("an interrupt reaches the child agent and closes it inside the parent's tool call", async () => {
  const controller = new AbortController();
  await using run = await rig({
    conversations: [
      { name: "child", match: { system: "delegated agent" }, steps: [{ fault: { kind: "hang" } }] },
      { name: "main", steps: [calls(["delegate_task", { goal: "wait" }])] },
    ],
  });

  const sent = run.send("go", controller.signal);
  await expect.poll(() => run.server.requests.length).toBe(2);
  controller.abort();
  const result = await sent;

  expect(result.interrupted).toBe(true);
  expect(run.recorded.take("subagent_stop")[0]?.payload).toMatchObject({
    child_status: "interrupted",
    child_exit_reason: "interrupted_during_api_call",
  });
  expect(run.recorded.take("on_session_end").map(({ payload }) => payload.interrupted)).toEqual([
    true,
    true,
  ]);
  expect(toolEnds(run)).toEqual(["delegate_task cancelled user_interrupt"]);
  expect(problemsOf(run)).toEqual([]);
});

test("a session goes on after an interrupt, and its history has a result for every call", async () => {
  const { plugin, controller } = abortAt("pre_tool_call");
  await using run = await rig(
    [calls(["list_files", {}], ["list_files", {}]), { text: "back again" }],
    {
      plugins: [plugin],
    },
  );

  await run.send("one", controller.signal);
  const result = await run.send("two");

  expect(result.text).toBe("back again");
  const roles = run.server.requests[1]?.body.messages?.map(({ role }) => role);
  expect(roles).toEqual(["system", "user", "assistant", "tool", "tool", "user"]);
});

test("turns on one signal leave no listener behind", async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners += 1;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners -= 1;
    remove(...args);
  };
  await using run = await rig([calls(["list_files", {}]), { text: "a" }, { text: "b" }]);

  await run.send("one", signal);
  await run.send("two", signal);

  expect(listeners).toBe(0);
});
