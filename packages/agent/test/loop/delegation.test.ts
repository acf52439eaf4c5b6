import { expect, test } from "vitest";

import { calls, problemsOf, rig, toolEnds, toolTexts } from "../run-scripted.ts";

const done = { text: "done" };
const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };

test("a child has its own session inside the parent's tool call, with its own usage and history", async () => {
  await using run = await rig({
    conversations: [
      {
        name: "child",
        match: { system: "delegated agent", user: "count the files" },
        steps: [
          { ...calls(["list_files", {}], ["read_file", { path: "none" }]), usage },
          { text: "there are none", usage },
        ],
      },
      { name: "main", steps: [calls(["delegate_task", { goal: "count the files" }]), done] },
    ],
  });

  await run.send("go");

  const [start] = run.recorded.take("subagent_start");
  const [stop] = run.recorded.take("subagent_stop");
  const [delegation] = run.recorded.take("pre_tool_call");
  expect(start?.payload).toMatchObject({
    parent_session_id: run.session.session_id,
    child_goal: "count the files",
    child_role: "leaf",
    parent_tool_call_id: delegation?.payload.tool_call_id,
  });
  expect(stop?.payload).toMatchObject({
    child_session_id: start?.payload.child_session_id,
    child_status: "completed",
    child_summary: "there are none",
    usage: { inputTokens: { total: 20 }, outputTokens: { total: 4 } },
    tool_call_history: [
      { tool_name: "list_files", status: "ok", tool_input: { argument_keys: [] } },
      { tool_name: "read_file", status: "error", tool_input: { targets: { path: "none" } } },
    ],
  });
  const child = start?.payload.child_session_id;
  expect(run.recorded.take("on_session_start").map(({ payload }) => payload.platform)).toEqual([
    "cli",
    "subagent",
  ]);
  expect(run.recorded.take("pre_llm_call")[1]?.payload).toMatchObject({
    session_id: child,
    parent_session_id: run.session.session_id,
    task_id: start?.payload.child_subagent_id,
    platform: "subagent",
  });
  const hooks = run.recorded.hooks();
  expect(hooks.indexOf("subagent_start")).toBeLessThan(hooks.lastIndexOf("on_session_start"));
  expect(hooks.indexOf("on_session_finalize")).toBeLessThan(hooks.indexOf("subagent_stop"));
  expect(toolTexts(run, -1)).toEqual(["there are none"]);
  expect(problemsOf(run)).toEqual([]);
});

test("children of one answer run side by side and each stops its own", async () => {
  const child = (name: string): object => ({
    name,
    match: { system: "delegated agent", user: name },
    steps: [{ text: `${name} is done`, delayMs: name === "first" ? 30 : 0 }],
  });
  await using run = await rig({
    conversations: [
      child("first"),
      child("second"),
      {
        name: "main",
        steps: [
          calls(["delegate_task", { goal: "first" }], ["delegate_task", { goal: "second" }]),
          done,
        ],
      },
    ] as never,
  });

  await run.send("go");

  const starts = run.recorded.take("subagent_start").map(({ payload }) => payload);
  const stops = run.recorded.take("subagent_stop").map(({ payload }) => payload);
  expect(starts.map(({ child_goal }) => child_goal)).toEqual(["first", "second"]);
  expect(stops.map(({ child_summary }) => child_summary)).toEqual([
    "second is done",
    "first is done",
  ]);
  expect(stops.map(({ child_session_id }) => child_session_id)).toEqual(
    starts.map(({ child_session_id }) => child_session_id).reverse(),
  );
  expect(toolTexts(run, -1)).toEqual(["first is done", "second is done"]);
  expect(problemsOf(run)).toEqual([]);
});

