import type { EventRecord } from "@hermes-observer/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { nodesOf, renderTree, verdict } from "../src/index.ts";
import type { Totals, Trajectory, TreeNode } from "../src/index.ts";
import { emptyTotals } from "../src/totals.ts";
import { golden } from "./golden.ts";
import { build } from "./reading.ts";

const base = [...golden("s1"), ...golden("s2", { writer: "w2" })].toSorted((a, b) => a.at - b.at);

/** What happens to one event of a stream. */
type Damage = (events: readonly EventRecord[], n: number) => EventRecord[];

const fieldNames = [
  "turn_id",
  "session_id",
  "tool_call_id",
  "api_request_id",
  "attempt",
  "status",
  "usage",
  "started_at",
  "duration_ms",
  "request_id",
  "child_session_id",
  "choice",
  "args",
];
const index = fc.nat(base.length - 1);
const oddValue = fc.oneof(
  fc.constantFrom("", "s1", "s1:t1", null, Number.NaN, -1, 1e300),
  fc.jsonValue(),
);

/** Applies a change to the event at a place, if there is one. */
function at(
  place: number,
  change: (events: readonly EventRecord[], event: EventRecord, n: number) => EventRecord[],
): Damage {
  return (events, n) => {
    const event = events[place];
    return event === undefined ? [...events] : change(events, event, n);
  };
}

const damage: fc.Arbitrary<Damage> = fc.oneof(
  index.map((i) => at(i, (events) => events.toSpliced(i, 1))),
  index.map((i) => at(i, (events, event) => [...events, event])),
  index.map((i) => at(i, (events, event, n) => events.toSpliced(i, 0, { ...event, id: `a${n}` }))),
  index.map((i) => at(i, (events, event) => events.with(i, { ...event, payload: {} }))),
  fc
    .tuple(index, index)
    .map(([i, to]) => at(i, (events, event) => events.toSpliced(i, 1).toSpliced(to, 0, event))),
  fc
    .tuple(index, fc.constantFrom(...fieldNames), oddValue)
    .map(([i, name, value]) =>
      at(i, (events, event) =>
        events.with(i, { ...event, payload: { ...event.payload, [name]: value } }),
      ),
    ),
);

function damaged(events: readonly EventRecord[], all: readonly Damage[]): EventRecord[] {
  let result = [...events];
  for (const [n, one] of all.entries()) result = one(result, n);
  return result;
}

const streams = fc.oneof(
  fc.array(damage, { maxLength: 15 }).map((all) => damaged(base, all)),
  fc.shuffledSubarray(base, { minLength: 1 }),
);

/** The sums of a tree, counted anew from its leaves. */
function recount(node: TreeNode): { own: Totals; with_children: Totals } {
  const own = emptyTotals();
  const withChildren = emptyTotals();
  for (const child of node.children) {
    const below = recount(child);
    add(own, below.own);
    add(withChildren, below.with_children);
  }
  if ("totals" in node) {
    expect(strip(node.totals.own)).toEqual(strip(own));
    expect(strip(node.totals.with_children)).toEqual(strip(withChildren));
  }
  const self = selfOf(node);
  const below = sum(withChildren, self);
  // Above a child agent its work is work of children.
  return { own: node.kind === "subagent" ? self : sum(own, self), with_children: below };
}

/** What one node adds to the containers above it. */
function selfOf(node: TreeNode): Totals {
  const self = emptyTotals();
  if (node.kind === "tool") self.tools = 1;
  if (node.kind === "turn") self.turns = 1;
  if (node.kind === "subagent") self.subagents = 1;
  if (node.kind !== "attempt") return self;
  self.attempts = 1;
  if (node.usage === null || node.status === "open" || node.from_cache) return self;
  self.input_tokens = node.usage.input_tokens ?? 0;
  self.output_tokens = node.usage.output_tokens ?? 0;
  self.cost_nano = node.cost.amount_nano ?? 0;
  return self;
}

