import { readFileSync } from "node:fs";
import { describe, expect, expectTypeOf, test } from "vitest";
import { isAddition, readContract } from "../../scripts/read-contract.ts";
import type {
  ApprovalAdditions,
  AttemptAdditions,
  AttemptErrorAdditions,
  HumanInputAdditions,
  SessionStartAdditions,
  SubagentAdditions,
  SubagentStopAdditions,
} from "../../src/contract/additions.ts";
import type { ObserverEvents } from "../../src/contract/events.ts";

describe("fields that our hosts add", () => {
  test("are these, and no other field says that readers must not need it", () => {
    const contract = readContract();
    const added = contract.hooks.flatMap(({ name, type }) =>
      Object.entries(contract.definitions[type]?.properties ?? {})
        .filter(([, field]) => isAddition(field))
        .map(([field]) => `${name}.${field}`),
    );

    expect(added.toSorted()).toEqual([
      "api_request_error.attempt",
      "api_request_error.usage",
      "on_human_input_request.tool_call_id",
      "on_human_input_request.turn_id",
      "on_human_input_resolved.tool_call_id",
      "on_human_input_resolved.turn_id",
      "on_session_start.producer",
      "post_api_request.attempt",
      "post_approval_response.request_id",
      "post_approval_response.session_id",
      "post_approval_response.tool_call_id",
      "post_approval_response.turn_id",
      "pre_api_request.attempt",
      "pre_approval_request.request_id",
      "pre_approval_request.session_id",
      "pre_approval_request.tool_call_id",
      "pre_approval_request.turn_id",
      "subagent_start.parent_tool_call_id",
      "subagent_stop.child_subagent_id",
      "subagent_stop.parent_tool_call_id",
      "subagent_stop.usage",
    ]);
  });

  test("say so in their doc comments, every one of the file", () => {
    const file = new URL("../../src/contract/additions.ts", import.meta.url);
    const fields = [
      ...readFileSync(file, "utf8").matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\/\s*readonly (\w+)/g),
    ].map(([, comment, name]) => ({ name, comment: comment?.replace(/\s*\n\s*\*\s*/g, " ") }));

    expect(fields).toHaveLength(12);
    for (const { name, comment } of fields) {
      expect(comment, name).toContain("readers must not need it");
    }
  });

  test("are optional, every one", () => {
    expectTypeOf<object>().toExtend<
      ApprovalAdditions &
        AttemptAdditions &
        AttemptErrorAdditions &
        HumanInputAdditions &
        SessionStartAdditions &
        SubagentAdditions &
        SubagentStopAdditions
    >();
  });

  test("are in the payload types", () => {
    expectTypeOf<ObserverEvents["api_request_error"]>().toExtend<
      AttemptAdditions & AttemptErrorAdditions
    >();
    expectTypeOf<ObserverEvents["on_human_input_request"]>().toExtend<HumanInputAdditions>();
    expectTypeOf<ObserverEvents["post_approval_response"]>().toExtend<ApprovalAdditions>();
    expectTypeOf<ObserverEvents["subagent_stop"]>().toExtend<
      SubagentAdditions & SubagentStopAdditions
    >();
  });
});
