import type { EventRecord } from "@hermes-observer/core";
import { describe, expect, test } from "vitest";
import { verdict } from "../src/index.ts";
import { Script, endTurn, golden, startTurn, turnIds } from "./golden.ts";
import { build } from "./reading.ts";

const events = golden();
const names = events.map(
  ({ hook, payload }, i) =>
    [i, `${hook} of ${String(payload["session_id"] ?? payload["child_session_id"])}`] as const,
);

function judge(record: readonly EventRecord[]): string {
  return verdict(build(record), { writer: "closed" }).verdict;
}

/** Events whose loss nothing in the rest of the record can show. */
const unknowableLosses = new Set([
  "transform_tool_result",
  "transform_llm_output",
  "on_session_finalize",
]);

test("a good recording is complete", () => {
  expect(verdict(build(events), { writer: "closed" })).toEqual({
    verdict: "complete",
    reasons: [],
    notices: [],
  });
});

describe("any event that is removed changes the verdict as far as it is knowable", () => {
  test.each(names)("event %i, %s", (i) => {
    const expected = unknowableLosses.has(events[i]?.hook ?? "") ? "complete" : "incomplete";

    expect(judge(events.toSpliced(i, 1))).toBe(expected);
  });
});

describe("any event that is doubled changes the verdict", () => {
  test.each(names)("event %i, %s", (i) => {
    const event = events[i];
    if (event === undefined) throw new Error("no event");

    expect(judge(events.toSpliced(i, 0, event))).toBe("incomplete");
    expect(judge([...events, event])).toBe("incomplete");
  });
});

describe("any two neighbours that change places change the verdict", () => {
  test.each(names.slice(1))("event %i, %s, and the one before", (i) => {
    const moved = events.toSpliced(i - 1, 2, ...events.slice(i - 1, i + 1).toReversed());

    expect(judge(moved)).toBe("incomplete");
  });
});

test("a pair that is doubled whole under new event ids is not knowable for tools, whose ids some providers use again", () => {
  const again = events
    .filter(
      ({ payload, hook }) => payload["tool_call_id"] === "call_b" && hook.endsWith("tool_call"),
    )
    .map((event) => ({ ...event, id: `again:${event.id}` }));
  const at = events.findIndex(({ hook }) => hook === "transform_tool_result") + 1;

  const result = verdict(
    build(
      events.toSpliced(at, 0, ...again.map((event) => ({ ...event, at: events[at]?.at ?? 0 }))),
    ),
    {
      writer: "closed",
    },
  );

  expect(result.notices.map(({ code }) => code)).toEqual(["reused_id"]);
});

test("a finalize is required only from a producer that promises it", () => {
  const open = events.filter(({ hook }) => hook !== "on_session_finalize");

  const promised = verdict(build(open), {
    writer: "closed",
    capabilities: { on_session_finalize: "full" },
  });

  expect(promised.reasons.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    "finalize_not_observed: Session s1 was not finalized.",
    "finalize_not_observed: Session s1-child was not finalized.",
  ]);
  for (const level of ["partial", "never"] as const) {
    expect(
      verdict(build(open), { writer: "dead", capabilities: { on_session_finalize: level } })
        .verdict,
    ).toBe("complete");
  }
});

test("the capability row that the session start carries is used when no other is given", () => {
  const script = new Script();
  const producer = { name: "p", version: "1", capabilities: { on_session_finalize: "full" } };
  script.emit("on_session_start", { session_id: "s", model: "m", platform: "cli", producer });

  expect(verdict(build(script.events), { writer: "dead" }).reasons).toMatchObject([
    { code: "finalize_not_observed" },
  ]);
});

test("a hook that a producer never fires is not missed", () => {
  const ids = turnIds("s", "t");
  const script = new Script();
  script.emit("pre_tool_call", { ...ids, tool_name: "x", args: {}, tool_call_id: "1" });
  script.emit("post_tool_call", {
    ...ids,
    tool_name: "x",
    args: {},
    tool_call_id: "1",
    status: "ok",
    duration_ms: 1,
  });
  const capabilities = {
    pre_llm_call: "never",
    on_session_end: "never",
    post_llm_call: "never",
    on_session_start: "never",
  } as const;

  expect(verdict(build(script.events), { writer: "closed", capabilities }).verdict).toBe(
    "complete",
  );
  expect(verdict(build(script.events), { writer: "closed" }).verdict).toBe("incomplete");
});

