import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import type { Plugin } from "@hermes-observer/core";
import { expect, test } from "vitest";

import type { ApprovalChoice, ApprovalRequest } from "../../src/index.ts";
import { calls, problemsOf, rig, toolEnds, toolTexts } from "../run-scripted.ts";
import type { Rig } from "../run-scripted.ts";

const done = { text: "done" };
const removal = ["terminal", { command: "rm -rf build" }] as const;
const remove = calls([...removal]);

const approvalHooks = (run: Rig): string[] =>
  run.recorded.hooks().filter((hook) => /approval|human/.test(hook));

function answering(...choices: ApprovalChoice[]): {
  askApproval: (request: ApprovalRequest) => Promise<ApprovalChoice>;
  asked: ApprovalRequest[];
} {
  const asked: ApprovalRequest[] = [];
  return {
    asked,
    askApproval: async (request) => {
      asked.push(request);
      return choices.shift() ?? "deny";
    },
  };
}

test("a dangerous command is asked for, in the order of the contract, and runs after a yes", async () => {
  const ui = answering("once");
  await using run = await rig([remove, done], { ui });
  await mkdir(join(run.workspace, "build"));

  await run.send("go");

  expect(ui.asked).toEqual([
    {
      toolName: "terminal",
      command: "rm -rf build",
      description: "deletes folders with everything in them",
      patternKeys: ["recursive_delete"],
    },
  ]);
  expect(existsSync(join(run.workspace, "build"))).toBe(false);
  expect(run.recorded.hooks().filter((hook) => /approval|human|tool_call/.test(hook))).toEqual([
    "pre_tool_call",
    "on_human_input_request",
    "pre_approval_request",
    "post_approval_response",
    "on_human_input_resolved",
    "post_tool_call",
  ]);
  const [request] = run.recorded.take("on_human_input_request");
  const [approval] = run.recorded.take("post_approval_response");
  expect(approval?.payload).toMatchObject({
    choice: "once",
    surface: "cli",
    pattern_key: "recursive_delete",
    session_key: run.session.session_id,
    request_id: request?.payload.request_id,
  });
  expect(toolEnds(run)).toEqual(["terminal ok -"]);
  expect(problemsOf(run)).toEqual([]);
});

test.each([
  ["deny", "blocked approval_denied"],
  ["cancelled", "cancelled approval_cancelled"],
] as const)("after %s the command does not run and the model knows", async (choice, end) => {
  await using run = await rig([remove, done], { ui: answering(choice) });
  await mkdir(join(run.workspace, "build"));

  const result = await run.send("go");

  expect(result.text).toBe("done");
  expect(existsSync(join(run.workspace, "build"))).toBe(true);
  expect(toolEnds(run)).toEqual([`terminal ${end}`]);
  expect(run.recorded.take("post_approval_response")[0]?.payload.choice).toBe(choice);
  expect(run.recorded.take("on_human_input_resolved")[0]?.payload.outcome).toBe(choice);
  expect(String(toolTexts(run, 1)[0])).toMatch(/^(?:Blocked|Cancelled): /);
  expect(problemsOf(run)).toEqual([]);
});

