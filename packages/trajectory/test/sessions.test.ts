import { expect, test } from "vitest";
import { TrajectoryBuilder, verdict } from "../src/index.ts";
import type { TrajectoryNode } from "../src/index.ts";
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
import { all, allCodes, build, codes, only } from "./reading.ts";

const ids = turnIds("s1", "t1");

function start(script: Script, sessionId: string): void {
  script.emit("on_session_start", { session_id: sessionId, model: "m", platform: "cli" });
}

test("on_session_end closes the turn, not the session", () => {
  const script = new Script();
  start(script, "s1");
  startTurn(script, ids, true);
  endTurn(script, ids);

  const trajectory = build(script.events);

  expect(only(trajectory, "turn")).toMatchObject({
    status: "ok",
    answered: true,
    closed_by: "event",
  });
  expect(only(trajectory, "session").status).toBe("open");
});

test.each([
  [
    { completed: false, failed: false, interrupted: true, turn_exit_reason: "interrupted_by_user" },
    "interrupted",
  ],
  [{ completed: false, failed: true, interrupted: false, turn_exit_reason: "unknown" }, "error"],
  [
    {
      completed: false,
      failed: false,
      interrupted: false,
      turn_exit_reason: "max_iterations_reached(5/5)",
    },
    "error",
  ],
  [{ completed: false, interrupted: true, reason: "keyboard_interrupt" }, "interrupted"],
])("a turn that ends with %j is %s", (end, status) => {
  const script = new Script();
  startTurn(script, ids, true);
  script.emit("on_session_end", { ...ids, ...end });

  const turn = only(build(script.events), "turn");

  expect(turn.status).toBe(status);
  expect(turn.exit_reason).toBe("reason" in end ? end.reason : end.turn_exit_reason);
});

test("finalize closes the session and all that is open below it", () => {
  const script = new Script();
  start(script, "s1");
  startTurn(script, ids, true);
  startAttempt(script, ids, 1);
  script.emit("pre_tool_call", call(ids, "x", "1"));
  script.emit("on_session_finalize", { session_id: "s1", platform: "cli", reason: "shutdown" });

  const trajectory = build(script.events);

  expect(only(trajectory, "session")).toMatchObject({
    status: "ok",
    closed_by: "event",
    reason: "shutdown",
  });
  for (const kind of ["turn", "attempt", "tool"] as const) {
    expect(only(trajectory, kind)).toMatchObject({
      status: kind === "tool" ? "unobserved" : "abandoned",
      closed_by: "session_finalize",
    });
  }
});

test("a session id that starts again after its finalize is a new session that begins at turn 1", () => {
  const script = new Script();
  for (const turn of ["t1", "t2"]) {
    start(script, "s1");
    startTurn(script, turnIds("s1", turn), true);
    endTurn(script, turnIds("s1", turn));
    script.emit("on_session_finalize", { session_id: "s1", platform: "cli" });
  }

  const trajectory = build(script.events);

  expect(trajectory.roots).toHaveLength(2);
  expect(all(trajectory, "turn").map(({ index }) => index)).toEqual([1, 1]);
  expect(codes(trajectory.roots[1])).toEqual(["reused_id"]);
  expect(trajectory.roots[1]?.id).toBe(`${trajectory.roots[0]?.id}~2`);
});

test("work after a finalize without a new start resumes the session", () => {
  const script = new Script();
  start(script, "s1");
  startTurn(script, ids, true);
  endTurn(script, ids);
  script.emit("on_session_finalize", { session_id: "s1", platform: "cli" });
  startTurn(script, turnIds("s1", "t2"), false);
  endTurn(script, turnIds("s1", "t2"));

  const session = only(build(script.events), "session");

  expect(session).toMatchObject({ status: "open", resumed: 1 });
  expect(codes(session)).toEqual(["session_resumed"]);
  expect(session.children).toHaveLength(2);
});

