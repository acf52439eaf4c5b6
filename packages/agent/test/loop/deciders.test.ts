import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { Plugin, PluginContext } from "@hermes-observer/core";
import { expect, test } from "vitest";

import { calls, problemsOf, rig, toolEnds, toolTexts } from "../run-scripted.ts";

const done = { text: "done" };

function deciding(register: (ctx: PluginContext) => void, name = "decider"): Plugin {
  return { name, register };
}

test("a block stops the call, the model is told, and nothing runs", async () => {
  const plugin = deciding((ctx) => {
    ctx.registerHook("pre_tool_call", () => ({ action: "block", message: "not today" }), {
      decides: true,
    });
  });
  await using run = await rig([calls(["write_file", { path: "a", content: "b" }]), done], {
    plugins: [plugin],
  });

  const result = await run.send("go");

  expect(result.text).toBe("done");
  expect(toolEnds(run)).toEqual(["write_file blocked plugin_block"]);
  expect(toolTexts(run, 1)).toEqual(["Blocked: not today"]);
  await expect(readFile(join(run.workspace, "a"))).rejects.toThrow("ENOENT");
  expect(problemsOf(run)).toEqual([]);
});

test("changed arguments are what runs and what the events show", async () => {
  const plugin = deciding((ctx) => {
    ctx.registerHook("pre_tool_call", () => ({ action: "modify", args: { content: "changed" } }), {
      decides: true,
    });
  });
  await using run = await rig([calls(["write_file", { path: "a", content: "original" }]), done], {
    plugins: [plugin],
  });

  await run.send("go");

  expect(await readFile(join(run.workspace, "a"), "utf8")).toBe("changed");
  for (const hook of ["pre_tool_call", "post_tool_call"] as const) {
    expect(run.recorded.take(hook)[0]?.payload.args).toEqual({ path: "a", content: "changed" });
  }
});

test("arguments that a plugin changed for the worse do not run", async () => {
  const plugin = deciding((ctx) => {
    ctx.registerHook("pre_tool_call", () => ({ action: "modify", args: { path: 7 } }), {
      decides: true,
    });
  });
  await using run = await rig([calls(["read_file", { path: "a" }]), done], { plugins: [plugin] });

  await run.send("go");

  expect(toolEnds(run)).toEqual(["read_file error invalid_tool_arguments"]);
  expect(problemsOf(run)).toEqual([]);
});

test("a plugin that makes a command dangerous makes it asked for", async () => {
  const plugin = deciding((ctx) => {
    ctx.registerHook("pre_tool_call", () => ({ action: "modify", args: { command: "rm -rf x" } }), {
      decides: true,
    });
  });
  await using run = await rig([calls(["terminal", { command: "ls" }]), done], {
    plugins: [plugin],
  });

  await run.send("go");

  expect(toolEnds(run)).toEqual(["terminal blocked approval_unavailable"]);
});

test("context goes to the model with this turn's user message, and is gone in the next", async () => {
  let turn = 0;
  const plugin = deciding((ctx) => {
    ctx.registerHook("pre_llm_call", () => `context ${(turn += 1)}`, { decides: true });
  });
  await using run = await rig([calls(["list_files", {}]), done, done], { plugins: [plugin] });

  await run.send("first");
  await run.send("second");

  const users = run.server.requests.map(({ body }) =>
    body.messages?.filter(({ role }) => role === "user").map(({ content }) => content),
  );
  expect(users).toEqual([
    ["first\n\ncontext 1"],
    ["first\n\ncontext 1"],
    ["first", "second\n\ncontext 2"],
  ]);
  expect(run.recorded.take("pre_llm_call").map(({ payload }) => payload.user_message)).toEqual([
    "first",
    "second",
  ]);
  expect(run.recorded.take("pre_llm_call").map(({ payload }) => payload.is_first_turn)).toEqual([
    true,
    false,
  ]);
});

test("a result is replaced after its event and before the model sees it", async () => {
  const plugin = deciding((ctx) => {
    ctx.registerHook("transform_tool_result", ({ status }) => `replaced (${status})`, {
      decides: true,
    });
  });
  await using run = await rig([calls(["list_files", {}], ["read_file", { path: "none" }]), done], {
    plugins: [plugin],
  });

  await run.send("go");

  expect(toolTexts(run, 1)).toEqual(["replaced (ok)", "replaced (error)"]);
  const listed = run.recorded.find("post_tool_call", ({ tool_name }) => tool_name === "list_files");
  expect(listed?.payload.result).toBe("(no files)");
});

test("the final text is replaced for the caller and for the events", async () => {
  const plugin = deciding((ctx) => {
    ctx.registerHook("transform_llm_output", ({ response_text }) => `${response_text}!`, {
      decides: true,
    });
  });
  await using run = await rig([done], { plugins: [plugin] });

  const result = await run.send("go");

  expect(result.text).toBe("done!");
  expect(run.recorded.take("post_llm_call")[0]?.payload.assistant_response).toBe("done!");
});
