import { describe, expect, test } from "vitest";
import { Hooks, fixedClock } from "@hermes-observer/core";
import type { Envelope, Fault, Plugin, PreToolCall } from "@hermes-observer/core";

const call: PreToolCall = {
  tool_name: "grep",
  args: { pattern: "x" },
  session_id: "s1",
  task_id: "k1",
  turn_id: "t1",
  tool_call_id: "c1",
  api_request_id: "r1",
};
const fresh = (): PreToolCall => ({ ...call, args: { ...call.args } });

function plugin(
  name: string,
  observe: (payload: PreToolCall, envelope: Envelope) => unknown,
): Plugin {
  return { name, register: (ctx) => void ctx.registerHook("pre_tool_call", observe) };
}

function faultsOf(): { faults: Fault[]; onFault: (fault: Fault) => void } {
  const faults: Fault[] = [];
  return { faults, onFault: (fault) => void faults.push(fault) };
}

describe("has", () => {
  test("is false until somebody observes the hook and again after it was removed", () => {
    const hooks = new Hooks();

    const before = hooks.has("pre_tool_call");
    const registration = hooks.register(plugin("a", () => {}));
    const during = [hooks.has("pre_tool_call"), hooks.has("post_tool_call")];
    registration.unregister();

    expect([before, ...during, hooks.has("pre_tool_call")]).toEqual([false, true, false, false]);
  });

  test("is true for every hook when a plugin registers *", () => {
    const hooks = new Hooks();
    hooks.register({ name: "all", register: (ctx) => void ctx.registerHook("*", () => {}) });

    expect(hooks.has("subagent_stop")).toBe(true);
  });

  test("is false while paused, and nothing is delivered", () => {
    const hooks = new Hooks();
    let seen = 0;
    hooks.register(plugin("a", () => (seen += 1)));

    hooks.pause();
    hooks.emit("pre_tool_call", fresh());
    const paused = hooks.has("pre_tool_call");
    hooks.resume();
    hooks.emit("pre_tool_call", fresh());

    expect([paused, hooks.has("pre_tool_call"), seen]).toEqual([false, true, 1]);
  });

  test("stays false while paused although a plugin is registered meanwhile", () => {
    const hooks = new Hooks();

    hooks.pause();
    hooks.register(plugin("late", () => {}));

    expect(hooks.has("pre_tool_call")).toBe(false);
  });
});