test("a child that fails is an error of the tool call, and the parent goes on", async () => {
  await using run = await rig({
    conversations: [
      {
        name: "child",
        match: { system: "delegated agent" },
        steps: [{ fault: { kind: "status", status: 401 } }],
      },
      { name: "main", steps: [calls(["delegate_task", { goal: "x" }]), done] },
    ],
  });

  const result = await run.send("go");

  expect(result.text).toBe("done");
  expect(run.recorded.take("subagent_stop")[0]?.payload).toMatchObject({
    child_status: "failed",
    child_summary: null,
    child_exit_reason: "api_error(auth)",
  });
  expect(toolEnds(run)).toEqual(["delegate_task error tool_error"]);
  expect(problemsOf(run)).toEqual([]);
});

test("a surface that throws over a child ends the child, and the parent goes on", async () => {
  await using run = await rig(
    {
      conversations: [
        { name: "child", match: { system: "delegated agent" }, steps: [calls(["list_files", {}])] },
        { name: "main", steps: [calls(["delegate_task", { goal: "x" }]), done] },
      ],
    },
    {
      ui: {
        onToolStart: (_call, { depth }) => {
          if (depth > 0) throw new Error("no room on the screen");
        },
      },
    },
  );

  const result = await run.send("go");

  expect(result.text).toBe("done");
  expect(run.recorded.take("subagent_stop")[0]?.payload.child_status).toBe("error");
  expect(toolEnds(run)).toContain("delegate_task error tool_error");
  expect(run.recorded.unpaired()).toEqual([]);
});

/** A chain of orchestrators: every level delegates to the next, as far as it is let. */
function chain(levels: number): object {
  const conversations = Array.from({ length: levels }, (_, index) => ({
    name: `level-${index + 1}`,
    match: { system: "delegated agent", user: `level ${index + 1}` },
    steps: [calls(["delegate_task", { goal: `level ${index + 2}`, role: "orchestrator" }]), done],
  }));
  return {
    conversations: [
      ...conversations,
      {
        name: "main",
        steps: [calls(["delegate_task", { goal: "level 1", role: "orchestrator" }]), done],
      },
    ],
  };
}

test.each([
  [1, 1],
  [3, 3],
])(
  "with a depth of %i there are %i levels of children, and the next one is refused",
  async (depth, levels) => {
    await using run = await rig(chain(levels) as never, { limits: { maxDelegationDepth: depth } });

    await run.send("go");

    expect(run.recorded.take("subagent_start")).toHaveLength(levels);
    const roles = run.recorded.take("subagent_start").map(({ payload }) => payload.child_role);
    expect(roles).toEqual([...Array.from({ length: levels - 1 }, () => "orchestrator"), "leaf"]);
    expect(toolEnds(run)[0]).toBe("delegate_task error unknown_tool");
    run.server.assertConsumed();
    expect(problemsOf(run)).toEqual([]);
  },
);

test("a leaf cannot delegate", async () => {
  await using run = await rig({
    conversations: [
      {
        name: "child",
        match: { system: "delegated agent" },
        steps: [calls(["delegate_task", { goal: "deeper" }]), done],
      },
      { name: "main", steps: [calls(["delegate_task", { goal: "x" }]), done] },
    ],
  });

  await run.send("go");

  expect(run.recorded.take("subagent_start")).toHaveLength(1);
  expect(toolEnds(run)).toEqual(["delegate_task error unknown_tool", "delegate_task ok -"]);
});

test.each([
  [10, "0123456789", "0123456789"],
  [8, "0123456789", "012345\n[cut: 2 characters left out]\n89"],
])("a summary of ten characters fits into %i as %j", async (maxSummaryChars, text, expected) => {
  await using run = await rig(
    {
      conversations: [
        { name: "child", match: { system: "delegated agent" }, steps: [{ text }] },
        { name: "main", steps: [calls(["delegate_task", { goal: "x" }]), done] },
      ],
    },
    { limits: { maxSummaryChars } },
  );

  await run.send("go");

  expect(toolTexts(run, -1)).toEqual([expected]);
});
