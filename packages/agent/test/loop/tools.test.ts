import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import type { Tool } from "../../src/index.ts";
import { calls, problemsOf, rig, toolEnds, toolTexts } from "../run-scripted.ts";

const done = { text: "done" };

function tool(name: string, run: Tool["run"], more: Partial<Tool> = {}): Tool {
  return {
    name,
    description: name,
    parameters: { type: "object", properties: { n: { type: "integer" } } },
    run,
    ...more,
  };
}

/** A tool whose calls wait until the test lets them go, by their number. */
function gatedTool(): { tool: Tool; running: number[]; release(n: number): void; peak(): number } {
  const gates = new Map<number, () => void>();
  const running: number[] = [];
  let peak = 0;
  let current = 0;
  return {
    running,
    peak: () => peak,
    release: (n) => gates.get(n)?.(),
    tool: tool("gated", async (args) => {
      const n = Number(args["n"]);
      running.push(n);
      current += 1;
      peak = Math.max(peak, current);
      await new Promise<void>((resolve) => gates.set(n, resolve));
      current -= 1;
      return { status: "ok", result: `result ${n}` };
    }),
  };
}

test("parallel calls of one tool are announced in order, end in any order, and answer in order", async () => {
  const gated = gatedTool();
  await using run = await rig(
    [calls(["gated", { n: 1 }], ["gated", { n: 2 }], ["gated", { n: 3 }]), done],
    {
      tools: [gated.tool],
    },
  );

  const sent = run.send("go");
  await expect.poll(() => gated.running).toEqual([1, 2, 3]);
  for (const [index, n] of [2, 3, 1].entries()) {
    gated.release(n);
    await expect.poll(() => run.recorded.take("post_tool_call").length).toBe(index + 1);
  }
  await sent;

  expect(run.recorded.take("pre_tool_call").map(({ payload }) => payload.args["n"])).toEqual([
    1, 2, 3,
  ]);
  expect(run.recorded.take("post_tool_call").map(({ payload }) => payload.args["n"])).toEqual([
    2, 3, 1,
  ]);
  expect(toolTexts(run, 1)).toEqual(["result 1", "result 2", "result 3"]);
  const ids = run.recorded.take("post_tool_call").map(({ payload }) => payload.tool_call_id);
  expect(new Set(ids).size).toBe(3);
  expect(problemsOf(run)).toEqual([]);
});

test("every call is announced before the first one runs", async () => {
  const seen: string[] = [];
  const noting = tool("noting", async (args) => {
    seen.push(`run ${String(args["n"])}`);
    return { status: "ok", result: "" };
  });
  await using run = await rig([calls(["noting", { n: 1 }], ["noting", { n: 2 }]), done], {
    tools: [noting],
    plugins: [
      {
        name: "watch",
        register: (ctx) => {
          ctx.registerHook(
            "pre_tool_call",
            ({ args }) => void seen.push(`pre ${String(args["n"])}`),
          );
        },
      },
    ],
  });

  await run.send("go");

  expect(seen).toEqual(["pre 1", "pre 2", "run 1", "run 2"]);
});

test.each([
  [1, 1],
  [2, 2],
  [3, 3],
  [4, 3],
])("with a limit of %i, three calls run at most %i at a time", async (limit, peak) => {
  const gated = gatedTool();
  await using run = await rig(
    [calls(["gated", { n: 1 }], ["gated", { n: 2 }], ["gated", { n: 3 }]), done],
    {
      tools: [gated.tool],
      limits: { maxParallelTools: limit },
    },
  );

  const sent = run.send("go");
  for (let n = 1; n <= 3; n += 1) {
    await expect.poll(() => gated.running.includes(n)).toBe(true);
    if (n >= limit || n === 3) for (const other of gated.running) gated.release(other);
  }
  await sent;

  expect(gated.peak()).toBe(peak);
});

test("each way to fail closes the call with its status, and the model is told", async () => {
  const throws = tool("throws", () => Promise.reject(new TypeError("boom")));
  const throwsAtOnce = tool("throws_at_once", () => {
    throw new TypeError("bang");
  });
  const fails = tool("fails", async () => ({
    status: "error",
    result: "Error: broken",
    errorType: "tool_error",
    message: "broken",
  }));
  await using run = await rig(
    [
      calls(
        ["throws", {}],
        ["throws_at_once", {}],
        ["fails", {}],
        ["none", {}],
        ["throws", '{"n":'],
        ["throws", { n: "x" }],
      ),
      done,
    ],
    { tools: [throws, throwsAtOnce, fails], limits: { maxParallelTools: 1 } },
  );

  await run.send("go");

  // Calls that cannot run end while they are announced, before the others begin.
  expect(toolEnds(run)).toEqual([
    "none error unknown_tool",
    "throws error invalid_tool_arguments",
    "throws error invalid_tool_arguments",
    "throws error tool_error",
    "throws_at_once error tool_error",
    "fails error tool_error",
  ]);
  expect(toolTexts(run, 1)).toEqual([
    "Error: boom",
    "Error: bang",
    "Error: broken",
    'Error: there is no tool "none"; there are throws, throws_at_once, fails',
    "Error: the arguments are not a JSON object",
    'Error: "n": expected integer, got string',
  ]);
  expect(problemsOf(run)).toEqual([]);
});

