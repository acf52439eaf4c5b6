import { Hooks, Lifecycle, seededIds } from "@hermes-observer/core";
import type { CapabilityRow, EventRecord, Payload } from "@hermes-observer/core";
import { expect, test } from "vitest";
import { verdict } from "../src/index.ts";
import { checkConformance } from "../src/conformance/index.ts";
import { all, build, codes } from "./reading.ts";

const capabilities: CapabilityRow = {
  on_session_finalize: "full",
  pre_llm_call: "full",
  post_llm_call: "full",
};

/** A run of a host that uses the handles: a retry, an interrupt, an approval, a child, a rejected call. */
async function record(): Promise<EventRecord[]> {
  const events: EventRecord[] = [];
  const hooks = new Hooks();
  hooks.register({
    name: "collect",
    register(ctx) {
      ctx.registerHook("*", (payload, envelope) => {
        events.push({ ...envelope, payload: payload as unknown as Payload });
      });
    },
  });
  const host = new Lifecycle(hooks, {
    producer: { name: "test", version: "1", capabilities },
    ids: seededIds(7),
  });
  using session = host.startSession({ model: "m", session_id: "s" });
  using turn = await session.startTurn({ user_message: "go", is_first_turn: true });
  await work(turn);
  turn.end({ completed: true, turn_exit_reason: "done", assistant_response: "done" });
  session.finalize("shutdown");
  await hooks.close(1000);
  return events;
}

async function work(
  turn: Awaited<ReturnType<ReturnType<Lifecycle["startSession"]>["startTurn"]>>,
): Promise<void> {
  using tool = await turn.startToolCall({
    tool_name: "terminal",
    tool_call_id: "1",
    args: { command: "rm -r x" },
  });
  using input = tool.requestHumanInput({ kind: "approval", prompt: "?" });
  using approval = input.requestApproval({
    command: "rm -r x",
    description: "d",
    pattern_key: "rm",
    surface: "cli",
  });
  approval.respond("once");
  input.resolve("once");
  using child = tool.startSubagent({ child_goal: "count" });
  child.stop({ child_status: "completed", child_summary: "3" });
  tool.ok("done");
}

test("what a host records through the handles is complete, conformant and deviates nowhere", async () => {
  const events = await record();

  const trajectory = build(events);
  const report = checkConformance(events);

  expect(verdict(trajectory, { writer: "closed" })).toEqual({
    verdict: "complete",
    reasons: [],
    notices: [],
  });
  expect(report.clauses.filter(({ status }) => status === "FAIL")).toEqual([]);
  expect(all(trajectory, "tool").flatMap((node) => codes(node))).toEqual([]);
  expect(all(trajectory, "approval")[0]?.parent_id).toBe(all(trajectory, "human_input")[0]?.id);
  expect(all(trajectory, "subagent")[0]?.parent_id).toBe(all(trajectory, "tool")[0]?.id);
});