describe("emit", () => {
  test("hands every observer the same frozen payload and one envelope", () => {
    const hooks = new Hooks({ writer: "w", clock: fixedClock(1_800_000_000.5) });
    const seen: unknown[][] = [];
    hooks.register(plugin("a", (...event) => seen.push(event)));
    hooks.register(plugin("b", (...event) => seen.push(event)));

    hooks.emit("pre_tool_call", fresh());

    const [first, second] = seen;
    expect(first?.[0]).toBe(second?.[0]);
    expect(first?.[1]).toBe(second?.[1]);
    expect(first?.[1]).toEqual({ id: "w:1", at: 1_800_000_000.5, hook: "pre_tool_call" });
    expect(Object.isFrozen(first?.[0])).toBe(true);
    expect(Object.isFrozen((first?.[0] as PreToolCall | undefined)?.args)).toBe(true);
    expect(Object.isFrozen(first?.[1])).toBe(true);
  });

  test("stamps the schema version, and leaves one that is already there", () => {
    const hooks = new Hooks();
    const seen: unknown[] = [];
    hooks.register(plugin("a", (payload) => seen.push(payload.telemetry_schema_version)));

    hooks.emit("pre_tool_call", fresh());
    hooks.emit("pre_tool_call", { ...fresh(), telemetry_schema_version: "hermes.observer.v2" });
    hooks.emit("pre_tool_call", Object.freeze(fresh()));

    expect(seen).toEqual(["hermes.observer.v1", "hermes.observer.v2", "hermes.observer.v1"]);
  });

  test("numbers events one by one over all hooks and skips none for the unobserved", () => {
    const hooks = new Hooks({ writer: "w" });
    const ids: string[] = [];
    hooks.register(plugin("a", (_payload, envelope) => ids.push(envelope.id)));

    hooks.emit("post_tool_call", {
      ...fresh(),
      result: 1,
      duration_ms: 1,
      status: "ok",
      error_type: null,
      error_message: null,
    });
    hooks.emit("pre_tool_call", fresh());
    hooks.emit("pre_tool_call", fresh());

    expect(ids).toEqual(["w:1", "w:2"]);
  });

  test("passes on unknown fields and, on replay, unknown hooks", () => {
    const hooks = new Hooks();
    const seen: unknown[] = [];
    hooks.register({
      name: "all",
      register: (ctx) =>
        void ctx.registerHook("*", (payload, envelope) => seen.push([envelope, payload])),
    });

    hooks.replay({ new_field: [1] }, { id: "x", at: 1, hook: "kanban_task_claimed" });

    expect(seen).toEqual([
      [
        { id: "x", at: 1, hook: "kanban_task_claimed" },
        { new_field: [1], telemetry_schema_version: "hermes.observer.v1" },
      ],
    ]);
  });

  test("two dispatchers do not see each other", () => {
    const one = new Hooks();
    const two = new Hooks();
    let seen = 0;
    one.register(plugin("a", () => (seen += 1)));

    two.emit("pre_tool_call", fresh());

    expect([seen, two.has("pre_tool_call"), one.writer === two.writer]).toEqual([0, false, false]);
  });

  test("a payload that cannot be read is a fault of the host, not an exception", () => {
    const { faults, onFault } = faultsOf();
    const hooks = new Hooks({ onFault });
    hooks.register(plugin("a", () => {}));
    const hostile = new Proxy(fresh(), {
      get: () => {
        throw new Error("no");
      },
    });

    hooks.emit("pre_tool_call", hostile);

    expect(faults.map(({ plugin: name, kind }) => [name, kind])).toEqual([["host", "host"]]);
  });
});