test("an end after the finalize corrects its node and does not open the session again", () => {
  const script = new Script();
  start(script, "s1");
  startTurn(script, ids, true);
  script.emit("pre_tool_call", call(ids, "x", "1"));
  script.emit("on_session_finalize", { session_id: "s1", platform: "cli" });
  script.emit("post_tool_call", { ...call(ids, "x", "1"), ...outcome("ok") });

  const trajectory = build(script.events);

  expect(only(trajectory, "session").status).toBe("ok");
  expect(only(trajectory, "tool")).toMatchObject({ status: "ok", closed_by: "event" });
  expect(codes(only(trajectory, "tool"))).toContain("late_event");
});

test("a reset links the old session and the new one", () => {
  const script = new Script();
  start(script, "s1");
  script.emit("on_session_finalize", {
    session_id: "s1",
    platform: "gateway",
    old_session_id: "s1",
    new_session_id: "s2",
  });
  script.emit("on_session_reset", {
    session_id: "s2",
    platform: "gateway",
    reason: "new",
    old_session_id: "s1",
    new_session_id: "s2",
  });
  start(script, "s2");

  const trajectory = build(script.events);
  const [one, two] = all(trajectory, "session");

  expect(one?.next_session_id).toBe("s2");
  expect(two).toMatchObject({
    previous_session_id: "s1",
    link_reason: "reset",
    start_observed: true,
  });
  expect(allCodes(trajectory)).toEqual([]);
});

test("a session id that changes inside a turn leaves the turn whole, links the sessions and is named", () => {
  const script = new Script();
  start(script, "s1");
  startTurn(script, ids, true);
  script.emit("pre_tool_call", call(ids, "x", "1"));
  const rotated = { ...ids, session_id: "s2" };
  script.emit("post_tool_call", { ...call(rotated, "x", "1"), ...outcome("ok") });
  startAttempt(script, rotated, 2);
  endAttempt(script, rotated, 2);
  script.emit("pre_tool_call", call(ids, "y", "2"));
  script.emit("post_tool_call", { ...call(ids, "y", "2"), ...outcome("ok") });
  endTurn(script, rotated);
  startTurn(script, turnIds("s2", "t2"), false);
  endTurn(script, turnIds("s2", "t2"));
  script.emit("on_session_finalize", { session_id: "s2", platform: "cli" });

  const trajectory = build(script.events);
  const [one, two] = all(trajectory, "session");

  expect(one).toMatchObject({ next_session_id: "s2", status: "ok" });
  expect(two).toMatchObject({ previous_session_id: "s1", link_reason: "rotation", status: "ok" });
  expect(all(trajectory, "turn").map(({ status, session_id }) => [status, session_id])).toEqual([
    ["ok", "s1"],
    ["ok", "s2"],
  ]);
  expect(one?.children[0]?.children.map(({ status, session_id }) => [status, session_id])).toEqual([
    ["ok", "s1"],
    ["ok", "s2"],
    ["ok", "s1"],
  ]);
  expect(allCodes(trajectory)).toEqual(["rotated_session_reused", "session_rotated"]);
  expect(trajectory.totals.with_children).toMatchObject({
    attempts: 1,
    tools: 2,
    turns: 2,
    input_tokens: 900,
  });
  expect(verdict(trajectory, { writer: "closed" }).verdict).toBe("complete");
});

test("a session whose start was lost does not swallow a turn of another session with the same id", () => {
  const script = new Script();
  startTurn(script, ids, true);
  startAttempt(script, turnIds("s2", "t1"), 1);

  const trajectory = build(script.events);

  expect(all(trajectory, "turn").map(({ session_id }) => session_id)).toEqual(["s1", "s2"]);
  expect(only(trajectory, "attempt").parent_id).toBe(all(trajectory, "turn")[1]?.id);
});

test("a task id that equals the session id joins nothing", () => {
  const script = new Script();
  for (const session of ["a", "b"]) {
    startTurn(script, { session_id: session, task_id: "a", turn_id: `${session}1` }, true);
    startTurn(script, { session_id: session, task_id: "a", turn_id: `${session}2` }, false);
  }

  expect(build(script.events).roots.map(({ children }) => children.length)).toEqual([2, 2]);
});

