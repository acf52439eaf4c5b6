import type { Payload } from "@hermes-observer/core";
import { expect, test } from "vitest";
import { verdict } from "../src/index.ts";
import {
  Script,
  call,
  endAttempt,
  endTurn,
  golden,
  outcome,
  startAttempt,
  startTurn,
  turnIds,
} from "./golden.ts";
import { all, build, codes, only } from "./reading.ts";

const ids = turnIds("s", "t");

function started(): Script {
  const script = new Script();
  script.emit("on_session_start", { session_id: "s", model: "m", platform: "cli" });
  startTurn(script, ids, true);
  return script;
}

/** An approval event as real Hermes sends it on its command line: no session, no request id. */
function approval(more: Payload = {}): Payload {
  return {
    command: "rm -r x",
    description: "d",
    pattern_key: "rm",
    pattern_keys: ["rm"],
    session_key: "default",
    surface: "cli",
    turn_id: "t",
    tool_call_id: "1",
    ...more,
  };
}

test.each([
  ["once", "ok"],
  ["session", "ok"],
  ["always", "ok"],
  ["smart_approve", "ok"],
  ["deny", "denied"],
  ["smart_deny", "denied"],
  ["timeout", "timeout"],
  ["cancelled", "cancelled"],
  ["notify_failed", "error"],
  ["transport_unreachable", "error"],
  ["ask_mum", "unobserved"],
])("the choice %s makes the approval %s", (choice, status) => {
  const script = started();
  script.emit("pre_tool_call", call(ids, "terminal", "1"));
  script.emit("pre_approval_request", approval());
  script.emit("post_approval_response", approval({ choice }));

  expect(only(build(script.events), "approval")).toMatchObject({ status, choice });
});

test("an approval without a session id finds its turn and its waiting call by their ids", () => {
  const script = started();
  script.emit("pre_tool_call", call(ids, "terminal", "1"));
  script.emit("pre_approval_request", approval());
  script.emit("post_approval_response", approval({ choice: "timeout" }), 300);
  script.emit("post_tool_call", { ...call(ids, "terminal", "1"), ...outcome("blocked") });
  endTurn(script, ids);

  const trajectory = build(script.events);

  expect(only(trajectory, "approval").parent_id).toBe(only(trajectory, "tool").id);
  expect(only(trajectory, "approval").duration_ms).toBe(300_000);
  expect(only(trajectory, "tool").status).toBe("blocked");
  expect(verdict(trajectory, { writer: "closed" }).verdict).toBe("complete");
});

test("approvals of parallel calls are answered each by its own id", () => {
  const script = started();
  for (const id of ["1", "2"]) {
    script.emit("pre_tool_call", call(ids, "terminal", id));
    script.emit("pre_approval_request", approval({ tool_call_id: id }));
  }
  script.emit("post_approval_response", approval({ tool_call_id: "2", choice: "deny" }));
  script.emit("post_approval_response", approval({ tool_call_id: "1", choice: "once" }));

  const approvals = all(build(script.events), "approval");

  expect(approvals.map(({ tool_call_id, choice }) => [tool_call_id, choice])).toEqual([
    ["1", "once"],
    ["2", "deny"],
  ]);
  expect(approvals.flatMap((one) => codes(one))).toEqual([]);
});

test("an approval without any id is joined by its pattern, and says so", () => {
  const script = started();
  const bare = approval({ turn_id: "", tool_call_id: "", session_id: "s" });
  script.emit("pre_approval_request", bare);
  script.emit("post_approval_response", { ...bare, choice: "once" });

  expect(codes(only(build(script.events), "approval"))).toEqual(["inferred_pairing"]);
});

test("an answer for another pattern, surface or session closes nothing", () => {
  const script = started();
  const bare = approval({ turn_id: "", tool_call_id: "", session_id: "s" });
  script.emit("pre_approval_request", bare);
  for (const other of [
    { pattern_key: "x" },
    { surface: "gateway" },
    { session_id: "s2" },
    { session_key: "k" },
  ]) {
    script.emit("post_approval_response", { ...bare, ...other, choice: "once" });
  }

  const approvals = all(build(script.events), "approval");

  expect(approvals.filter(({ status }) => status === "open")).toHaveLength(1);
  expect(approvals.filter((one) => codes(one).includes("end_without_start"))).toHaveLength(4);
});

test("a smart approval that hands on to a human is superseded, not lost", () => {
  const script = started();
  script.emit("pre_tool_call", call(ids, "terminal", "1"));
  script.emit("pre_approval_request", approval({ surface: "smart" }));
  script.emit("pre_approval_request", approval());
  script.emit("post_approval_response", approval({ choice: "once" }));
  script.emit("post_tool_call", { ...call(ids, "terminal", "1"), ...outcome("ok") });
  endTurn(script, ids);

  const trajectory = build(script.events);

  expect(
    all(trajectory, "approval").map(({ surface, status, closed_by }) => [
      surface,
      status,
      closed_by,
    ]),
  ).toEqual([
    ["smart", "unobserved", "superseded"],
    ["cli", "ok", "event"],
  ]);
  expect(verdict(trajectory, { writer: "closed" }).verdict).toBe("complete");
});

