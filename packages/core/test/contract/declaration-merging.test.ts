import type { HookName, ObserverEvents } from "@hermes-observer/core";
import { describe, expectTypeOf, test } from "vitest";
import type { HookName as HookNameInside } from "../../src/contract/events.ts";

interface AcmeCacheHit {
  readonly session_id: string;
  readonly cache_key: string;
}

declare module "@hermes-observer/core" {
  interface ObserverEvents {
    acme_cache_hit: AcmeCacheHit;
  }
  interface PreToolCall {
    readonly acme_cost_center?: string;
  }
}

describe("a host that merges into the package by its name", () => {
  test("adds a hook to the event map", () => {
    expectTypeOf<ObserverEvents["acme_cache_hit"]>().toEqualTypeOf<AcmeCacheHit>();
    expectTypeOf<"acme_cache_hit">().toExtend<HookName>();
  });

  test("keeps the hooks of the contract", () => {
    expectTypeOf<"pre_tool_call">().toExtend<HookName>();
    expectTypeOf<ObserverEvents["pre_tool_call"]["tool_name"]>().toEqualTypeOf<string>();
    expectTypeOf<"no_such_hook">().not.toExtend<HookName>();
  });

  test("reaches the map that the dispatcher itself is typed by", () => {
    expectTypeOf<HookName>().toEqualTypeOf<HookNameInside>();
  });

  test("adds a field to a payload of the contract", () => {
    expectTypeOf<ObserverEvents["pre_tool_call"]["acme_cost_center"]>().toEqualTypeOf<
      string | undefined
    >();
  });
});
