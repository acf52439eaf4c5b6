import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { hookNames } from "@hermes-observer/core";
import { Ajv } from "ajv";
import type { ValidateFunction } from "ajv";
import { expect, test } from "vitest";

import { createDemo } from "../src/index.ts";
import { calls, rig } from "./run-scripted.ts";
import type { Rig } from "./run-scripted.ts";

const require = createRequire(import.meta.url);
const ajv = new Ajv({ allErrors: true, strict: false });
const validators = new Map<string, ValidateFunction>(
  hookNames.map((hook) => {
    const file = require.resolve(`@hermes-observer/core/schemas/${hook}.schema.json`);
    return [hook, ajv.compile(JSON.parse(readFileSync(file, "utf8")) as object)];
  }),
);

/** What does not fit the contract's schemas, one line each. */
function misfits({ recorded }: Rig): string[] {
  return recorded.events.flatMap(({ hook, payload }) => {
    const validate = validators.get(hook);
    if (validate === undefined) return [`${hook}: no schema`];
    return validate(payload) ? [] : [`${hook}: ${ajv.errorsText(validate.errors)}`];
  });
}

test("every event of a whole task fits the contract's schema of its hook", async () => {
  await using run = await rig(createDemo({ scratchDir: "" }).script, {
    ui: { askApproval: async () => "once" },
  });
  await createDemo({ scratchDir: run.workspace }).prepare();

  await run.send(createDemo({ scratchDir: run.workspace }).task);
  using next = run.session.reset("new");
  next.finalize("exit");

  expect(misfits(run)).toEqual([]);
  // All of the contract's hooks are among them.
  expect(new Set(run.recorded.hooks())).toEqual(new Set(hookNames));
});

test("so does every event of what goes wrong", async () => {
  const controller = new AbortController();
  const usage = { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 };
  await using run = await rig(
    [
      { fault: { kind: "drop" } },
      { text: ["a", "b"], usage, usageEveryChunk: true, fault: { kind: "cut", afterChunks: 2 } },
      calls(
        ["none", {}],
        ["read_file", "{oops"],
        ["read_file", { path: ".." }],
        ["terminal", { command: "rm -rf x" }],
        ["terminal", { command: "exit 3" }],
        ["terminal", { command: "sleep 9", timeout_seconds: 0.01 }],
      ),
      { fault: { kind: "status", status: 401 } },
      { fault: { kind: "hang" } },
    ],
    { ui: { askApproval: async () => "deny" } },
  );

  const failed = await run.send("one");
  const sent = run.send("two", controller.signal);
  await expect.poll(() => run.server.requests.length).toBe(5);
  controller.abort();
  const interrupted = await sent;

  expect([failed.failed, interrupted.interrupted]).toEqual([true, true]);
  expect(new Set(run.recorded.take("post_tool_call").map(({ payload }) => payload.status))).toEqual(
    new Set(["error", "blocked", "timeout"]),
  );
  expect(misfits(run)).toEqual([]);
});
