import type { EventRecord } from "@hermes-observer/core";
import { expect, test } from "vitest";
import { TrajectoryBuilder } from "../src/index.ts";
import { Script, call, endTurn, outcome, startAttempt, startTurn, turnIds } from "./golden.ts";
import { all, build, codes, only } from "./reading.ts";

const ids = turnIds("s", "t");

function started(): Script {
  const script = new Script();
  script.emit("on_session_start", { session_id: "s", model: "m", platform: "cli" });
  startTurn(script, ids, true);
  return script;
}

/** One call from start to end. */
function finished(script: Script, id: string): void {
  script.emit("pre_tool_call", call(ids, "x", id));
  script.emit("post_tool_call", { ...call(ids, "x", id), ...outcome("ok") });
}

test("a session remembers at least half of its ring: within it a second end is known, beyond all of it it is not", () => {
  const secondEndAfter = (others: number): string[] => {
    const script = started();
    finished(script, "first");
    for (let i = 0; i < others; i += 1) finished(script, `other${i}`);
    script.emit("post_tool_call", { ...call(ids, "x", "first"), ...outcome("error") });
    return all(build(script.events, { recentPerSession: 8 }), "tool")
      .filter(({ tool_call_id }) => tool_call_id === "first")
      .flatMap((node) => codes(node));
  };

  expect(secondEndAfter(3)).toEqual(["duplicate_end"]);
  expect(secondEndAfter(8)).toEqual(["end_without_start"]);
});

test("all sessions together remember no more than their budget, the busiest longest", () => {
  const script = new Script();
  for (let i = 0; i < 20; i += 1) {
    const own = turnIds(`s${i}`, `t${i}`);
    startTurn(script, own, false);
    for (let n = 0; n < 5; n += 1) {
      script.emit("pre_tool_call", call(own, "x", String(n)));
      script.emit("post_tool_call", { ...call(own, "x", String(n)), ...outcome("ok") });
    }
  }
  for (const i of [0, 19]) {
    const own = turnIds(`s${i}`, `t${i}`);
    script.emit("post_tool_call", { ...call(own, "x", "4"), ...outcome("ok") });
  }

  const { counters } = build(script.events, { maxRecent: 20 });

  expect(counters.deviations).toMatchObject({ end_without_start: 1, duplicate_end: 1 });
});

test("closed sessions are remembered up to their limit; one that was forgotten is a session of its own", () => {
  const lateEnd = (others: number): number => {
    const script = new Script();
    for (let i = 0; i <= others; i += 1) {
      script.emit("on_session_start", { session_id: `s${i}`, model: "m", platform: "cli" });
      script.emit("on_session_finalize", { session_id: `s${i}`, platform: "cli" });
    }
    script.emit("on_session_finalize", { session_id: "s0", platform: "cli" });
    return all(build(script.events, { recentSessions: 3 }), "session").length;
  };

  expect(lateEnd(2)).toBe(3);
  expect(lateEnd(3)).toBe(5);
});

test("closed children are remembered up to their limit", () => {
  const secondStop = (others: number): string[] => {
    const script = started();
    const link = { parent_session_id: "s", parent_turn_id: "t" };
    for (let i = 0; i <= others; i += 1) {
      script.emit("subagent_start", { ...link, child_session_id: `c${i}` });
      script.emit("subagent_stop", {
        ...link,
        child_session_id: `c${i}`,
        child_status: "completed",
      });
    }
    script.emit("subagent_stop", { ...link, child_session_id: "c0", child_status: "completed" });
    return all(build(script.events, { recentSessions: 3 }), "subagent")
      .filter(({ child_session_id }) => child_session_id === "c0")
      .flatMap((node) => codes(node));
  };

  expect(secondStop(2)).toEqual(["duplicate_end"]);
  expect(secondStop(3)).toEqual(["orphan_stop"]);
});

test("an end that finds its call expired corrects it and is named late", () => {
  const script = started();
  script.emit("pre_tool_call", call(ids, "x", "1"));
  startAttempt(script, ids, 1);
  for (let i = 0; i < 6; i += 1) script.emit("post_llm_call", ids, 20);
  script.emit("post_tool_call", { ...call(ids, "x", "1"), ...outcome("ok") });

  const trajectory = build(script.events, { ttlSeconds: 100 });

  expect(only(trajectory, "turn").status).toBe("open");
  expect(only(trajectory, "tool")).toMatchObject({ status: "ok", closed_by: "event" });
  expect(codes(only(trajectory, "tool"))).toEqual(["late_event"]);
  expect(only(trajectory, "attempt")).toMatchObject({ status: "abandoned", closed_by: "ttl" });
});

test("event ids beyond the ring are not known any more, which their nodes still show", () => {
  const script = started();
  finished(script, "1");
  const again = script.events.slice(-2);
  const filler = Array.from({ length: 200 }, (_, i) =>
    script.emit("other", { session_id: "s", i }),
  );

  const near = build([...script.events.slice(0, 4), ...again]);
  const far = build([...script.events.slice(0, 4), ...filler, ...again], { recentEvents: 16 });

  expect(near.counters.duplicates).toBe(2);
  expect(far.counters.duplicates).toBe(0);
  expect(all(far, "tool").map((node) => codes(node))).toEqual([[], ["reused_id"]]);
});

test("finish with a time gives up first what had expired by then", () => {
  const builder = new TrajectoryBuilder({ ttlSeconds: 100 });
  const script = started();
  for (const event of script.events) builder.add(event.payload, event);

  builder.finish("end", script.at + 101);

  expect(builder.counters.expired_nodes).toBe(2);
});

test("a stream that opens without end the same call, request, approval and input stays fast", () => {
  const kinds: [string, EventRecord["payload"]][] = [
    ["pre_tool_call", call(ids, "x", "same")],
    ["pre_tool_call", call(ids, "x", "")],
    ["pre_approval_request", { ...ids, surface: "smart", pattern_key: "p" }],
    ["on_human_input_request", { ...ids, kind: "clarify" }],
    ["subagent_start", { parent_session_id: "s", parent_turn_id: "t" }],
  ];
  const builder = new TrajectoryBuilder();
  const began = performance.now();
  let n = 0;
  for (let i = 0; i < 8000; i += 1) {
    for (const [hook, payload] of kinds) {
      n += 1;
      builder.add(payload, { id: `w:${n}`, at: 1_790_000_000 + n / 1000, hook });
    }
    n += 1;
    const request = { ...ids, api_request_id: "r", retry_count: i };
    builder.add(request, { id: `w:${n}`, at: 1_790_000_000 + n / 1000, hook: "pre_api_request" });
  }

  expect(performance.now() - began).toBeLessThan(15_000);
  expect(builder.openNodes).toBeLessThanOrEqual(10_000);
});

test("very long texts are not kept alive by nodes", () => {
  const script = new Script();
  startTurn(script, ids, true, "x".repeat(1_000_000));
  script.emit(
    "pre_tool_call",
    call(ids, "x", "1", { text: ["a", { text: "y".repeat(1_000_000) }] }),
  );
  script.emit("post_tool_call", {
    ...call(ids, "x", "1"),
    ...outcome("error", { error_message: `${"z".repeat(1998)}😀${"z".repeat(1_000_000)}` }),
  });
  endTurn(script, ids);

  const trajectory = build(script.events);

  expect(only(trajectory, "turn").prompt_preview).toHaveLength(120);
  expect(only(trajectory, "tool").input_preview).toBe("a");
  expect(only(trajectory, "tool").error?.message).toBe(`${"z".repeat(1998)}…`);
  expect(JSON.stringify(trajectory).length).toBeLessThan(20_000);
});
