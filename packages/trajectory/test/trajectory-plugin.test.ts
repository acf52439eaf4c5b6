import { Hooks } from "@hermes-observer/core";
import { expect, test } from "vitest";
import { trajectoryPlugin } from "../src/index.ts";
import type { Gap, TrajectoryNode } from "../src/index.ts";
import { Script, call, golden, outcome, startTurn, turnIds } from "./golden.ts";

/** Keeps tasks until they are run by hand. */
class ManualSchedule {
  readonly tasks: (() => void)[] = [];

  readonly schedule = (task: () => void): void => {
    this.tasks.push(task);
  };

  run(): void {
    for (const task of this.tasks.splice(0)) task();
  }
}

function collect(): {
  nodes: TrajectoryNode[];
  gaps: Gap[];
  onNode(node: TrajectoryNode): void;
  onGap(gap: Gap): void;
} {
  const nodes: TrajectoryNode[] = [];
  const gaps: Gap[] = [];
  return {
    nodes,
    gaps,
    onNode: (node) => void nodes.push(node),
    onGap: (gap) => void gaps.push(gap),
  };
}

test("nothing is built while the host emits, and everything soon after", () => {
  const manual = new ManualSchedule();
  const sink = collect();
  const hooks = new Hooks();
  hooks.register(trajectoryPlugin({ sinks: [sink], schedule: manual.schedule }));

  for (const { payload, ...envelope } of golden()) hooks.replay(payload, envelope);
  const atOnce = sink.nodes.length;
  manual.run();

  expect(atOnce).toBe(0);
  expect(new Set(sink.nodes.map(({ id }) => id)).size).toBe(17);
});

test("a burst is handled a batch per turn of the event loop", () => {
  const manual = new ManualSchedule();
  const plugin = trajectoryPlugin({ sinks: [], batch: 10, schedule: manual.schedule });
  const hooks = new Hooks();
  hooks.register(plugin);
  for (const { payload, ...envelope } of golden()) hooks.replay(payload, envelope);

  const counts: number[] = [];
  while (manual.tasks.length > 0) {
    manual.run();
    counts.push(plugin.builder.counters.events);
  }

  expect(counts).toEqual([10, 20, 30, 38]);
});

test("flush hands on what waits; close also finishes what is open", async () => {
  const manual = new ManualSchedule();
  const sink = collect();
  const plugin = trajectoryPlugin({ sinks: [sink], schedule: manual.schedule });
  const hooks = new Hooks();
  hooks.register(plugin);
  const script = new Script();
  startTurn(script, turnIds("s", "t"), true);
  for (const { payload, ...envelope } of script.events) hooks.replay(payload, envelope);

  await hooks.flush(1000);
  const open = plugin.builder.openNodes;
  await hooks.close(1000);

  expect(open).toBe(2);
  expect(plugin.builder.openNodes).toBe(0);
  expect(sink.nodes.find(({ kind }) => kind === "turn")).toMatchObject({
    status: "abandoned",
    closed_by: "finish",
  });
});

test("the queue takes as many as it is given; what is more is a gap with its count, ids and sessions", () => {
  const manual = new ManualSchedule();
  const sink = collect();
  const plugin = trajectoryPlugin({ sinks: [sink], maxQueue: 3, schedule: manual.schedule });
  const hooks = new Hooks();
  hooks.register(plugin);
  const ids = turnIds("s", "t");
  const script = new Script();
  startTurn(script, ids, true);
  script.emit("pre_tool_call", call(ids, "x", "1"));
  script.emit("post_tool_call", { ...call(ids, "x", "1"), ...outcome("ok") });
  const full = script.events.length;
  script.emit("pre_tool_call", call(ids, "x", "2"));
  script.emit("post_tool_call", { ...call(ids, "x", "2"), ...outcome("ok") });
  for (const { payload, ...envelope } of script.events) hooks.replay(payload, envelope);

  manual.run();

  expect(full).toBe(3);
  expect(plugin.builder.counters).toMatchObject({
    events: 3,
    lost_events: 2,
    deviations: { gap: 1 },
  });
  expect(sink.gaps).toEqual([
    { count: 2, first_event_id: "w1:4", last_event_id: "w1:5", sessions: { s: 2 } },
  ]);
  expect(sink.nodes.find(({ kind }) => kind === "session")?.deviations).toMatchObject([
    { code: "parent_not_observed" },
    { code: "gap", detail: "2 events" },
  ]);
});

test("a sink that throws or rejects disturbs neither the other sinks nor the host", async () => {
  const manual = new ManualSchedule();
  const sink = collect();
  const broken = {
    onNode(): void {
      throw new Error("boom");
    },
    onGap(): void {
      throw new Error("boom");
    },
  };
  const rejecting = { onNode: (): Promise<void> => Promise.reject(new Error("late")) };
  const plugin = trajectoryPlugin({
    sinks: [broken, rejecting, sink],
    maxQueue: 20,
    schedule: manual.schedule,
  });
  const hooks = new Hooks();
  hooks.register(plugin);

  for (const { payload, ...envelope } of golden()) hooks.replay(payload, envelope);
  manual.run();
  await hooks.close(1000);

  expect(sink.nodes.length).toBeGreaterThan(10);
  expect(sink.gaps).toHaveLength(1);
  expect(plugin.builder.counters.sink_faults).toBeGreaterThan(10);
});

test("without a schedule of its own the plugin works on the event loop", async () => {
  const sink = collect();
  const hooks = new Hooks();
  hooks.register(trajectoryPlugin({ sinks: [sink] }));

  for (const { payload, ...envelope } of golden()) hooks.replay(payload, envelope);
  await new Promise((resolve) => {
    setImmediate(() => setImmediate(resolve));
  });

  expect(sink.nodes.length).toBeGreaterThan(17);
});
