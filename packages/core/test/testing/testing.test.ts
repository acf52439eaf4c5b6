import { describe, expect, test } from "vitest";
import { Hooks } from "@hermes-observer/core";
import {
  misbehaving,
  misbehaviours,
  play,
  recorder,
  scriptedEvents,
} from "@hermes-observer/core/testing";

const script = scriptedEvents([
  ["on_session_start"],
  ["pre_llm_call", { user_message: "hi" }],
  ["pre_tool_call", { tool_name: "grep", tool_call_id: "c1" }],
  ["post_tool_call", { tool_name: "grep", tool_call_id: "c1", status: "ok" }],
  ["on_session_end", { completed: true }],
]);

describe("recorder", () => {
  test("keeps every event in order, to be taken by hook and found by content", () => {
    const hooks = new Hooks();
    const seen = recorder();
    hooks.register(seen);

    play(hooks, script);

    expect(seen.hooks()).toEqual(script.map(({ hook }) => hook));
    expect(seen.take("pre_tool_call").map(({ id, payload }) => [id, payload.tool_name])).toEqual([
      ["w:3", "grep"],
    ]);
    expect(seen.find("post_tool_call", ({ status }) => status === "error")).toBeUndefined();
    expect(seen.find("post_tool_call")?.payload.status).toBe("ok");
    seen.clear();
    expect(seen.events).toEqual([]);
  });

  test("says which starts have no end and which ends no start, by their ids", () => {
    const hooks = new Hooks();
    const seen = recorder();
    hooks.register(seen);
    const unpaired = scriptedEvents([
      ["pre_llm_call"],
      ["pre_api_request", { api_request_id: "r1", attempt: 0 }],
      ["pre_api_request", { api_request_id: "r1", attempt: 1 }],
      ["api_request_error", { api_request_id: "r1", attempt: 0 }],
      ["post_tool_call", { tool_call_id: "c9" }],
      ["on_human_input_request", { request_id: "h1" }],
      ["pre_approval_request", { session_key: "k", pattern_key: "rm" }],
      ["subagent_start", { child_session_id: "s2" }],
      ["subagent_stop", { child_session_id: "s3" }],
    ]);

    play(hooks, unpaired);

    expect(seen.unpaired()).toEqual([
      "pre_llm_call without on_session_end: t1",
      "pre_api_request without post_api_request or api_request_error: r1 1",
      "post_tool_call without pre_tool_call: t1 c9",
      "on_human_input_request without on_human_input_resolved: h1",
      "pre_approval_request without post_approval_response: k  rm",
      "subagent_stop without subagent_start: s3",
      "subagent_start without subagent_stop: s2",
    ]);
  });
});

describe("scriptedEvents", () => {
  test("the same script gives the same events, with the ids and times that are asked for", () => {
    const options = { session_id: "s9", turn_id: "t9", writer: "v", at: 10, step: 0.5 };
    const make = (): unknown => scriptedEvents([["pre_llm_call"], ["on_session_end"]], options);

    expect(make()).toEqual(make());
    expect(make()).toEqual([
      { id: "v:1", at: 10, hook: "pre_llm_call", payload: { session_id: "s9", turn_id: "t9" } },
      { id: "v:2", at: 10.5, hook: "on_session_end", payload: { session_id: "s9", turn_id: "t9" } },
    ]);
  });
});

describe("misbehaving", () => {
  test.each(misbehaviours)(
    "a plugin that %s changes nothing for the one beside it",
    async (kind) => {
      const hooks = new Hooks({ maxConsecutiveFaults: 0 });
      const seen = recorder();
      hooks.register(misbehaving(kind, hooks));
      hooks.register(seen);

      play(hooks, script);
      await hooks.flush(10);

      const own = seen.events.filter(({ id }) => id !== "nested");
      expect(own.map(({ id }) => id)).toEqual(script.map(({ id }) => id));
      expect(own.map(({ payload }) => payload["session_id"])).toEqual(script.map(() => "s1"));
    },
  );
});
