import { describe, expect, expectTypeOf, test } from "vitest";
import type { DecidingHook, DecisionReturns } from "../../src/contract/decisions.ts";
import {
  decidingHooks,
  hookNames,
  legacyRawFields,
  SCHEMA_VERSION,
} from "../../src/contract/events.ts";
import type { HookName, ObserverEvents } from "../../src/contract/events.ts";
import { goldenEvents } from "./golden.ts";

describe("hookNames", () => {
  test("has the hooks of the specification, family by family", () => {
    expect(hookNames).toEqual([
      "on_session_start",
      "on_session_end",
      "on_session_finalize",
      "on_session_reset",
      "pre_llm_call",
      "post_llm_call",
      "pre_api_request",
      "post_api_request",
      "api_request_error",
      "pre_tool_call",
      "post_tool_call",
      "on_human_input_request",
      "on_human_input_resolved",
      "pre_approval_request",
      "post_approval_response",
      "subagent_start",
      "subagent_stop",
      "transform_tool_result",
      "transform_llm_output",
    ]);
  });

  test("has a golden event for each", () => {
    const hooks = new Set(goldenEvents.map((event) => event.hook));

    expect([...hooks].toSorted()).toEqual([...hookNames].toSorted());
  });
});

test("the schema version is the one of the specification", () => {
  expect(SCHEMA_VERSION).toBe("hermes.observer.v1");
});

test("four hooks can be answered", () => {
  expect(decidingHooks).toEqual([
    "pre_llm_call",
    "pre_tool_call",
    "transform_tool_result",
    "transform_llm_output",
  ]);
  expectTypeOf<DecidingHook>().toExtend<HookName>();
});

test("three raw fields are kept for old plugins", () => {
  expect(legacyRawFields).toEqual([
    "assistant_message",
    "request_messages",
    "conversation_history",
  ]);
});

test("the lists cannot be changed", () => {
  expect([hookNames, decidingHooks, legacyRawFields].every(Object.isFrozen)).toBe(true);
});

describe("types", () => {
  test("absent values are null where the contract says so, and ids never are", () => {
    expectTypeOf<ObserverEvents["post_api_request"]["usage"]>()
      .extract<null>()
      .toEqualTypeOf<null>();
    expectTypeOf<ObserverEvents["on_session_finalize"]["session_id"]>().toEqualTypeOf<
      string | null
    >();
    expectTypeOf<ObserverEvents["pre_tool_call"]["tool_call_id"]>().toEqualTypeOf<string>();
  });

  test("fields cannot be assigned", () => {
    const change = (payload: ObserverEvents["pre_tool_call"]): void => {
      // @ts-expect-error -- payloads are read-only
      payload.tool_name = "other";
    };

    expect(change).toThrow();
  });

  test("a status takes the known values and any other string", () => {
    type Status = ObserverEvents["post_tool_call"]["status"];

    expectTypeOf<"timeout">().toExtend<Status>();
    expectTypeOf<string>().toExtend<Status>();
    expectTypeOf<number>().not.toExtend<Status>();
  });

  test("a decision has the shape that its hook honours", () => {
    expectTypeOf<"context">().toExtend<DecisionReturns["pre_llm_call"]>();
    expectTypeOf<{ context: string }>().toExtend<DecisionReturns["pre_llm_call"]>();
    expectTypeOf<{ action: "block"; message: string }>().toExtend<
      DecisionReturns["pre_tool_call"]
    >();
    expectTypeOf<{ action: "modify"; args: { path: string } }>().toExtend<
      DecisionReturns["pre_tool_call"]
    >();
    expectTypeOf<{ action: "approve" }>().toExtend<DecisionReturns["pre_tool_call"]>();
    expectTypeOf<{ action: "block" }>().not.toExtend<DecisionReturns["pre_tool_call"]>();
    expectTypeOf<{ action: "modify" }>().not.toExtend<DecisionReturns["pre_tool_call"]>();
    expectTypeOf<DecisionReturns["transform_tool_result"]>().toEqualTypeOf<string>();
    expectTypeOf<DecisionReturns["transform_llm_output"]>().toEqualTypeOf<string>();
  });
});
