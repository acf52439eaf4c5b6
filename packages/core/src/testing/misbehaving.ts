import type { Plugin } from "../hooks/plugin.ts";

/** What can be wrong with a plugin. */
export type Misbehaviour =
  | "throws"
  | "rejects"
  | "never_settles"
  | "thenable_throws"
  | "returns_decision"
  | "mutates"
  | "emits"
  | "floods";

/** Every kind, for tests that run them all. */
export const misbehaviours: readonly Misbehaviour[] = [
  "throws",
  "rejects",
  "never_settles",
  "thenable_throws",
  "returns_decision",
  "mutates",
  "emits",
  "floods",
];

/** What a misbehaving plugin needs of the dispatcher for `emits`. */
export interface Emitter {
  replay(payload: object, envelope: { id: string; at: number; hook: string }): void;
}

/**
 * A plugin that misbehaves in one way on every hook: put it beside others and the host's output must not change.
 * `emitter` is the dispatcher that `emits` feeds from inside its callbacks.
 */
export function misbehaving(kind: Misbehaviour, emitter?: Emitter): Plugin {
  const act = actions[kind];
  return {
    name: `misbehaving:${kind}`,
    register: (ctx) => {
      ctx.registerHook("*", (payload) => act(payload, emitter));
    },
  };
}

const actions: Record<Misbehaviour, (payload: object, emitter: Emitter | undefined) => unknown> = {
  throws: () => {
    throw new Error("a plugin throws");
  },
  rejects: () => Promise.reject(new Error("a plugin rejects")),
  never_settles: () => new Promise(() => {}),
  thenable_throws: () => ({
    // oxlint-disable-next-line unicorn/no-thenable -- this is the misbehaviour
    then: () => {
      throw new Error("a thenable throws");
    },
  }),
  returns_decision: () => ({ action: "block", message: "not asked", context: "not asked" }),
  mutates: (payload) => {
    for (const key of Object.keys(payload)) Reflect.set(payload, key, "changed");
    Reflect.deleteProperty(payload, "session_id");
    Reflect.set(payload, "added", true);
  },
  emits: (_payload, emitter) => emitter?.replay({}, { id: "nested", at: 0, hook: "pre_tool_call" }),
  floods: () => {
    for (let index = 0; index < 1000; index += 1) void Promise.resolve(index);
    return Promise.all(Array.from({ length: 100 }, () => Promise.resolve()));
  },
};
