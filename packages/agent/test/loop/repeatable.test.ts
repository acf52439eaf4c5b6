import { createSanitizer } from "@hermes-observer/core/sanitize";
import type { Sanitizer } from "@hermes-observer/core/sanitize";
import { misbehaving, misbehaviours } from "@hermes-observer/core/testing";
import { expect, test } from "vitest";

import { createDemo } from "../../src/index.ts";
import { calls, rig } from "../run-scripted.ts";
import type { RunOptions } from "../run-scripted.ts";

/** One seeded run of the demo: what the model server received, what the surface saw, what came back. */
async function demoRun(options: RunOptions = {}): Promise<{
  received: string[];
  shown: string[];
  text: string;
  events: unknown[];
}> {
  const shown: string[] = [];
  await using run = await rig(createDemo({ scratchDir: "unused" }).script, {
    seed: 7,
    sleep: async () => {},
    ...options,
    ui: {
      onText: (delta) => void shown.push(delta),
      onRetry: ({ delayMs }) => void shown.push(`retry in ${delayMs}`),
      askApproval: async () => "once",
    },
  });
  await createDemo({ scratchDir: run.workspace }).prepare();
  const result = await run.send(createDemo({ scratchDir: run.workspace }).task);
  run.server.assertConsumed();
  return {
    received: run.server.requests.map(({ rawBody }) => rawBody),
    shown,
    text: result.text,
    events: run.recorded.events.map(({ hook, payload }) => ({
      hook,
      // Side by side calls end in any order, and the server's port is the machine's choice.
      payload: JSON.stringify(payload).replaceAll(run.server.baseUrl, "<server>"),
    })),
  };
}

test("the same seed gives the same requests, byte for byte, and the same text", async () => {
  const first = await demoRun();
  const second = await demoRun();

  expect(first.received.length).toBeGreaterThan(8);
  expect(second.received).toEqual(first.received);
  expect([second.shown, second.text]).toEqual([first.shown, first.text]);
  const sorted = (events: unknown[]): string[] =>
    events.map((event) => JSON.stringify(event)).sort();
  expect(sorted(second.events)).toEqual(sorted(first.events));
});

test.each(misbehaviours)("a plugin that does this changes nothing: %s", async (behaviour) => {
  const calm = await demoRun({ isObserved: false });
  const troubled = await demoRun({ isObserved: false, plugins: [misbehaving(behaviour)] });

  expect(troubled.received).toEqual(calm.received);
  expect([troubled.shown, troubled.text]).toEqual([calm.shown, calm.text]);
});

test("requests hold nothing of the machine: no path, no time, no id of the session", async () => {
  await using run = await rig([
    calls(["terminal", { command: "echo hi" }], ["list_files", {}]),
    { text: "done" },
  ]);

  await run.send("go");

  const sent = run.server.requests.map(({ rawBody }) => rawBody).join("");
  expect(sent).not.toContain(run.workspace);
  expect(sent).not.toContain(run.session.session_id);
});

function counting(): { sanitizer: Sanitizer; count(): number } {
  const real = createSanitizer();
  let calls = 0;
  return {
    count: () => calls,
    sanitizer: new Proxy(real, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        return (...args: unknown[]) => {
          calls += 1;
          return Reflect.apply(member, target, args) as unknown;
        };
      },
    }),
  };
}

test("a whole run that nobody observes builds no payload", async () => {
  const unobserved = counting();
  const observed = counting();

  await demoRun({ isObserved: false, lifecycle: { sanitizer: unobserved.sanitizer } });
  await demoRun({ lifecycle: { sanitizer: observed.sanitizer } });

  expect(unobserved.count()).toBe(0);
  expect(observed.count()).toBeGreaterThan(50);
});

test("a request is described once per attempt, however many observers there are", async () => {
  const one = counting();
  const three = counting();
  const watcher = (name: string) => ({
    name,
    register: (ctx: { registerHook(hook: "pre_api_request", callback: () => void): void }) =>
      ctx.registerHook("pre_api_request", () => {}),
  });

  await demoRun({
    isObserved: false,
    lifecycle: { sanitizer: one.sanitizer },
    plugins: [watcher("a")],
  });
  await demoRun({
    isObserved: false,
    lifecycle: { sanitizer: three.sanitizer },
    plugins: [watcher("a"), watcher("b"), watcher("c")],
  });

  expect(three.count()).toBe(one.count());
});