test("a command that fails is an error with its exit code, and the model gets output and code", async () => {
  await using run = await rig([
    calls(["terminal", { command: "echo out; echo err >&2; exit 3" }]),
    done,
  ]);

  await run.send("go");

  const [post] = run.recorded.take("post_tool_call");
  expect(post?.payload).toMatchObject({
    status: "error",
    error_type: "tool_error",
    error_message: "exit code 3",
    result: "out\nerr\n[exit code 3]",
  });
  expect(toolTexts(run, 1)).toEqual(["out\nerr\n[exit code 3]"]);
});

test("real failures of the file tools are errors, also where nothing was thrown", async () => {
  await using run = await rig([
    calls(
      ["read_file", { path: "missing.txt" }],
      ["write_file", { path: "plain.txt/x", content: "" }],
      ["read_file", { path: "../../etc/passwd" }],
    ),
    done,
  ]);
  await writeFile(join(run.workspace, "plain.txt"), "x");

  await run.send("go");

  expect(toolEnds(run).sort()).toEqual([
    "read_file error path_refused",
    "read_file error tool_error",
    "write_file error tool_error",
  ]);
  expect(JSON.stringify(run.server.requests[1]?.body)).not.toContain(run.workspace);
});

test("a tool that heeds its signal is timed out at its deadline", async () => {
  const slow = tool(
    "slow",
    (_args, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(new Error("stopped")));
      }),
  );
  await using run = await rig([calls(["slow", {}]), done], {
    tools: [slow],
    limits: { toolTimeoutMs: 30 },
  });

  const result = await run.send("go");

  expect(result.text).toBe("done");
  expect(toolEnds(run)).toEqual(["slow timeout tool_timeout"]);
  expect(toolTexts(run, 1)).toEqual(["Error: stopped after 0.03 s"]);
  expect(problemsOf(run)).toEqual([]);
});

test("a tool that never settles is left behind, at its deadline and at an interrupt", async () => {
  const deaf = tool("deaf", () => new Promise(() => {}));
  await using late = await rig([calls(["deaf", {}]), done], {
    tools: [deaf],
    limits: { toolTimeoutMs: 10 },
  });
  await using stopped = await rig([calls(["deaf", {}])], { tools: [deaf] });
  const controller = new AbortController();

  const [first, second] = await Promise.all([
    late.send("go"),
    stopped.send("go", controller.signal),
    expect
      .poll(() => stopped.recorded.take("pre_tool_call").length)
      .toBe(1)
      .then(() => controller.abort()),
  ]);

  expect(first.text).toBe("done");
  expect(toolEnds(late)).toEqual(["deaf timeout tool_timeout"]);
  expect(second.interrupted).toBe(true);
  expect(toolEnds(stopped)).toEqual(["deaf cancelled user_interrupt"]);
  expect([...problemsOf(late), ...problemsOf(stopped)]).toEqual([]);
});

test("the last allowed step may still answer, and one more is not made", async () => {
  await using enough = await rig([calls(["list_files", {}]), done], { limits: { maxSteps: 2 } });
  await using short = await rig([calls(["list_files", {}])], { limits: { maxSteps: 1 } });

  expect((await enough.send("go")).completed).toBe(true);
  expect(await short.send("go")).toMatchObject({
    completed: false,
    failed: false,
    exitReason: "max_iterations_reached(1/1)",
    steps: 1,
  });
  expect([...problemsOf(enough), ...problemsOf(short)]).toEqual([]);
});

test("a surface that throws around a tool fails the turn, and the history stays whole", async () => {
  let isBroken = true;
  await using run = await rig([calls(["list_files", {}], ["list_files", {}]), { text: "again" }], {
    ui: {
      onToolEnd: () => {
        if (isBroken) throw new RangeError("no terminal");
      },
    },
  });

  await expect(run.send("one")).rejects.toThrow("no terminal");
  isBroken = false;
  const result = await run.send("two");

  expect(result.text).toBe("again");
  expect(run.recorded.take("on_session_end")[0]?.payload).toMatchObject({
    failed: true,
    turn_exit_reason: "error(RangeError)",
  });
  expect(run.recorded.unpaired()).toEqual([]);
  expect(toolTexts(run, 1)).toHaveLength(2);
});