test("an answer before its request completes the same node; a second answer changes nothing", () => {
  const script = started();
  const answer = script.emit("post_approval_response", approval({ choice: "once" }));
  script.emit("pre_approval_request", approval(), 0);
  script.emit("post_approval_response", approval({ choice: "deny" }));

  const node = only(build(script.events), "approval");

  expect(node).toMatchObject({ id: `approval:${answer.id}`, choice: "once" });
  expect(codes(node)).toEqual(["out_of_order", "duplicate_end"]);
});

test("an approval inside a human input without ids of its call moves the input below the call that it names", () => {
  const script = started();
  script.emit("pre_tool_call", call(ids, "terminal", "1"));
  const input = {
    kind: "approval",
    request_id: "h",
    session_id: "s",
    session_key: "",
    platform: "cli",
    prompt: "?",
  };
  script.emit("on_human_input_request", input);
  script.emit("pre_approval_request", approval({ session_id: "s", request_id: "h" }));
  script.emit(
    "post_approval_response",
    approval({ session_id: "s", request_id: "h", choice: "once" }),
  );
  script.emit("on_human_input_resolved", { ...input, outcome: "once" });

  const trajectory = build(script.events);

  expect(only(trajectory, "human_input").parent_id).toBe(only(trajectory, "tool").id);
  expect(only(trajectory, "approval").parent_id).toBe(only(trajectory, "human_input").id);
  expect(only(trajectory, "turn").totals.own).toMatchObject({ human_inputs: 1, approvals: 1 });
});

test.each([
  ["provided", "ok"],
  ["submitted", "ok"],
  ["skipped", "cancelled"],
  ["timeout", "timeout"],
  ["timed_out", "timeout"],
  ["cancelled", "cancelled"],
  ["error", "error"],
  ["deny", "denied"],
])("a human input resolved as %s is %s", (result, status) => {
  const script = started();
  const input = {
    kind: "clarify",
    request_id: "h",
    session_id: "s",
    session_key: "",
    platform: "cli",
    prompt: "?",
  };
  script.emit("on_human_input_request", input);
  script.emit("on_human_input_resolved", { ...input, outcome: result });

  expect(only(build(script.events), "human_input")).toMatchObject({ status, outcome: result });
});

test("a human input resolved twice, or before it was asked, or never, is named", () => {
  const input = (id: string): Payload => ({
    kind: "clarify",
    request_id: id,
    session_id: "s",
    prompt: "?",
  });
  const script = started();
  script.emit("on_human_input_request", input("twice"));
  for (let i = 0; i < 2; i += 1)
    script.emit("on_human_input_resolved", { ...input("twice"), outcome: "submitted" });
  script.emit("on_human_input_resolved", { ...input("early"), outcome: "submitted" });
  script.emit("on_human_input_request", input("early"));
  script.emit("on_human_input_request", input("never"));

  const inputs = all(build(script.events, { finish: "end" }), "human_input");

  expect(inputs.map((one) => [one.request_id, ...codes(one)])).toEqual([
    ["twice", "duplicate_end"],
    ["early", "out_of_order"],
    ["never", "start_without_end"],
  ]);
});

test.each([
  ["ok", "out_of_order"],
  ["cancelled", "child_outlived_parent"],
])("a wait that goes on after its call ended as %s is named %s", (status, code) => {
  const script = started();
  script.emit("pre_tool_call", call(ids, "terminal", "1"));
  script.emit("pre_approval_request", approval());
  script.emit("post_tool_call", { ...call(ids, "terminal", "1"), ...outcome(status) });
  script.emit("post_approval_response", approval({ choice: "once" }));

  expect(codes(only(build(script.events), "approval"))).toEqual([code]);
});

test("an approval that goes on after the human input around it is named", () => {
  const events = golden();
  const i = events.findIndex(({ hook }) => hook === "on_human_input_resolved");
  const swapped = events
    .toSpliced(i - 1, 2, ...events.slice(i - 1, i + 1).toReversed())
    .map((event, n) => ({ ...event, id: `event-${n}`, at: 1_790_000_000 }));

  expect(codes(only(build(swapped), "approval"))).toEqual(["out_of_order"]);
});

const link = {
  parent_session_id: "s",
  parent_turn_id: "t",
  parent_subagent_id: null,
  child_session_id: "c",
  child_role: "leaf",
};