const counted = [
  "attempts",
  "tools",
  "turns",
  "subagents",
  "input_tokens",
  "output_tokens",
  "cost_nano",
] as const;

function strip(totals: Totals): number[] {
  return counted.map((name) => totals[name]);
}

function add(into: Record<(typeof counted)[number], number>, from: Totals): void {
  for (const name of counted) into[name] += from[name];
}

function sum(a: Totals, b: Totals): Totals {
  const total = { ...a };
  add(total, b);
  return total;
}

function ids(trajectory: Trajectory): string[] {
  return [...nodesOf(trajectory)].map(({ id }) => id);
}

test("property: no damage makes the builder throw, lose sums or count twice", () => {
  fc.assert(
    fc.property(streams, fc.boolean(), (events, isFinished) => {
      const trajectory = build(events, isFinished ? { finish: "end" } : {});

      expect(trajectory.counters.invalid_events).toBe(0);
      expect(trajectory.counters.events).toBe(events.length);
      for (const root of trajectory.roots) recount(root);
      verdict(trajectory, { writer: "dead" });
      renderTree(trajectory);
    }),
    { numRuns: 400 },
  );
});

test("property: node ids are unique and the same for every run", () => {
  fc.assert(
    fc.property(streams, (events) => {
      const first = ids(build(events));

      expect(new Set(first).size).toBe(first.length);
      expect(ids(build(structuredClone(events)))).toEqual(first);
    }),
    { numRuns: 200 },
  );
});

test("property: nothing hangs below another session unless an event says so", () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(base, { minLength: 1 }), (events) => {
      for (const node of nodesOf(build(events))) {
        for (const child of node.children) {
          const isOwn = child.session_id === node.session_id;
          expect(
            isOwn || (node.kind === "subagent" && child.session_id === node.child_session_id),
          ).toBe(true);
        }
      }
    }),
    { numRuns: 200 },
  );
});

test("property: every start that was seen is a node, and every node comes from an event", () => {
  const leafStarts = new Set([
    "pre_tool_call",
    "pre_api_request",
    "on_human_input_request",
    "pre_approval_request",
  ]);

  fc.assert(
    fc.property(fc.shuffledSubarray(base), (events) => {
      const nodes = [...nodesOf(build(events))];
      const eventIds = new Set(events.map(({ id }) => id));
      const openers = new Set(nodes.map(({ opened_by_event }) => opened_by_event));

      for (const event of events)
        if (leafStarts.has(event.hook)) expect(openers).toContain(event.id);
      for (const opener of openers) expect(opener === null || eventIds.has(opener)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test("property: after finish nothing is open, every node says what closed it, and no duration is negative", () => {
  fc.assert(
    fc.property(streams, (events) => {
      for (const node of nodesOf(build(events, { finish: "end" }))) {
        expect(node.status).not.toBe("open");
        expect(node.closed_by).not.toBeNull();
        expect(node.duration_ms ?? 0).toBeGreaterThanOrEqual(0);
      }
    }),
    { numRuns: 200 },
  );
});

test("property: any stream of any JSON under any hook is taken", () => {
  const hooks = [...new Set(base.map(({ hook }) => hook)), "unknown", "__proto__", "toString"];
  const event = fc.record({
    id: fc.string(),
    at: fc.oneof(fc.double(), fc.double({ min: 0, max: 1e10 })),
    hook: fc.constantFrom(...hooks),
    payload: fc.dictionary(
      fc.constantFrom(
        "session_id",
        "turn_id",
        "tool_call_id",
        "tool_name",
        "api_request_id",
        "attempt",
        "usage",
        "child_session_id",
        "parent_session_id",
        "request_id",
        "args",
        "user_message",
        "producer",
      ),
      fc.jsonValue(),
    ),
  });

  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      const trajectory = build(events as EventRecord[], { finish: "end" });

      expect(trajectory.counters.invalid_events).toBe(0);
      renderTree(trajectory, { verdict: verdict(trajectory, { writer: "dead" }) });
    }),
    { numRuns: 500 },
  );
});
