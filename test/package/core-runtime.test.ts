import { createContext, runInContext } from "node:vm";

import { expect, test } from "vitest";

import { bundle } from "./bundle.ts";

/** Everything that a browser's worker, Deno and Bun have as well; no `process`, `Buffer`, `require`. */
const webGlobals = {
  clearTimeout,
  crypto,
  performance,
  queueMicrotask,
  setTimeout,
  structuredClone,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
};

const entry = `
  export * from "@hermes-observer/core";
  export { createSanitizer } from "@hermes-observer/core/sanitize";
  export { recorder } from "@hermes-observer/core/testing";
`;

/** Runs where only \`core\` and the globals above exist; its value is JSON. */
const scenario = `(async () => {
  const hooks = new core.Hooks();
  const seen = core.recorder();
  hooks.register(seen);
  hooks.register({
    name: "guard",
    register: (ctx) =>
      ctx.registerHook("pre_tool_call", () => ({ action: "block", message: "no" }), { decides: true }),
  });

  const lifecycle = new core.Lifecycle(hooks, { producer: { name: "worker", version: "1" } });
  const session = lifecycle.startSession({ model: "m" });
  const turn = await session.startTurn({ user_message: "hello", is_first_turn: true });
  const tool = await turn.startToolCall({
    tool_name: "read",
    tool_call_id: "c1",
    args: { path: "a.txt", api_key: "0123456789abcdef" },
  });
  const { action } = tool.decision;
  tool.blocked({ message: "no" });
  turn.end({ completed: true, turn_exit_reason: "done", assistant_response: "bye" });
  session.finalize();

  const report = await hooks.close(1000);
  const sanitized = core.createSanitizer().sanitize({ list: [1, "two", null], when: new Date(0) });
  return JSON.stringify({
    action,
    hooks: seen.hooks(),
    unpaired: seen.unpaired(),
    args: seen.find("pre_tool_call").payload.args,
    isComplete: report.isComplete,
    sanitized,
  });
})()`;

test("core runs, from registering to sanitising, where there are web globals and nothing of Node", async () => {
  const { code, imports } = await bundle(entry, { globalName: "core" });
  const context = createContext({ ...webGlobals });

  runInContext(code, context);
  const outcome = JSON.parse(await (runInContext(scenario, context) as Promise<string>)) as unknown;

  expect(imports).toEqual([]);
  expect(outcome).toEqual({
    action: "block",
    hooks: [
      "on_session_start",
      "pre_llm_call",
      "pre_tool_call",
      "post_tool_call",
      "post_llm_call",
      "on_session_end",
      "on_session_finalize",
    ],
    unpaired: [],
    args: { path: "a.txt", api_key: "<redacted>" },
    isComplete: true,
    sanitized: { list: [1, "two", null], when: "1970-01-01T00:00:00.000Z" },
  });
});