test("a child without its delegating call's id hangs below the parent's turn", () => {
  const script = started();
  script.emit("subagent_start", { ...link, child_subagent_id: "sa-0", child_goal: "g" });
  script.emit("subagent_stop", {
    ...link,
    child_status: "completed",
    duration_ms: 5,
    tool_call_history: [],
  });

  const trajectory = build(script.events);

  expect(only(trajectory, "subagent")).toMatchObject({
    status: "ok",
    duration_ms: 5,
    parent_id: only(trajectory, "turn").id,
  });
});

test("a child's events that come before its start are hung below it, with their sums", () => {
  const script = started();
  const child = turnIds("c", "c1");
  startTurn(script, child, false);
  startAttempt(script, child, 1);
  endAttempt(script, child, 1);
  script.emit("subagent_start", { ...link, child_subagent_id: "sa-0", child_goal: "g" });
  startAttempt(script, child, 2);
  endAttempt(script, child, 2);

  const trajectory = build(script.events);
  const [parent] = all(trajectory, "session");

  expect(trajectory.roots).toHaveLength(1);
  expect(codes(only(trajectory, "subagent"))).toEqual(["out_of_order"]);
  expect(parent?.totals.own).toMatchObject({ attempts: 0, input_tokens: 0 });
  expect(parent?.totals.with_children).toMatchObject({ attempts: 2, input_tokens: 1800 });
  expect(only(trajectory, "subagent").totals.own.attempts).toBe(2);
});

test("a stop of a child that never started is an orphan and matches no other child, which finalize gives up", () => {
  const script = started();
  script.emit("subagent_start", { ...link, child_subagent_id: "sa-0", child_goal: "g" });
  endTurn(script, ids);
  script.emit("subagent_stop", {
    ...link,
    child_session_id: "zz9",
    child_role: "",
    child_status: "completed",
    duration_ms: 1,
  });
  script.emit("on_session_finalize", { session_id: "s", platform: "cli" });

  const trajectory = build(script.events);
  const children = all(trajectory, "subagent");

  expect(children.map((one) => [one.child_session_id, one.status, one.closed_by])).toEqual([
    ["c", "abandoned", "session_finalize"],
    ["zz9", "ok", "event"],
  ]);
  expect(children.map((one) => codes(one))).toEqual([
    ["child_outlived_parent", "start_without_end"],
    ["orphan_stop"],
  ]);
});

test("a background child may outlive the turn that started it, and the record is complete", () => {
  const script = started();
  script.emit("subagent_start", { ...link, child_subagent_id: "sa-0", child_goal: "g" });
  endTurn(script, ids);
  const child = turnIds("c", "c1");
  script.emit("on_session_start", { session_id: "c", model: "m", platform: "subagent" });
  startTurn(script, child, true);
  endTurn(script, child);
  script.emit("subagent_stop", {
    ...link,
    child_status: "completed",
    duration_ms: 5,
    tool_call_history: [],
  });

  const trajectory = build(script.events);

  expect(codes(only(trajectory, "subagent"))).toEqual(["child_outlived_parent"]);
  expect(verdict(trajectory, { writer: "closed" })).toMatchObject({
    verdict: "complete",
    notices: [{ code: "child_outlived_parent" }],
  });
});

test("agents that name each other as child are not nested in a circle", () => {
  const script = new Script();
  for (const [parent, child] of [
    ["a", "b"],
    ["b", "a"],
    ["a", "a"],
  ]) {
    startTurn(script, turnIds(parent ?? "", `${parent}1`), false);
    script.emit("subagent_start", {
      ...link,
      parent_session_id: parent,
      parent_turn_id: `${parent}1`,
      child_session_id: child,
    });
  }

  const trajectory = build(script.events);

  expect(trajectory.roots).toHaveLength(1);
  expect(
    all(trajectory, "subagent").filter((one) => codes(one).includes("nesting_refused")),
  ).toHaveLength(1);
});

test("64 agents nest; the next is not hung below", () => {
  const nested = (depth: number): number => {
    const script = new Script();
    for (let i = 0; i < depth; i += 1) {
      script.emit("subagent_start", {
        ...link,
        parent_session_id: `s${i}`,
        parent_turn_id: "",
        child_session_id: `s${i + 1}`,
      });
    }
    startTurn(script, turnIds(`s${depth}`, "t"), false);
    return build(script.events).roots.length;
  };

  expect(nested(64)).toBe(1);
  expect(nested(65)).toBe(2);
});

test("what a parent says its child used is shown and added to nothing", () => {
  const child = only(build(golden()), "subagent");

  expect(child.reported_usage).toMatchObject({ input_tokens: 200, output_tokens: 20 });
  expect(child.totals.own).toMatchObject({ input_tokens: 200, output_tokens: 20 });
});
