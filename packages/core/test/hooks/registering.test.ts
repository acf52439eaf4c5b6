import { describe, expect, test } from "vitest";
import { Hooks, ObserverError } from "@hermes-observer/core";
import type { Plugin } from "@hermes-observer/core";

function plugin(name: string, observe: () => unknown): Plugin {
  return { name, register: (ctx) => void ctx.registerHook("pre_tool_call", observe) };
}

describe("register", () => {
  const codeOf = (act: () => unknown): string => {
    try {
      act();
    } catch (error) {
      return ObserverError.isInstance(error) ? error.code : "other";
    }
    return "none";
  };
  const registering = (register: Plugin["register"]): (() => unknown) => {
    return () => new Hooks().register({ name: "p", register });
  };

  test.each<[string, () => unknown]>([
    ["OBS_INVALID_PLUGIN", () => new Hooks().register({ name: "", register: () => {} })],
    ["OBS_INVALID_PLUGIN", () => new Hooks().register({ name: "p" } as unknown as Plugin)],
    ["OBS_INVALID_PLUGIN", registering((async () => {}) as unknown as Plugin["register"])],
    [
      "OBS_PLUGIN_FAILED",
      registering(() => {
        throw new Error("no");
      }),
    ],
    [
      "OBS_UNKNOWN_HOOK",
      registering((ctx) => void ctx.registerHook("pre_tool_cal" as "pre_tool_call", () => {})),
    ],
    [
      "OBS_INVALID_CALLBACK",
      registering((ctx) => void ctx.registerHook("pre_tool_call", "no" as never)),
    ],
    [
      "OBS_NOT_A_DECIDING_HOOK",
      registering(
        (ctx) =>
          void ctx.registerHook("post_tool_call" as "pre_tool_call", () => null, { decides: true }),
      ),
    ],
    [
      "OBS_NOT_A_DECIDING_HOOK",
      registering(
        (ctx) => void ctx.registerHook("*" as "pre_tool_call", () => null, { decides: true }),
      ),
    ],
    [
      "OBS_INVALID_OPTION",
      registering(
        (ctx) =>
          void ctx.registerHook("pre_tool_call", () => null, { decides: true, timeoutMs: 0 }),
      ),
    ],
    [
      "OBS_INVALID_OPTION",
      registering(
        (ctx) => void ctx.registerHook("pre_tool_call", () => null, { decides: false } as never),
      ),
    ],
    [
      "OBS_INVALID_OPTION",
      registering(
        (ctx) =>
          void ctx.registerHook("pre_llm_call", () => null, { decides: true, onFailure: "block" }),
      ),
    ],
    [
      "none",
      registering(
        (ctx) =>
          void ctx.registerHook("pre_tool_call", () => null, {
            decides: true,
            timeoutMs: 1,
            onFailure: "block",
          }),
      ),
    ],
  ])("answers with %s", (code, act) => {
    expect(codeOf(act)).toBe(code);
  });

  test("an error that cannot be looked at is told all the same", () => {
    const hostile = new Error("x");
    Object.defineProperty(hostile, "message", {
      get: () => {
        throw new Error("getter");
      },
    });
    const act = registering(() => {
      throw hostile;
    });

    expect(codeOf(act)).toBe("OBS_PLUGIN_FAILED");
    expect(codeOf(() => new Hooks().register(null as unknown as Plugin))).toBe(
      "OBS_INVALID_PLUGIN",
    );
    expect(ObserverError.isInstance(new Error("other"))).toBe(false);
  });

  test("unregistering twice, and after another plugin took the name, does nothing", () => {
    const hooks = new Hooks();
    const first = hooks.register(plugin("a", () => {}));
    first.unregister();
    hooks.register(plugin("a", () => {}));

    first.unregister();

    expect(hooks.has("pre_tool_call")).toBe(true);
  });

  test("refuses a second plugin of the same name and keeps the first", () => {
    const hooks = new Hooks();
    hooks.register(plugin("a", () => {}));

    expect(codeOf(() => hooks.register(plugin("a", () => {})))).toBe("OBS_DUPLICATE_PLUGIN");
    expect(hooks.has("pre_tool_call")).toBe(true);
  });

  test("takes back what a plugin registered before its register threw", () => {
    const hooks = new Hooks();
    const act = (): unknown =>
      hooks.register({
        name: "half",
        register: (ctx) => {
          ctx.registerHook("pre_tool_call", () => {});
          throw new Error("half way");
        },
      });

    expect([codeOf(act), hooks.has("pre_tool_call")]).toEqual(["OBS_PLUGIN_FAILED", false]);
  });

  test("takes hooks that the host declares beside those of the contract", () => {
    const hooks = new Hooks({ extraHooks: ["kanban_task_claimed"] });
    let seen = 0;
    hooks.register({
      name: "kanban",
      register: (ctx) =>
        void ctx.registerHook("kanban_task_claimed" as "pre_tool_call", () => (seen += 1)),
    });

    hooks.replay({}, { id: "x", at: 1, hook: "kanban_task_claimed" });

    expect(seen).toBe(1);
  });
});

describe("flush and close", () => {
  test("close flushes and closes every plugin once, names the ones that fail or hang, and is idempotent", async () => {
    const hooks = new Hooks();
    const calls: string[] = [];
    hooks.register({
      name: "good",
      register: (ctx) => {
        ctx.registerHook("pre_tool_call", () => {});
        ctx.onFlush(() => calls.push("flush"));
        ctx.onClose(async () => calls.push("close"));
      },
    });
    hooks.register({
      name: "hangs",
      register: (ctx) => ctx.onClose(() => new Promise(() => {})),
    });
    hooks.register({
      name: "fails",
      register: (ctx) => {
        ctx.onClose(() => {
          throw new Error("cannot close");
        });
      },
    });

    const [first, second] = await Promise.all([hooks.close(20), hooks.close(20)]);

    expect(first).toBe(second);
    expect(first).toEqual({
      isComplete: false,
      pending: 0,
      plugins: { good: "ok", hangs: "timeout", fails: "Error: cannot close" },
    });
    expect(calls).toEqual(["flush", "close"]);
    expect(hooks.has("pre_tool_call")).toBe(false);
  });
});
