import { expect, test } from "vitest";
import { verdict } from "../src/index.ts";
import { Script, call, endTurn, outcome, startTurn, turnIds } from "./golden.ts";
import { all, build, codes, only } from "./reading.ts";

const ids = turnIds("s", "t");

function started(): Script {
  const script = new Script();
  script.emit("on_session_start", { session_id: "s", model: "m", platform: "cli" });
  startTurn(script, ids, true);
  return script;
}

test("a call without an id closes with its only fit, flagged as inferred, and the record stays complete", () => {
  const script = started();
  script.emit("pre_tool_call", call(ids, "read_file", "", { path: "a" }));
  script.emit("post_tool_call", { ...call(ids, "read_file", ""), result: "A" });
  endTurn(script, ids);

  const trajectory = build(script.events);

  expect(only(trajectory, "tool")).toMatchObject({
    status: "ok",
    input_preview: "a",
    closed_by: "event",
  });
  expect(codes(only(trajectory, "tool"))).toEqual(["inferred_pairing"]);
  expect(verdict(trajectory, { writer: "closed" }).verdict).toBe("complete");
});

test("calls without ids join first in, first out, and say that this is ambiguous", () => {
  const script = started();
  for (const path of ["a", "b"]) script.emit("pre_tool_call", call(ids, "read_file", "", { path }));
  for (const ms of [1, 2])
    script.emit("post_tool_call", {
      ...call(ids, "read_file", ""),
      ...outcome("ok", { duration_ms: ms }),
    });

  const tools = all(build(script.events), "tool");

  expect(tools.map(({ input_preview, duration_ms }) => [input_preview, duration_ms])).toEqual([
    ["a", 1],
    ["b", 2],
  ]);
  expect(tools.map((tool) => codes(tool))).toEqual([["ambiguous_pairing"], ["inferred_pairing"]]);
});

test("calls without ids never join across sessions, turns or tool names", () => {
  const script = started();
  script.emit("pre_tool_call", call(ids, "read_file", ""));
  const others = [turnIds("s2", "t"), turnIds("s", "t2"), ids];
  for (const [i, other] of others.entries()) {
    script.emit("post_tool_call", {
      ...call(other, i === 2 ? "write_file" : "read_file", ""),
      ...outcome("ok"),
    });
  }

  const tools = all(build(script.events), "tool");

  expect(tools.filter(({ status }) => status === "open")).toHaveLength(1);
  expect(tools.filter((tool) => codes(tool).includes("end_without_start"))).toHaveLength(3);
});

test("an end without a start is a closed node of its own", () => {
  const script = started();
  const end = script.emit("post_tool_call", { ...call(ids, "x", "1"), ...outcome("ok") });

  const tool = only(build(script.events), "tool");

  expect(tool).toMatchObject({
    id: `tool:${end.id}`,
    status: "ok",
    started_at: null,
    duration_ms: 12,
  });
  expect(codes(tool)).toEqual(["end_without_start"]);
});

test.each(["tool_scope_block", "guardrail_block", "invalid_tool_arguments", "user_interrupt"])(
  "a call refused with %s has no start by contract, which is no defect",
  (errorType) => {
    const script = started();
    script.emit("post_tool_call", {
      ...call(ids, "x", "1"),
      ...outcome("blocked", { error_type: errorType }),
    });
    endTurn(script, ids);

    const trajectory = build(script.events);

    expect(codes(only(trajectory, "tool"))).toEqual(["start_not_fired"]);
    expect(verdict(trajectory, { writer: "closed" }).verdict).toBe("complete");
  },
);

test("a start that comes after its end completes the same node", () => {
  const script = started();
  const end = script.emit("post_tool_call", {
    ...call(ids, "x", "1"),
    ...outcome("error", { error_message: "no" }),
  });
  const start = script.emit("pre_tool_call", call(ids, "x", "1", { path: "p" }));

  const tool = only(build(script.events), "tool");

  expect(tool).toMatchObject({
    id: `tool:${end.id}`,
    opened_by_event: start.id,
    input_preview: "p",
    status: "error",
    started_at: start.at,
    ended_at: end.at,
  });
  expect(codes(tool)).toEqual(["out_of_order"]);
});

