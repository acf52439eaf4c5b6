import { expect, test } from "vitest";
import { TrajectoryBuilder, nodesOf } from "../src/index.ts";
import type { NodeChange, TrajectoryNode } from "../src/index.ts";
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

test("a good recording becomes a tree in which every node is closed and nothing deviates", () => {
  const trajectory = build(golden());

  expect(trajectory.roots.map(({ kind }) => kind)).toEqual(["session"]);
  expect([...nodesOf(trajectory)].map(({ kind, status }) => `${kind} ${status}`)).toEqual([
    "session ok",
    "turn ok",
    "attempt error",
    "attempt ok",
    "tool error",
    "tool ok",
    "tool ok",
    "human_input ok",
    "approval ok",
    "tool ok",
    "subagent ok",
    "session ok",
    "turn ok",
    "attempt ok",
    "attempt ok",
    "turn ok",
    "attempt ok",
  ]);
  expect(
    [...nodesOf(trajectory)].every(
      ({ closed_by }) => closed_by === "event" || closed_by === "subagent_stop",
    ),
  ).toBe(true);
  expect(allCodes(trajectory)).toEqual([]);
});

test("attempts and tools are siblings below their turn; approval and human input hang below the waiting tool", () => {
  const trajectory = build(golden());
  const [turn] = all(trajectory, "turn");
  const terminal = all(trajectory, "tool").find(({ name }) => name === "terminal");

  expect(new Set(turn?.children.map(({ kind }) => kind))).toEqual(new Set(["attempt", "tool"]));
  expect(terminal?.children.map(({ kind }) => kind)).toEqual(["human_input"]);
  expect(terminal?.children[0]?.children.map(({ kind }) => kind)).toEqual(["approval"]);
});

test("a child agent hangs below the call that delegated it, and its session below the child agent", () => {
  const trajectory = build(golden());
  const delegate = all(trajectory, "tool").find(({ name }) => name === "delegate_task");
  const child = only(trajectory, "subagent");

  expect(child.parent_id).toBe(delegate?.id);
  expect(child.children.map(({ session_id, kind }) => `${kind} ${session_id}`)).toEqual([
    "session s1-child",
  ]);
});

test("sums count each attempt once, children apart from own work", () => {
  const { totals, roots } = build(golden());
  const [session] = roots;

  expect(session?.kind === "session" && session.totals.own).toMatchObject({
    attempts: 4,
    turns: 2,
    input_tokens: 2700,
  });
  expect(totals.with_children).toMatchObject({
    attempts: 5,
    failed_attempts: 1,
    tools: 4,
    failed_tools: 1,
    errors: 2,
    turns: 3,
    input_tokens: 2900,
    cache_read_tokens: 300,
    output_tokens: 170,
    total_tokens: 3070,
    unknown_cost_attempts: 0,
    priced_attempts: 4,
  });
  expect(totals.with_children.cost).toBe(0.01044);
});

test("node ids are the same for every run: containers from correlation ids, leaves from envelope ids", () => {
  const [first, second] = [build(golden()), build(golden())].map((one) =>
    [...nodesOf(one)].map(({ id }) => id),
  );
  const elsewhere = build(golden("s1", { writer: "w9" }));

  expect(first).toEqual(second);
  expect(only(elsewhere, "subagent").id).toBe(only(build(golden()), "subagent").id);
  expect(all(elsewhere, "turn").map(({ id }) => id)).toEqual(
    all(build(golden()), "turn").map(({ id }) => id),
  );
  expect(all(build(golden()), "tool")[0]?.id).toBe("tool:w1:7");
});

test("two interleaved sessions with the same turn, call and request ids never share a node", () => {
  const script = new Script();
  const [a, b] = [turnIds("a", "t1"), turnIds("b", "t1")];
  for (const ids of [a, b]) startTurn(script, ids, true);
  for (const ids of [a, b]) script.emit("pre_tool_call", call(ids, "read_file", "call_0"));
  for (const ids of [a, b]) startAttempt(script, ids, 1);
  for (const ids of [b, a])
    script.emit("post_tool_call", { ...call(ids, "read_file", "call_0"), ...outcome("ok") });
  for (const ids of [b, a]) endAttempt(script, ids, 1);
  for (const ids of [a, b]) endTurn(script, ids);

  const trajectory = build(script.events);

  for (const root of trajectory.roots) {
    const below = [...nodesOf({ roots: [root] })];
    expect(below.map(({ kind }) => kind).toSorted()).toEqual([
      "attempt",
      "session",
      "tool",
      "turn",
    ]);
    expect(new Set(below.map(({ session_id }) => session_id)).size).toBe(1);
  }
});

