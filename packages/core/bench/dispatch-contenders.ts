import { channel } from "node:diagnostics_channel";
import { EventEmitter } from "node:events";
import { Hookable } from "hookable";
import { SyncHook } from "tapable";
import { deepFreeze, Hooks, markFrozen, SCHEMA_VERSION } from "@hermes-observer/core";
import type { PostToolCall } from "@hermes-observer/core";

/** A way to hand one event to `observers` callbacks; `fire` is one guarded call site. */
export interface Contender {
  readonly name: string;
  readonly make: (observers: number) => () => void;
}

/** Written by every observer, so that no call can be optimised away. */
export const sink: { total: number } = { total: 0 };

const HOOK = "post_tool_call";

/** A payload as a host builds it for one event. */
export function payload(): PostToolCall {
  return {
    session_id: "s1",
    task_id: "k1",
    turn_id: "t1",
    api_request_id: "r1",
    tool_call_id: "c1",
    tool_name: "grep",
    args: frozenArgs,
    result: "42 matches",
    duration_ms: 3,
    status: "ok",
    error_type: null,
    error_message: null,
  };
}

// As the sanitiser hands it over.
const frozenArgs = markFrozen(Object.freeze({ pattern: "x" }));

function observe(event: { readonly duration_ms: number }): void {
  sink.total += event.duration_ms;
}

/** The event stamped, frozen, with id and time: what a user has to add to a bare emitter to have what observers get here. */
function withEnvelope(count: number): { payload: PostToolCall; envelope: object } {
  const event = payload() as { telemetry_schema_version?: string } & PostToolCall;
  event.telemetry_schema_version = SCHEMA_VERSION;
  return {
    payload: deepFreeze(event),
    envelope: Object.freeze({ id: `abcdefghijkl:${count}`, at: Date.now() / 1000, hook: HOOK }),
  };
}

let channels = 0;
function newChannel(): ReturnType<typeof channel> {
  channels += 1;
  return channel(`bench-${channels}`);
}

export const contenders: readonly Contender[] = [
  {
    name: "hermes-observer",
    make: (observers) => {
      const hooks = new Hooks();
      for (let index = 0; index < observers; index += 1) {
        hooks.register({
          name: `p${index}`,
          register: (ctx) => void ctx.registerHook(HOOK, observe),
        });
      }
      return () => {
        if (hooks.has(HOOK)) hooks.emit(HOOK, payload());
      };
    },
  },
  {
    name: "diagnostics_channel, same event",
    make: (observers) => {
      const target = newChannel();
      for (let index = 0; index < observers; index += 1) {
        target.subscribe((message) => observe((message as { payload: PostToolCall }).payload));
      }
      let count = 0;
      return () => {
        if (target.hasSubscribers) target.publish(withEnvelope((count += 1)));
      };
    },
  },
  {
    name: "diagnostics_channel, bare",
    make: (observers) => {
      const target = newChannel();
      for (let index = 0; index < observers; index += 1) {
        target.subscribe((message) => observe(message as PostToolCall));
      }
      return () => {
        if (target.hasSubscribers) target.publish(payload());
      };
    },
  },
  {
    name: "EventEmitter, bare",
    make: (observers) => {
      const emitter = new EventEmitter();
      emitter.setMaxListeners(0);
      for (let index = 0; index < observers; index += 1)
        emitter.on(HOOK, (event) => observe(event));
      return () => {
        if (emitter.listenerCount(HOOK) > 0) emitter.emit(HOOK, payload());
      };
    },
  },
  {
    name: "hookable, bare",
    make: (observers) => {
      const hookable = new Hookable<Record<string, (event: PostToolCall) => void>>();
      for (let index = 0; index < observers; index += 1) hookable.hook(HOOK, observe);
      return () => {
        void hookable.callHook(HOOK, payload());
      };
    },
  },
  {
    name: "tapable, bare",
    make: (observers) => {
      const hook = new SyncHook<[PostToolCall]>(["event"]);
      for (let index = 0; index < observers; index += 1) hook.tap(`p${index}`, observe);
      return () => {
        if (hook.isUsed()) hook.call(payload());
      };
    },
  },
];