test("a record is running only while its writer lives and something is open", () => {
  const script = new Script();
  script.emit("on_session_start", { session_id: "s", model: "m", platform: "cli" });
  startTurn(script, turnIds("s", "t"), true);
  const open = build(script.events);

  expect(verdict(open, { writer: "alive" }).verdict).toBe("running");
  for (const writer of ["closed", "dead", "unknown"] as const) {
    expect(verdict(open, { writer })).toMatchObject({
      verdict: "incomplete",
      reasons: [{ code: "not_closed" }],
    });
  }
  expect(verdict(build(events), { writer: "alive" }).verdict).toBe("complete");
});

test("what finish had to close is a reason with the node that it concerns", () => {
  const script = new Script();
  script.emit("on_session_start", { session_id: "s", model: "m", platform: "cli" });
  startTurn(script, turnIds("s", "t"), true);

  const { reasons } = verdict(build(script.events, { finish: "end of record" }), {
    writer: "dead",
  });

  expect(reasons).toEqual([
    {
      code: "start_without_end",
      node_id: expect.stringMatching(/^turn:/),
      message: "Turn 1: The start was seen, the end was not.",
    },
  ]);
});

test("problems of the record, lost events and unreadable ones each stand against it", () => {
  const problems = [
    { code: "chain_broken", message: "Line 7 does not follow line 6.", event_id: "w1:6" },
  ];

  expect(verdict(build(events), { writer: "closed", problems }).reasons).toEqual(problems);
  expect(judge([...events, null as never])).toBe("incomplete");
  expect(verdict(build([]), { writer: "closed" }).reasons).toMatchObject([{ code: "no_events" }]);
});

test("a completed turn whose answer was not seen is incomplete, unless the producer does not promise one", () => {
  const script = new Script();
  const ids = turnIds("s", "t");
  script.emit("on_session_start", { session_id: "s", model: "m", platform: "cli" });
  startTurn(script, ids, true);
  endTurn(script, ids);
  const unanswered = build(script.events.filter(({ hook }) => hook !== "post_llm_call"));

  expect(verdict(unanswered, { writer: "closed" }).reasons).toMatchObject([
    { code: "answer_not_observed" },
  ]);
  expect(
    verdict(unanswered, { writer: "closed", capabilities: { post_llm_call: "partial" } }).verdict,
  ).toBe("complete");
});

test("a transform is required only from a producer that promises one for each text", () => {
  const capabilities = { transform_tool_result: "full", transform_llm_output: "full" } as const;
  const promised = verdict(build(events), { writer: "closed", capabilities });

  // The golden recording has one for call_b and one for its first turn.
  expect(promised.reasons.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    "transform_not_observed: Tool read_file has a result, but transform_tool_result was not seen.",
    "transform_not_observed: Tool terminal has a result, but transform_tool_result was not seen.",
    "transform_not_observed: Tool delegate_task has a result, but transform_tool_result was not seen.",
    "transform_not_observed: Turn 1 is completed, but transform_llm_output was not seen.",
    "transform_not_observed: Turn 2 is completed, but transform_llm_output was not seen.",
  ]);
});

test("neighbours of equal time that change places are told apart by the counting ids of their writer", () => {
  const still = events.map((event) => ({ ...event, at: 1_790_000_000 }));
  const foreign = still.map((event, i) => ({ ...event, id: `urn:event/${i}` }));
  const swapped = (record: readonly EventRecord[]): EventRecord[] => {
    const i = record.findIndex(({ hook }) => hook === "transform_llm_output");
    return record.toSpliced(i - 1, 2, ...record.slice(i - 1, i + 1).toReversed());
  };

  expect(judge(still)).toBe("complete");
  expect(judge(foreign)).toBe("complete");
  expect(verdict(build(swapped(still)), { writer: "closed" }).reasons).toMatchObject([
    { code: "out_of_order", message: expect.stringContaining("post_api_request") },
  ]);
  expect(judge(swapped(foreign))).toBe("complete");
});

test("events of several writers are in order when each writer's own are", () => {
  const mixed = events.map((event, i) =>
    i % 3 === 0 ? { ...event, id: `other:${i + 100}` } : event,
  );

  expect(judge(mixed)).toBe("complete");
});