test("a resumed conversation has no start, which is no defect; a first turn without one is", () => {
  const resumed = new Script();
  startTurn(resumed, ids, false);
  endTurn(resumed, ids);
  const fresh = new Script();
  startTurn(fresh, ids, true);
  endTurn(fresh, ids);

  expect(verdict(build(resumed.events), { writer: "closed" }).verdict).toBe("complete");
  expect(
    verdict(build(fresh.events), { writer: "closed" }).reasons.map(({ code }) => code),
  ).toEqual(["start_not_observed"]);
});

test("the same event twice is ignored and counted; the same id with other content is taken and named", () => {
  const events = golden();
  const [first] = events.filter(({ hook }) => hook === "post_tool_call");
  if (first === undefined) throw new Error("no event");
  const other = { ...first, payload: { ...first.payload, tool_call_id: "call_zz" } };

  const doubled = build([...events, first]);
  const conflicting = build([...events, other]);

  expect(doubled.counters).toMatchObject({ duplicates: 1, deviations: { duplicate_event: 1 } });
  expect(doubled.roots[0]).toMatchObject({
    deviations: [{ code: "duplicate_event", event_id: first.id }],
  });
  expect(conflicting.counters.deviations).toMatchObject({ id_conflict: 1, end_without_start: 1 });
  expect(all(conflicting, "tool").map(({ id }) => id)).toContain(
    `tool:${first.id}~${events.length}`,
  );
});

test("an event of another schema version and one of an unknown hook are taken and named", () => {
  const script = new Script();
  start(script, "s1");
  script.emit("on_stream_delta", { session_id: "s1", delta: "x" });
  script.emit("on_stream_delta", { session_id: "s1", delta: "y" });
  script.emit("gateway_platform_event", { platform: "x" });
  startTurn(script, { ...ids, telemetry_schema_version: "hermes.observer.v9" }, true);

  const trajectory = build(script.events);

  expect(only(trajectory, "session").deviations).toMatchObject([
    { code: "unknown_hook", detail: "on_stream_delta", count: 2 },
    { code: "unknown_schema_version", detail: "hermes.observer.v9" },
  ]);
  expect(only(trajectory, "session").other_events).toEqual({ on_stream_delta: 2 });
  expect(trajectory.counters.unplaced_events).toBe(1);
});

test("a clock that steps back is named and no recorded time is changed", () => {
  const script = new Script();
  start(script, "s1");
  startTurn(script, ids, true);
  const back = script.emit("post_llm_call", ids, -10);

  const session = only(build(script.events), "session");

  expect(session.deviations).toMatchObject([
    { code: "clock_stepped_back", event_id: back.id, detail: "post_llm_call" },
  ]);
  expect(session.started_at).toBe(script.events[0]?.at);
});

test("what is idle for longer than the time to live is given up at its last event; one second less is not", () => {
  const script = new Script();
  start(script, "s1");
  startTurn(script, ids, true);
  const last = script.emit("pre_tool_call", call(ids, "x", "1"));
  const at = (seconds: number): Script => {
    const other = new Script({ writer: "w2", at: last.at });
    other.emit("on_session_start", { session_id: "s2", model: "m", platform: "cli" }, seconds);
    return other;
  };

  const within = build([...script.events, ...at(100).events], { ttlSeconds: 100 });
  const beyond = build([...script.events, ...at(101).events], { ttlSeconds: 100 });

  expect(only(within, "tool").status).toBe("open");
  expect(only(beyond, "tool")).toMatchObject({
    status: "abandoned",
    closed_by: "ttl",
    closed_by_event: null,
    ended_at: last.at,
  });
  expect(all(beyond, "session")[0]).toMatchObject({ status: "abandoned", closed_by: "ttl" });
});