test("a second end does not overwrite the first and is kept as a deviation", () => {
  const script = started();
  script.emit("pre_tool_call", call(ids, "x", "1"));
  script.emit("post_tool_call", {
    ...call(ids, "x", "1"),
    ...outcome("timeout", { duration_ms: 420_000 }),
  });
  const second = script.emit("post_tool_call", { ...call(ids, "x", "1"), ...outcome("ok") });

  const tool = only(build(script.events), "tool");

  expect(tool).toMatchObject({ status: "timeout", duration_ms: 420_000 });
  expect(tool.deviations).toEqual([
    { code: "duplicate_end", event_id: second.id, detail: "post_tool_call", count: 1 },
  ]);
});

test("an id that is used again after its call ended makes a new node with its own result", () => {
  const script = started();
  for (const status of ["ok", "error"]) {
    script.emit("pre_tool_call", call(ids, "x", "call_0"));
    script.emit("post_tool_call", { ...call(ids, "x", "call_0"), ...outcome(status) });
  }

  const tools = all(build(script.events), "tool");

  expect(tools.map((tool) => [tool.status, ...codes(tool)])).toEqual([
    ["ok"],
    ["error", "reused_id"],
  ]);
});

test("a second start while the first is open is a node of its own; ends go to the older one first", () => {
  const script = started();
  script.emit("pre_tool_call", call(ids, "x", "1", { path: "a" }));
  script.emit("pre_tool_call", call(ids, "x", "1", { path: "b" }));
  script.emit("post_tool_call", { ...call(ids, "x", "1"), ...outcome("ok") });

  const tools = all(build(script.events), "tool");

  expect(tools.map(({ input_preview, status }) => [input_preview, status])).toEqual([
    ["a", "ok"],
    ["b", "open"],
  ]);
  expect(tools.map((tool) => codes(tool))).toEqual([["ambiguous_pairing"], ["duplicate_start"]]);
});

test("a call without an end is closed with its turn as unobserved", () => {
  const script = started();
  script.emit("pre_tool_call", call(ids, "x", "1"));
  endTurn(script, ids);

  const tool = only(build(script.events), "tool");

  expect(tool).toMatchObject({ status: "unobserved", closed_by: "turn_end", duration_ms: null });
  expect(codes(tool)).toEqual(["start_without_end"]);
});

test("an end that comes after its turn corrects the node and is named late", () => {
  const script = started();
  script.emit("pre_tool_call", call(ids, "x", "1"));
  endTurn(script, ids);
  script.emit("post_tool_call", { ...call(ids, "x", "1"), ...outcome("error") });

  const trajectory = build(script.events);

  expect(only(trajectory, "tool")).toMatchObject({ status: "error", closed_by: "event" });
  expect(codes(only(trajectory, "tool"))).toEqual(["late_event"]);
  expect(trajectory.totals.own).toMatchObject({ tools: 1, failed_tools: 1 });
});

test("an end that lacks its turn id finds its call by id within the session, and says what is missing", () => {
  const script = started();
  script.emit("pre_tool_call", call(ids, "x", "1"));
  script.emit("post_tool_call", { ...call({ ...ids, turn_id: "" }, "x", "1"), ...outcome("ok") });

  const tool = only(build(script.events), "tool");

  expect(tool.status).toBe("ok");
  expect(tool.deviations.map(({ code, detail }) => `${code} ${detail}`)).toEqual([
    "missing_id turn_id",
  ]);
});

test("a start without a turn hangs below its session, and its end finds it there", () => {
  const script = started();
  script.emit("pre_tool_call", call({ ...ids, turn_id: "" }, "x", "1"));
  script.emit("post_tool_call", { ...call(ids, "x", "1"), ...outcome("ok") });

  const tool = only(build(script.events), "tool");

  expect(tool).toMatchObject({ status: "ok", turn_id: "" });
  expect(tool.parent_id).toMatch(/^session:/);
});

