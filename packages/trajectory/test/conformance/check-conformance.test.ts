import type { EventRecord, Payload } from "@hermes-observer/core";
import { expect, test } from "vitest";
import { checkConformance, clauses } from "../../src/conformance/index.ts";
import { golden } from "../golden.ts";

const events = golden();

/** The golden stream with one field of the nth event of a hook set. */
function set(hook: string, nth: number, more: Payload): EventRecord[] {
  let seen = -1;
  return events.map((event) => {
    if (event.hook !== hook) return event;
    seen += 1;
    return seen === nth ? { ...event, payload: { ...event.payload, ...more } } : event;
  });
}

function without(hook: string, nth: number, field?: string): EventRecord[] {
  const target = events.filter((event) => event.hook === hook)[nth];
  if (field === undefined) return events.filter((event) => event !== target);
  return events.map((event) => {
    if (event !== target) return event;
    const { [field]: _gone, ...payload } = event.payload;
    return { ...event, payload };
  });
}

/** The golden stream with an event moved; times stay with the places, so that only the order is broken. */
function move(
  hook: string,
  nth: number,
  to: (stream: readonly EventRecord[]) => number,
): EventRecord[] {
  const target = events.filter((event) => event.hook === hook)[nth];
  if (target === undefined) throw new Error("no event");
  const rest = events.filter((event) => event !== target);
  return rest
    .toSpliced(to(rest), 0, target)
    .map((event, i) => ({ ...event, at: events[i]?.at ?? 0 }));
}

function indexOf(stream: readonly EventRecord[], hook: string): number {
  return stream.findIndex((event) => event.hook === hook);
}

/** For each clause a stream that breaks it, and no other. */
const broken: Readonly<Record<string, readonly EventRecord[]>> = {
  "pairing.attempt": without("post_api_request", 1),
  "pairing.tool_call": without("post_tool_call", 1),
  "pairing.turn": without("on_session_end", 2),
  "pairing.human_input": without("on_human_input_resolved", 0),
  "pairing.approval": without("post_approval_response", 0),
  "pairing.child_agent": without("subagent_stop", 0),
  "pairing.answer": without("post_llm_call", 0),
  "ids.event_unique": events.map((event, i) =>
    i === 5 ? { ...event, id: events[4]?.id ?? "" } : event,
  ),
  "ids.present": set("transform_tool_result", 0, { turn_id: "" }),
  "ids.request_in_one_turn": events.map((event) =>
    event.payload["turn_id"] === "s1:t2" && event.payload["api_request_id"] !== undefined
      ? { ...event, payload: { ...event.payload, api_request_id: "s1:t1:api:1" } }
      : event,
  ),
  "ids.tool_call_once": events.map((event) =>
    event.payload["tool_call_id"] === "call_d"
      ? { ...event, payload: { ...event.payload, tool_call_id: "call_a" } }
      : event,
  ),
  "ids.attempt_ordinal": set("pre_api_request", 1, { attempt: 2 }),
  "ids.tool_request": set("pre_tool_call", 0, { api_request_id: "elsewhere" }),
  "order.session_start_first": move("on_session_start", 1, (stream) =>
    indexOf(stream, "subagent_stop"),
  ),
  "order.turn_start_first": move("pre_llm_call", 0, (stream) => indexOf(stream, "pre_tool_call")),
  "order.turn_end_last": move("on_session_end", 1, (stream) =>
    indexOf(stream, "transform_llm_output"),
  ),
  "order.end_after_start": move("post_approval_response", 0, (stream) =>
    indexOf(stream, "pre_approval_request"),
  ),
  "order.approval_inside_human_input": move("pre_approval_request", 0, (stream) =>
    indexOf(stream, "on_human_input_request"),
  ),
  "order.transform_after_post": move("transform_tool_result", 0, (stream) =>
    indexOf(stream, "post_tool_call"),
  ),
  "order.time": events.map((event, i) => (i === 6 ? { ...event, at: event.at - 1 } : event)),
  "order.api_call_count": set("pre_api_request", 3, { api_call_count: 5 }),
  "order.finalize_last": move("on_session_finalize", 0, (stream) =>
    stream.findIndex(({ payload }) => payload["turn_id"] === "s1:t2"),
  ),
  "units.epoch_seconds": events.map((event, i) =>
    i === events.length - 1 ? { ...event, at: event.at * 1000 } : event,
  ),
  "units.duration_ms": set("post_tool_call", 0, { duration_ms: 12.5 }),
  "units.api_duration": set("post_api_request", 0, { api_duration: 500 }),
  "units.end_after_start": set("post_api_request", 0, { first_chunk_at: 1_700_000_000 }),
  "units.tokens": set("post_api_request", 0, {
    usage: { input_tokens: 1, cache_read_tokens: 1, prompt_tokens: 1, output_tokens: 1 },
  }),
  "units.counts": set("pre_api_request", 0, { message_count: -1 }),
  "fields.hook_known": [
    ...events,
    {
      id: "x:1",
      at: (events.at(-1)?.at ?? 0) + 1,
      hook: "on_stream_start",
      payload: { telemetry_schema_version: "hermes.observer.v1" },
    },
  ],
  "fields.schema_version": set("pre_llm_call", 0, {
    telemetry_schema_version: "hermes.observer.v2",
  }),
  "fields.required": without("on_session_start", 0, "platform"),
  "fields.types": set("on_session_end", 0, { interrupted: "no" }),
  "fields.tool_status": set("post_tool_call", 0, { status: "fine" }),
  "fields.approval_choice": set("post_approval_response", 0, { choice: "sure" }),
  "fields.error_shape": set("api_request_error", 0, { error: "slow down" }),
};