test("a replay of one session expires what the live run of many expired", () => {
  const script = new Script();
  start(script, "s1");
  startTurn(script, ids, true);
  const other = new Script({ writer: "w2", at: script.at });
  for (let i = 0; i < 40; i += 1)
    other.emit("on_session_start", { session_id: `o${i}`, model: "m", platform: "cli" }, 10);
  script.emit("post_tool_call", { ...call(ids, "x", "1"), ...outcome("ok") }, 500);

  const live = build(
    [...script.events, ...other.events].toSorted((a, b) => a.at - b.at),
    { ttlSeconds: 100 },
  );
  const replay = build(script.events, { ttlSeconds: 100 });

  expect(live.roots[0]).toEqual(replay.roots[0]);
});

test("a session that children keep busy does not expire", () => {
  const events = golden();
  const at = events.findIndex(({ hook }) => hook === "subagent_start") + 1;
  const slow = events.map((event, i) => ({ ...event, at: event.at + Math.max(0, i - at) * 60 }));

  const trajectory = build(slow, { ttlSeconds: 400 });

  expect(all(trajectory, "session").every(({ closed_by }) => closed_by !== "ttl")).toBe(true);
});

test("finish closes everything that is open and says so; an idle session with nothing open is in order", () => {
  const script = new Script();
  start(script, "idle");
  start(script, "s1");
  startTurn(script, ids, true);

  const trajectory = build(script.events, { finish: "writer gone" });

  expect(
    all(trajectory, "session").map(({ status, closed_by, reason }) => [status, closed_by, reason]),
  ).toEqual([
    ["ok", "finish", "writer gone"],
    ["abandoned", "finish", "writer gone"],
  ]);
  expect(only(trajectory, "turn")).toMatchObject({ status: "abandoned", closed_by: "finish" });
});

test("the cap holds: beyond it the longest idle are given up, counted and named", () => {
  const closed: TrajectoryNode[] = [];
  const builder = new TrajectoryBuilder({
    maxOpenNodes: 8,
    sink: {
      onNode(node, change) {
        if (change === "closed") closed.push(structuredClone(node));
      },
    },
  });
  const script = new Script();
  start(script, "s1");
  startTurn(script, ids, true);
  for (let i = 0; i < 6; i += 1) script.emit("pre_tool_call", call(ids, "x", String(i)));

  for (const event of script.events) builder.add(event.payload, event);
  expect([builder.openNodes, builder.counters.evicted_nodes]).toEqual([8, 0]);
  const ninth = script.emit("pre_tool_call", call(ids, "x", "9"));
  builder.add(ninth.payload, ninth);

  expect([builder.openNodes, builder.counters.evicted_nodes]).toEqual([7, 2]);
  expect(
    closed.map((node) => [node.kind, node.closed_by, node.status, node.deviations[0]?.code]),
  ).toEqual([
    ["tool", "evicted", "abandoned", "evicted"],
    ["tool", "evicted", "abandoned", "evicted"],
  ]);
});

test("20,000 unfinished turns hold no more than the cap", () => {
  const builder = new TrajectoryBuilder({ maxOpenNodes: 100 });
  for (let i = 0; i < 20_000; i += 1) {
    builder.add(
      { session_id: `s${i % 7}`, turn_id: `t${i}` },
      { id: `e${i}`, at: 1_790_000_000 + i, hook: "pre_llm_call" },
    );
    expect(builder.openNodes).toBeLessThanOrEqual(100);
  }

  expect(builder.counters.evicted_nodes).toBeGreaterThan(19_000);
});

test("a node keeps 32 deviations, counts the rest, and gives a notice away for a defect", () => {
  const script = new Script();
  start(script, "s1");
  for (let i = 0; i < 32; i += 1) script.emit(`unknown_${i}`, { session_id: "s1" });
  const full = build(script.events);
  script.emit("unknown_32", { session_id: "s1" });
  start(script, "s1");

  const session = only(build(script.events), "session");

  expect(only(full, "session")).toMatchObject({ deviations_dropped: 0 });
  expect(session.deviations).toHaveLength(32);
  expect(session.deviations_dropped).toBe(2);
  expect(codes(session)).toContain("duplicate_start");
  expect(session.deviation_counts).toEqual({ unknown_hook: 33, duplicate_start: 1 });
});