test("events without a session id and with an unknown turn are unattributed, never guessed from the turn id", () => {
  const script = new Script();
  script.emit("on_session_start", { session_id: "abc", model: "m", platform: "cli" });
  script.emit("pre_tool_call", call({ session_id: "", turn_id: "session:abc:1f" }, "x", "1"));

  const trajectory = build(script.events);

  expect(trajectory.roots.map((root) => root.kind === "session" && root.unattributed)).toEqual([
    false,
    true,
  ]);
  expect(codes(only(trajectory, "tool"))).toEqual(["missing_id"]);
});

test.each(["a:b/c", "../..", "日本語\u0000\u2028", "__proto__", "constructor", "x".repeat(10_000)])(
  "the id %j is taken as it is",
  (id) => {
    const script = new Script();
    const odd = turnIds(id, id);
    startTurn(script, odd, true);
    script.emit("pre_tool_call", call(odd, id, id));
    script.emit("post_tool_call", { ...call(odd, id, id), ...outcome("ok") });
    endTurn(script, odd);

    const trajectory = build(script.events);

    expect(only(trajectory, "tool")).toMatchObject({ status: "ok", tool_call_id: id, turn_id: id });
    expect(only(trajectory, "turn").id).toMatch(/^turn:[0-9a-f]{24}$/);
  },
);

test("durations come from the payload, else from the two events, and are never negative", () => {
  const script = started();
  script.emit("pre_tool_call", call(ids, "x", "1"));
  script.emit("post_tool_call", { ...call(ids, "x", "1"), ...outcome("ok", { duration_ms: 0 }) });
  script.emit("pre_tool_call", call(ids, "x", "2"));
  script.emit(
    "post_tool_call",
    { ...call(ids, "x", "2"), ...outcome("ok", { duration_ms: -5 }) },
    0.25,
  );
  script.emit("pre_tool_call", call(ids, "x", "3"));
  script.emit(
    "post_tool_call",
    { ...call(ids, "x", "3"), ...outcome("ok", { duration_ms: null }) },
    -3,
  );

  const tools = all(build(script.events), "tool");

  expect(tools.map((tool) => [tool.duration_ms, tool.duration_source, ...codes(tool)])).toEqual([
    [0, "payload"],
    [250, "envelope", "invalid_field"],
    [0, "envelope", "clock_stepped_back"],
  ]);
  expect(tools[2]?.started_at).toBeGreaterThan(tools[2]?.ended_at ?? 0);
});

test("sub-millisecond times survive", () => {
  const script = new Script({ at: 1000 });
  script.emit("pre_tool_call", call(ids, "x", "1"), 0.0004);
  script.emit(
    "post_tool_call",
    { ...call(ids, "x", "1"), ...outcome("ok", { duration_ms: null }) },
    0.0005,
  );

  expect(only(build(script.events), "tool")).toMatchObject({
    started_at: 1000.0004,
    ended_at: 1000.0009,
    duration_ms: 0.5,
  });
});

test.each([
  ["ok", "ok"],
  ["error", "error"],
  ["blocked", "blocked"],
  ["cancelled", "cancelled"],
  ["timeout", "timeout"],
])("the reported status %s is the node's", (reported, status) => {
  const script = started();
  script.emit("pre_tool_call", call(ids, "x", "1"));
  script.emit("post_tool_call", { ...call(ids, "x", "1"), ...outcome(reported) });

  expect(only(build(script.events), "tool")).toMatchObject({ status, outcome: reported });
});

test("a status that the contract does not know is kept and named", () => {
  const script = started();
  script.emit("pre_tool_call", call(ids, "x", "1"));
  script.emit("post_tool_call", {
    ...call(ids, "x", "1"),
    ...outcome("exploded", { error_message: "x" }),
  });

  const tool = only(build(script.events), "tool");

  expect(tool).toMatchObject({ status: "error", outcome: "exploded" });
  expect(codes(tool)).toEqual(["unknown_value"]);
});