function failing(stream: readonly EventRecord[]): string[] {
  return checkConformance(stream)
    .clauses.filter(({ status }) => status === "FAIL")
    .map(({ id }) => id);
}

test("a good recording passes every clause, and there is an event for each", () => {
  const report = checkConformance(events);

  expect(report).toMatchObject({
    events: events.length,
    passed: clauses.length,
    failed: 0,
    not_seen: 0,
  });
});

test("every clause has a stream that breaks it", () => {
  expect(Object.keys(broken).toSorted()).toEqual(clauses.map(({ id }) => id).toSorted());
});

test.each(Object.entries(broken))("%s is broken alone by its stream", (id, stream) => {
  expect(failing(stream)).toEqual([id]);
});

test("a failure names its event and says what is wrong", () => {
  const report = checkConformance(set("post_tool_call", 0, { status: "fine" }));

  expect(report.clauses.find(({ id }) => id === "fields.tool_status")).toMatchObject({
    failed: 1,
    judged: 4,
    failures: [{ event_id: "w1:9", message: 'status is "fine".' }],
  });
});

test("clauses about events that did not come are not seen", () => {
  const report = checkConformance([]);

  expect(report).toMatchObject({ events: 0, passed: 0, failed: 0, not_seen: clauses.length });
});

test("all failures are counted and the first 20 are kept", () => {
  const stream = Array.from({ length: 25 }, (_, i) => ({
    id: `e${i}`,
    at: 1.79e9,
    hook: "nope",
    payload: {},
  }));

  const clause = checkConformance(stream).clauses.find(({ id }) => id === "fields.hook_known");

  expect([clause?.failed, clause?.failures.length]).toEqual([25, 20]);
});

test("what is no event is skipped", () => {
  expect(checkConformance([null, 7, { hook: 1 }, ...events] as EventRecord[]).failed).toBe(0);
});

test("calls refused before dispatch need no start", () => {
  const refused = set("post_tool_call", 0, {
    status: "blocked",
    error_type: "tool_scope_block",
  }).filter(
    ({ hook, payload }) => !(hook === "pre_tool_call" && payload["tool_call_id"] === "call_b"),
  );

  expect(failing(refused)).toEqual([]);
});