describe("isolation", () => {
  test("an observer that throws is reported and the next one still runs", () => {
    const { faults, onFault } = faultsOf();
    const hooks = new Hooks({ onFault });
    const seen: string[] = [];
    hooks.register(
      plugin("broken", () => {
        throw new Error("boom");
      }),
    );
    hooks.register(plugin("healthy", (payload) => seen.push(payload.tool_name)));

    hooks.emit("pre_tool_call", fresh());

    expect(faults).toEqual([
      {
        plugin: "broken",
        hook: "pre_tool_call",
        kind: "threw",
        error: new Error("boom"),
        count: 1,
      },
    ]);
    expect(seen).toEqual(["grep"]);
  });

  test("a rejection and a thenable that throws are reported, one fault each", async () => {
    const { faults, onFault } = faultsOf();
    const hooks = new Hooks({ onFault });
    hooks.register(plugin("rejects", () => Promise.reject(new Error("late"))));
    hooks.register(
      plugin("thenable", () => ({
        then: () => {
          throw new Error("then");
        },
      })),
    );
    hooks.register(
      plugin("getter", () => ({
        get then() {
          throw new Error("get");
        },
      })),
    );

    hooks.emit("pre_tool_call", fresh());
    await hooks.flush(1000);

    expect(faults.map(({ plugin: name, kind }) => `${name} ${kind}`).sort()).toEqual([
      "getter threw",
      "rejects rejected",
      "thenable rejected",
    ]);
    expect(hooks.pendingCount).toBe(0);
  });

  test("a thenable that calls back twice settles once", async () => {
    const { faults, onFault } = faultsOf();
    const hooks = new Hooks({ onFault });
    hooks.register(
      plugin("twice", () => ({
        then: (resolve: (value: unknown) => void, reject: (error: unknown) => void) => {
          resolve(1);
          reject(new Error("too late"));
          resolve(2);
        },
      })),
    );

    hooks.emit("pre_tool_call", fresh());
    await hooks.flush(1000);

    expect([hooks.pendingCount, faults.length]).toEqual([0, 0]);
  });

  test("a promise that never settles costs a flush its time and nothing else", async () => {
    const hooks = new Hooks();
    hooks.register(plugin("hangs", () => new Promise(() => {})));

    hooks.emit("pre_tool_call", fresh());
    const report = await hooks.flush(5);

    expect(report).toEqual({ isComplete: false, pending: 1, plugins: { hangs: "ok" } });
  });

  test("an observer that tries to change payload or envelope changes nothing for the next", () => {
    const hooks = new Hooks({ writer: "w" });
    const seen: unknown[] = [];
    hooks.register(
      plugin("mutates", (payload, envelope) => {
        Reflect.set(payload, "tool_name", "rm");
        Reflect.set(payload.args, "pattern", "y");
        Reflect.set(envelope, "id", "forged");
      }),
    );
    hooks.register(
      plugin("looks", (payload, envelope) =>
        seen.push(payload.tool_name, payload.args, envelope.id),
      ),
    );

    hooks.emit("pre_tool_call", fresh());

    expect(seen).toEqual(["grep", { pattern: "x" }, "w:1"]);
  });

  test("a fault sink that throws or emits is survived", () => {
    let reports = 0;
    const hooks: Hooks = new Hooks({
      onFault: () => {
        reports += 1;
        hooks.emit("pre_tool_call", fresh());
        throw new Error("sink");
      },
    });
    hooks.register(
      plugin("broken", () => {
        throw new Error("boom");
      }),
    );

    hooks.emit("pre_tool_call", fresh());

    expect(reports).toBeGreaterThan(0);
    expect(hooks.faultCount).toBeGreaterThan(1);
  });

  test("a decision from a plain observer is ignored and the fault says which option is missing", async () => {
    const { faults, onFault } = faultsOf();
    const hooks = new Hooks({ onFault });
    hooks.register(plugin("guard", () => ({ action: "block", message: "no" })));
    hooks.register(plugin("async guard", async () => ({ action: "block", message: "no" })));

    hooks.register(plugin("number", () => 1));
    hooks.register(
      plugin(
        "proxy",
        () =>
          new Proxy(
            {},
            {
              has: () => {
                throw new Error("no");
              },
            },
          ),
      ),
    );

    hooks.emit("pre_tool_call", fresh());
    await hooks.flush(1000);

    expect(faults.map(({ plugin: name, kind }) => [name, kind])).toEqual([
      ["guard", "decision_ignored"],
      ["async guard", "decision_ignored"],
    ]);
    expect(String(faults[0]?.error)).toContain("decides: true");
  });
});

describe("switching off", () => {
  const broken = (name: string): Plugin =>
    plugin(name, () => {
      throw new Error("boom");
    });

  test("a plugin is switched off at the given number of faults in a row, with one message", () => {
    const { faults, onFault } = faultsOf();
    const hooks = new Hooks({ onFault, maxConsecutiveFaults: 3 });
    hooks.register(broken("broken"));

    for (let index = 0; index < 10; index += 1) hooks.emit("pre_tool_call", fresh());

    expect(faults.filter(({ kind }) => kind === "switched_off")).toHaveLength(1);
    expect([hooks.faultCount, hooks.has("pre_tool_call")]).toEqual([4, false]);
  });

  test("one call that works starts the count again, and 0 means never", () => {
    const hooks = new Hooks({ maxConsecutiveFaults: 2 });
    const forever = new Hooks({ maxConsecutiveFaults: 0 });
    let count = 0;
    hooks.register(
      plugin("flaky", () => {
        count += 1;
        if (count % 2 === 1) throw new Error("odd");
      }),
    );
    forever.register(broken("broken"));

    for (let index = 0; index < 50; index += 1) {
      hooks.emit("pre_tool_call", fresh());
      forever.emit("pre_tool_call", fresh());
    }

    expect([count, forever.has("pre_tool_call"), forever.faultCount]).toEqual([50, true, 50]);
  });

  test("faults of one kind are passed on at the 1st, 2nd, 4th, 8th …", () => {
    const { faults, onFault } = faultsOf();
    const hooks = new Hooks({ onFault, maxConsecutiveFaults: 0 });
    hooks.register(broken("broken"));

    for (let index = 0; index < 20; index += 1) hooks.emit("pre_tool_call", fresh());

    expect(faults.map(({ count }) => count)).toEqual([1, 2, 4, 8, 16]);
  });
});

