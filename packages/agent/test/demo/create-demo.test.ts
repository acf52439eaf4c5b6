import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { AgentError, createDemo } from "../../src/index.ts";
import type { ApprovalChoice } from "../../src/index.ts";
import { problemsOf, rig, toolEnds } from "../run-scripted.ts";
import type { Rig } from "../run-scripted.ts";

async function demoRig(answer: ApprovalChoice): Promise<Rig> {
  const { script } = createDemo({ scratchDir: "" });
  const run = await rig(script, { ui: { askApproval: async () => answer } });
  await createDemo({ scratchDir: run.workspace }).prepare();
  return run;
}

test("the demo does a whole task: a retry, parallel calls, a failure, an approval, a child", async () => {
  await using run = await demoRig("once");

  const result = await run.send(createDemo({ scratchDir: run.workspace }).task);

  expect(result).toMatchObject({ completed: true, steps: 7 });
  run.server.assertConsumed();
  expect(toolEnds(run).sort()).toEqual([
    "delegate_task ok -",
    "list_files ok -",
    "list_files ok -",
    "read_file ok -",
    "read_file ok -",
    "read_file ok -",
    "read_file ok -",
    "terminal error tool_error",
    "terminal ok -",
    "terminal ok -",
    "write_file ok -",
    "write_file ok -",
  ]);
  expect(run.recorded.take("api_request_error").map(({ payload }) => payload.reason)).toEqual([
    "rate_limit",
  ]);
  expect(run.recorded.take("post_approval_response")).toHaveLength(1);
  expect(run.recorded.take("subagent_stop")).toHaveLength(1);
  expect(existsSync(join(run.workspace, "build"))).toBe(false);
  expect(await readFile(join(run.workspace, "NOTES.md"), "utf8")).toContain("slug module");
  expect(problemsOf(run)).toEqual([]);
});

test("the check really passes at the end", async () => {
  await using run = await demoRig("once");

  await run.send(createDemo({ scratchDir: run.workspace }).task);

  const checks = run.recorded
    .take("post_tool_call")
    .filter(({ payload }) => payload.args["command"] === "node check.mjs");
  expect(checks.map(({ payload }) => payload.result)).toEqual([
    expect.stringMatching(/FAIL[^]*1 passed, 2 failed\n\[exit code 1\]$/),
    "3 passed, 0 failed\n",
  ]);
});

test("a no keeps the folder, and the demo goes on to its end", async () => {
  await using run = await demoRig("deny");

  const result = await run.send(createDemo({ scratchDir: run.workspace }).task);

  expect(result.completed).toBe(true);
  expect(existsSync(join(run.workspace, "build"))).toBe(true);
  run.server.assertConsumed();
});

test("every answer of the demo's model has a price and reports cached and reasoning tokens", () => {
  const demo = createDemo({ scratchDir: "" });

  const steps = demo.script.conversations.flatMap((conversation) => conversation.steps);
  for (const { usage, fault } of steps) {
    if (fault !== undefined) continue;
    expect(usage).toMatchObject({
      prompt_tokens_details: { cached_tokens: expect.any(Number) },
      completion_tokens_details: { reasoning_tokens: expect.any(Number) },
    });
  }
  expect(demo.prices.prices.map(({ model }) => model)).toEqual([demo.modelName]);
});

test("a folder that holds something is not touched", async () => {
  const folder = await mkdtemp(join(tmpdir(), "hermes-demo-"));
  try {
    await writeFile(join(folder, "mine"), "");
    const error: unknown = await createDemo({ scratchDir: folder })
      .prepare()
      .catch((thrown: unknown) => thrown);

    expect(AgentError.isInstance(error) && error.code).toBe("AGENT_INVALID_OPTION");
    expect(existsSync(join(folder, "check.mjs"))).toBe(false);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
