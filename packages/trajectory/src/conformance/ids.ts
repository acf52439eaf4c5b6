import type { EventRecord } from "@hermes-observer/core";
import { asNumber } from "../payload-fields.ts";
import { eventClause } from "./clause.ts";
import type { Clause, ClauseRun } from "./clause.ts";
import { callKey, field, keyOf, pairs } from "./keys.ts";

/** Hooks of one turn, which carry its id. */
const turnHooks: ReadonlySet<string> = new Set([
  "on_session_end",
  "pre_llm_call",
  "post_llm_call",
  "pre_api_request",
  "post_api_request",
  "api_request_error",
  "pre_tool_call",
  "post_tool_call",
  "transform_tool_result",
]);

/** Ids of hooks that are not about one turn. */
const otherIds: Readonly<Record<string, readonly string[]>> = {
  on_session_start: ["session_id"],
  on_session_finalize: ["session_id"],
  on_session_reset: ["session_id"],
  on_human_input_request: ["request_id", "session_id"],
  on_human_input_resolved: ["request_id", "session_id"],
  subagent_start: ["parent_session_id", "child_session_id"],
  subagent_stop: ["parent_session_id", "child_session_id"],
};

/** Ids are there, unique where they must be, and the same wherever they name the same thing. */
export const idClauses: readonly Clause[] = [
  {
    id: "ids.event_unique",
    title: "No two events have the same envelope id",
    source: "architecture §5",
    start: uniqueEvents,
  },
  eventClause(
    {
      id: "ids.present",
      title: "Events carry the ids that say where they belong",
      source: "specification, correlation ids",
    },
    (event) => {
      const names = turnHooks.has(event.hook) ? ["session_id", "turn_id"] : otherIds[event.hook];
      if (names === undefined) return null;
      const missing = names.filter((name) => field(event, name) === "");
      return missing.length === 0 ? "" : `Missing: ${missing.join(", ")}.`;
    },
  ),
  {
    id: "ids.request_in_one_turn",
    title: "An api_request_id belongs to one turn",
    source: "specification, correlation ids",
    start: requestsInOneTurn,
  },
  {
    id: "ids.tool_call_once",
    title: "A tool_call_id is dispatched once in its turn",
    source: "hook-contract §1.11",
    start: callsOnce,
  },
  {
    id: "ids.attempt_ordinal",
    title: "Where attempts are numbered, they count from 0 without a gap",
    source: "ADR 0007",
    start: ordinals,
  },
  {
    id: "ids.tool_request",
    title: "A tool call names a request of its turn",
    source: "hook-contract §1.11",
    start: toolRequests,
  },
];

function uniqueEvents(): ClauseRun {
  const seen = new Set<string>();
  return {
    see(event, report) {
      if (typeof event.id !== "string" || event.id === "")
        report.fail(event, "The event has no id.");
      else if (seen.has(event.id)) report.fail(event, "An earlier event has this id.");
      else report.pass(event);
      seen.add(event.id);
    },
  };
}

function requestsInOneTurn(): ClauseRun {
  const turns = new Map<string, string>();
  return {
    see(event, report) {
      if (event.hook !== "pre_api_request") return;
      const id = field(event, "api_request_id");
      const turn = field(event, "turn_id");
      const first = turns.get(id);
      if (first === undefined) turns.set(id, turn);
      if (first === undefined || first === turn) report.pass(event);
      else report.fail(event, "The request id stands in another turn too.");
    },
  };
}

function callsOnce(): ClauseRun {
  const seen = new Set<string>();
  return {
    see(event, report) {
      if (event.hook !== "pre_tool_call" || field(event, "tool_call_id") === "") return;
      const key = callKey(event);
      if (seen.has(key)) report.fail(event, "The turn has a call of this id already.");
      else report.pass(event);
      seen.add(key);
    },
  };
}

function ordinals(): ClauseRun {
  const next = new Map<string, number>();
  return {
    see(event, report) {
      const ordinal = event.payload["attempt"];
      if (event.hook !== pairs.attempt.start || ordinal === undefined) return;
      const key = pairs.attempt.key(event);
      const expected = next.get(key) ?? 0;
      if (asNumber(ordinal) === expected) report.pass(event);
      else report.fail(event, `Attempt ${JSON.stringify(ordinal)} where ${expected} comes next.`);
      next.set(key, (asNumber(ordinal) ?? expected) + 1);
    },
  };
}

function toolRequests(): ClauseRun {
  const requests = new Set<string>();
  const calls: EventRecord[] = [];
  return {
    see(event) {
      if (event.hook === "pre_api_request")
        requests.add(keyOf(event, ["turn_id", "api_request_id"]));
      if (event.hook === "pre_tool_call" && field(event, "api_request_id") !== "")
        calls.push(event);
    },
    end(report) {
      for (const event of calls) {
        if (requests.has(keyOf(event, ["turn_id", "api_request_id"]))) report.pass(event);
        else report.fail(event, "No request of this turn has the id that the call names.");
      }
    },
  };
}