describe("registering while events are delivered", () => {
  test("a callback that removes itself is not called again and the next one still runs", () => {
    const hooks = new Hooks();
    const seen: string[] = [];
    hooks.register({
      name: "once",
      register: (ctx) => {
        const remove = ctx.registerHook("pre_tool_call", () => {
          seen.push("once");
          remove();
        });
      },
    });
    hooks.register(plugin("next", () => seen.push("next")));

    hooks.emit("pre_tool_call", fresh());
    hooks.emit("pre_tool_call", fresh());

    expect(seen).toEqual(["once", "next", "next"]);
  });

  test("a plugin that another one removes during the event is not called any more", () => {
    const hooks = new Hooks();
    const seen: string[] = [];
    let remove = (): void => {};
    hooks.register(plugin("a", () => remove()));
    const registration = hooks.register(plugin("b", () => seen.push("b")));
    remove = () => registration.unregister();

    hooks.emit("pre_tool_call", fresh());

    expect(seen).toEqual([]);
  });

  test("events that callbacks emit come after the current one, in order of id for everybody", () => {
    const hooks = new Hooks({ writer: "w" });
    const seen: string[] = [];
    hooks.register(
      plugin("emits", (_payload, envelope) => {
        if (envelope.id === "w:1") hooks.emit("pre_tool_call", fresh());
      }),
    );
    hooks.register(plugin("looks", (_payload, envelope) => seen.push(envelope.id)));

    hooks.emit("pre_tool_call", fresh());

    expect(seen).toEqual(["w:1", "w:2"]);
  });

  test("an observer that emits at every event is stopped at the eighth level", () => {
    const { faults, onFault } = faultsOf();
    const hooks = new Hooks({ onFault });
    let seen = 0;
    hooks.register(
      plugin("endless", () => {
        seen += 1;
        hooks.emit("pre_tool_call", fresh());
      }),
    );

    hooks.emit("pre_tool_call", fresh());
    hooks.emit("pre_tool_call", fresh());

    expect([seen, faults.map(({ kind }) => kind)]).toEqual([16, ["recursion", "recursion"]]);
  });

  test("the same callback registered twice is called twice, and each registration is removed on its own", () => {
    const hooks = new Hooks();
    let seen = 0;
    const observe = (): number => (seen += 1);
    let removeOne = (): void => {};
    hooks.register({
      name: "twice",
      register: (ctx) => {
        removeOne = ctx.registerHook("pre_tool_call", observe);
        ctx.registerHook("pre_tool_call", observe);
      },
    });

    hooks.emit("pre_tool_call", fresh());
    const both = seen;
    removeOne();
    hooks.emit("pre_tool_call", fresh());

    expect([both, seen]).toEqual([2, 3]);
  });

  test("a plugin may register more hooks after register returned, but not after it was removed", () => {
    const hooks = new Hooks();
    let later = (): void => {};
    const registration = hooks.register({
      name: "later",
      register: (ctx) => {
        later = () => void ctx.registerHook("post_tool_call", () => {});
      },
    });

    later();
    const during = hooks.has("post_tool_call");
    registration.unregister();
    later();

    expect([during, hooks.has("post_tool_call")]).toEqual([true, false]);
  });
});