test("a question that nobody answers times out, and nothing runs", async () => {
  let answer = (choice: ApprovalChoice): void => void choice;
  let over: AbortSignal | undefined;
  await using run = await rig([remove, done], {
    limits: { approvalTimeoutMs: 30 },
    ui: {
      askApproval: (_request, signal) => {
        over = signal;
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    },
  });
  await mkdir(join(run.workspace, "build"));

  await run.send("go");
  answer("always");

  expect(over?.aborted).toBe(true);
  expect(existsSync(join(run.workspace, "build"))).toBe(true);
  expect(run.recorded.take("post_approval_response")[0]?.payload.choice).toBe("timeout");
  expect(run.recorded.take("on_human_input_resolved")[0]?.payload.outcome).toBe("timeout");
  expect(toolEnds(run)).toEqual(["terminal blocked approval_timeout"]);
  expect(problemsOf(run)).toEqual([]);
});

test.each([
  ["rejects", () => Promise.reject(new Error("no terminal"))],
  [
    "throws",
    () => {
      throw new Error("no terminal");
    },
  ],
])("a surface that %s instead of asking blocks the command", async (_how, askApproval) => {
  await using run = await rig([remove, done], { ui: { askApproval } });

  await run.send("go");

  expect(run.recorded.take("post_approval_response")[0]?.payload.choice).toBe("notify_failed");
  expect(toolEnds(run)).toEqual(["terminal blocked approval_unavailable"]);
  expect(problemsOf(run)).toEqual([]);
});

test("an answer that is none of the choices is a no", async () => {
  await using run = await rig([remove, done], {
    ui: { askApproval: async () => "yes!" as ApprovalChoice },
  });

  await run.send("go");

  expect(toolEnds(run)).toEqual(["terminal blocked approval_denied"]);
});

test("when nobody can be asked the command is blocked and no approval hook fires", async () => {
  await using run = await rig([remove, done]);

  await run.send("go");

  expect(approvalHooks(run)).toEqual([]);
  expect(toolEnds(run)).toEqual(["terminal blocked approval_unavailable"]);
});

test.each(["session", "always"] as const)(
  "a grant for %s covers the same kind of command, and only it",
  async (choice) => {
    const ui = answering(choice, "deny");
    await using run = await rig(
      [
        remove,
        calls(["terminal", { command: "rm -r dist" }]),
        calls(["terminal", { command: "chmod 777 ." }]),
        done,
        remove,
        done,
      ],
      { ui },
    );

    await run.send("one");
    await run.send("two");

    expect(ui.asked.map(({ command }) => command)).toEqual(["rm -rf build", "chmod 777 ."]);
    expect(run.recorded.take("pre_approval_request")).toHaveLength(2);
    expect(toolEnds(run)[0]).toBe("terminal ok -");
    expect(toolEnds(run)[2]).toBe("terminal blocked approval_denied");
    expect(toolEnds(run)[3]).toBe("terminal ok -");
  },
);

test("a yes for once is asked again", async () => {
  const ui = answering("once", "once");
  await using run = await rig([remove, remove, done], { ui });

  await run.send("go");

  expect(ui.asked).toHaveLength(2);
});

test("parallel dangerous commands are asked for one at a time, and a grant covers those that wait", async () => {
  let open = 0;
  let peak = 0;
  let count = 0;
  await using run = await rig([calls([...removal], [...removal], [...removal]), done], {
    ui: {
      askApproval: async () => {
        count += 1;
        open += 1;
        peak = Math.max(peak, open);
        await new Promise(setImmediate);
        open -= 1;
        return "session";
      },
    },
  });

  await run.send("go");

  expect([count, peak]).toEqual([1, 1]);
  expect(toolEnds(run)).toEqual(["terminal ok -", "terminal ok -", "terminal ok -"]);
  expect(problemsOf(run)).toEqual([]);
});

test("an interrupt reaches the calls that wait for their turn to ask; they are never asked", async () => {
  const controller = new AbortController();
  let count = 0;
  await using run = await rig([calls([...removal], [...removal])], {
    ui: {
      askApproval: () => {
        count += 1;
        controller.abort();
        return new Promise(() => {});
      },
    },
  });

  await run.send("go", controller.signal);

  expect(count).toBe(1);
  expect(run.recorded.take("pre_approval_request")).toHaveLength(1);
  expect(toolEnds(run)).toEqual([
    "terminal cancelled user_interrupt",
    "terminal cancelled user_interrupt",
  ]);
  expect(problemsOf(run)).toEqual([]);
});

test("a child asks through its parent's surface, and its grants are the parent's", async () => {
  const ui = answering("session");
  await using run = await rig(
    {
      conversations: [
        {
          name: "child",
          match: { system: "delegated agent" },
          steps: [remove, { text: "cleaned" }],
        },
        { name: "main", steps: [calls(["delegate_task", { goal: "clean" }]), remove, done] },
      ],
    },
    { ui },
  );

  await run.send("go");

  expect(ui.asked).toHaveLength(1);
  const [approval] = run.recorded.take("pre_approval_request");
  expect(approval?.payload.session_key).toBe(run.session.session_id);
  expect(approval?.payload.session_id).not.toBe(run.session.session_id);
  expect(toolEnds(run)).toEqual(["terminal ok -", "delegate_task ok -", "terminal ok -"]);
});

const approving: Plugin = {
  name: "careful",
  register: (ctx) => {
    ctx.registerHook(
      "pre_tool_call",
      ({ tool_name }) =>
        tool_name === "write_file" || tool_name === "terminal"
          ? { action: "approve", message: "writes need a look", rule_key: "writes" }
          : undefined,
      { decides: true },
    );
  },
};

test("a plugin's rule asks for a harmless call as well", async () => {
  const ui = answering("deny");
  await using run = await rig([calls(["write_file", { path: "a", content: "b" }]), done], {
    ui,
    plugins: [approving],
  });

  await run.send("go");

  expect(ui.asked[0]).toMatchObject({
    command: "write_file (plugin approval rule)",
    description: "writes need a look",
    patternKeys: ["plugin_rule:writes"],
  });
  expect(run.recorded.take("pre_approval_request")[0]?.payload.pattern_key).toBe(
    "plugin_rule:writes",
  );
  expect(toolEnds(run)).toEqual(["write_file blocked approval_denied"]);
  expect(existsSync(join(run.workspace, "a"))).toBe(false);
});

test("a plugin's rule and a danger are one question that shows the command", async () => {
  const ui = answering("once");
  await using run = await rig([remove, done], { ui, plugins: [approving] });

  await run.send("go");

  expect(ui.asked).toHaveLength(1);
  expect(ui.asked[0]).toMatchObject({
    command: "rm -rf build",
    patternKeys: ["plugin_rule:writes", "recursive_delete"],
  });
});