test("parallel calls of one tool close with their own ends, in whatever order they come", () => {
  const script = new Script();
  const ids = turnIds("s", "t");
  startTurn(script, ids, true);
  for (const id of ["1", "2", "3"])
    script.emit("pre_tool_call", call(ids, "read_file", id, { path: id }));
  for (const id of ["2", "3", "1"]) {
    script.emit("post_tool_call", {
      ...call(ids, "read_file", id),
      ...outcome("ok", { duration_ms: Number(id) }),
    });
  }

  const tools = all(build(script.events), "tool");

  expect(tools.map(({ input_preview, duration_ms }) => [input_preview, duration_ms])).toEqual([
    ["1", 1],
    ["2", 2],
    ["3", 3],
  ]);
});

test("interleaved child agents give the same tree as one after the other", () => {
  const shape = (events: ReturnType<typeof golden>): string =>
    JSON.stringify(
      build(events).roots.map((root) =>
        [...nodesOf({ roots: [root] })].map((n) => [n.kind, n.name, n.status]),
      ),
    );
  const [one, two] = [golden("a"), golden("b", { writer: "w2" })];
  const mixed = one.flatMap((event, i) => [event, two[i]].filter((each) => each !== undefined));

  expect(shape(mixed)).toBe(shape([...one, ...two]));
});

test("the sink hears each node open before it closes, and parents before children", () => {
  const heard: string[] = [];
  const known = new Set<string>();
  const builder = new TrajectoryBuilder({
    sink: {
      onNode(node: TrajectoryNode, change: NodeChange) {
        if (change === "opened") {
          expect(node.parent_id === null || known.has(node.parent_id)).toBe(true);
          known.add(node.id);
        } else {
          expect(known.has(node.id)).toBe(true);
        }
        heard.push(change);
      },
    },
  });

  for (const event of golden()) builder.add(event.payload, event);

  expect(heard.filter((change) => change === "opened")).toHaveLength(17);
  expect(heard.filter((change) => change === "closed")).toHaveLength(17);
});

test("the sink gets the event behind a change", () => {
  const causes: string[] = [];
  const builder = new TrajectoryBuilder({
    sink: {
      onNode(node, change, cause) {
        if (node.kind === "tool")
          causes.push(
            `${change} ${cause?.envelope.hook} ${String(cause?.payload["tool_call_id"])}`,
          );
      },
    },
  });

  for (const event of golden().slice(0, 9)) builder.add(event.payload, event);

  expect(causes).toEqual([
    "opened pre_tool_call call_a",
    "opened pre_tool_call call_b",
    "closed post_tool_call call_b",
  ]);
});

test("a sink that throws or rejects is counted and disturbs nothing", async () => {
  const nodes: string[] = [];
  const throwing = new TrajectoryBuilder({
    sink: {
      onNode() {
        throw new Error("boom");
      },
    },
  });
  const rejecting = new TrajectoryBuilder({
    sink: {
      async onNode(node) {
        nodes.push(node.kind);
        throw new Error("boom");
      },
    },
  });

  for (const event of golden()) {
    throwing.add(event.payload, event);
    rejecting.add(event.payload, event);
  }
  await Promise.resolve();
  await Promise.resolve();

  expect(throwing.counters.sink_faults).toBe(nodes.length);
  expect(rejecting.counters.sink_faults).toBe(nodes.length);
  expect(throwing.counters.invalid_events).toBe(0);
});

test("what is no event is counted and everything else goes on", () => {
  const builder = new TrajectoryBuilder();
  const hostile = new Proxy(
    {},
    {
      get: () => {
        throw new Error("trap");
      },
      ownKeys: () => {
        throw new Error("trap");
      },
    },
  );
  const broken: unknown[] = [null, undefined, 7, "text", [], hostile];

  for (const payload of broken) {
    builder.add(payload as never, { id: "x", at: 1, hook: "pre_tool_call" });
    builder.add({}, payload as never);
  }

  expect(builder.counters.invalid_events).toBe(broken.length * 2);
});

test("an event without id or time is taken, with what it lacks named", () => {
  const script = new Script();
  startTurn(script, turnIds("s", "t"), true);
  const [event] = script.events;
  if (event === undefined) throw new Error("no event");

  const trajectory = build([{ ...event, id: "", at: Number.NaN }]);

  expect(
    only(trajectory, "session").deviations.map(({ code, detail }) => `${code} ${detail}`),
  ).toEqual(["parent_not_observed null", "invalid_field at", "missing_id envelope.id"]);
});

test("epoch milliseconds are no event time and cannot age what is open", () => {
  const script = new Script();
  startTurn(script, turnIds("s", "t"), true);
  const late = script.emit("pre_tool_call", call(turnIds("s", "t"), "x", "1"));

  const trajectory = build([...script.events.slice(0, 1), { ...late, at: late.at * 1000 }]);

  expect(only(trajectory, "turn").status).toBe("open");
  expect(codes(only(trajectory, "session"))).toContain("invalid_field");
});

test("unknown fields change nothing", () => {
  const plain = build(golden());
  const extended = build(
    golden().map((event) => ({
      ...event,
      payload: { ...event.payload, new_field: { deep: [1] } },
    })),
  );

  expect(extended.roots).toEqual(plain.roots);
});
