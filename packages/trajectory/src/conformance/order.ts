import { asNumber } from "../payload-fields.ts";
import type { Clause, ClauseRun } from "./clause.ts";
import { callKey, field, keyOf, pairs, sessionOf } from "./keys.ts";
import type { Pair } from "./keys.ts";

const turnWork: ReadonlySet<string> = new Set([
  "pre_api_request",
  "post_api_request",
  "api_request_error",
  "pre_tool_call",
  "post_tool_call",
  "transform_tool_result",
  "transform_llm_output",
  "post_llm_call",
]);

/** Events come in the order that the contract gives. */
export const orderClauses: readonly Clause[] = [
  {
    id: "order.session_start_first",
    title: "on_session_start is the first event of its session and comes once",
    source: "hook-contract §1.1",
    start: sessionStartFirst,
  },
  {
    id: "order.turn_start_first",
    title: "pre_llm_call comes before the work of its turn",
    source: "hook-contract §0.3",
    start: turnStartFirst,
  },
  {
    id: "order.turn_end_last",
    title: "Nothing of a turn comes after its on_session_end",
    source: "hook-contract §0.3",
    start: turnEndLast,
  },
  {
    id: "order.end_after_start",
    title: "An end does not come before its start",
    source: "specification, event families",
    start: endAfterStart,
  },
  {
    id: "order.approval_inside_human_input",
    title: "An approval that names a human input lies inside it",
    source: "hook-contract §6.1",
    start: approvalInside,
  },
  {
    id: "order.transform_after_post",
    title: "transform_tool_result comes after post_tool_call",
    source: "specification, legacy hooks",
    start: transformAfterPost,
  },
  {
    id: "order.time",
    title: "Event times do not step back within a session",
    source: "architecture §4, journal",
    start: timeForward,
  },
  {
    id: "order.api_call_count",
    title: "api_call_count begins at 1 in each turn and grows by 1",
    source: "hook-contract §1.8",
    start: callCounts,
  },
  {
    id: "order.finalize_last",
    title: "Nothing of a session comes after its on_session_finalize",
    source: "hook-contract §1.3",
    start: finalizeLast,
  },
];

function sessionStartFirst(): ClauseRun {
  const seen = new Set<string>();
  return {
    see(event, report) {
      const id = sessionOf(event);
      if (event.hook === "on_session_start") {
        if (seen.has(id)) report.fail(event, "The session has events already.");
        else report.pass(event);
      }
      // A reset names the new session before it starts.
      if (id !== "" && event.hook !== "on_session_reset") seen.add(id);
    },
  };
}

function turnStartFirst(): ClauseRun {
  const seen = new Set<string>();
  return {
    see(event, report) {
      const id = field(event, "turn_id");
      if (event.hook === "pre_llm_call") {
        if (seen.has(id)) report.fail(event, "Work of this turn came before.");
        else report.pass(event);
      }
      if (id !== "" && turnWork.has(event.hook)) seen.add(id);
    },
  };
}

function turnEndLast(): ClauseRun {
  const ended = new Set<string>();
  return {
    see(event, report) {
      const id = field(event, "turn_id");
      if (id === "") return;
      if (event.hook === "on_session_end") ended.add(id);
      if (!turnWork.has(event.hook)) return;
      if (ended.has(id)) report.fail(event, "The turn has ended.");
      else report.pass(event);
    },
  };
}

function endAfterStart(): ClauseRun {
  const runs = Object.values(pairs).map((pair) => inOrder(pair));
  return {
    see(event, report) {
      for (const run of runs) run.see(event, report);
    },
  };
}

/** An end that finds nothing open is early if a start without an end of its own follows. */
function inOrder(pair: Pair): ClauseRun {
  const open = new Map<string, number>();
  const early = new Map<string, number>();
  const shift = (counts: Map<string, number>, key: string, by: number): void => {
    counts.set(key, (counts.get(key) ?? 0) + by);
  };
  return {
    see(event, report) {
      if (event.hook === pair.start) {
        const key = pair.key(event);
        if ((early.get(key) ?? 0) > 0) {
          shift(early, key, -1);
          report.fail(event, `The end of this ${pair.name} came before.`);
        } else {
          shift(open, key, 1);
        }
      } else if (pair.ends.includes(event.hook)) {
        const key = pair.key(event);
        if ((open.get(key) ?? 0) > 0) {
          shift(open, key, -1);
          report.pass(event);
        } else {
          shift(early, key, 1);
        }
      }
    },
  };
}

function approvalInside(): ClauseRun {
  const requested = new Set<string>();
  const open = new Set<string>();
  const outside = new Map<string, Parameters<ClauseRun["see"]>[0][]>();
  return {
    see(event, report) {
      const id = field(event, "request_id");
      if (id === "") return;
      if (event.hook === "on_human_input_request") {
        requested.add(id);
        open.add(id);
      } else if (event.hook === "on_human_input_resolved") {
        open.delete(id);
      } else if (event.hook === "pre_approval_request" || event.hook === "post_approval_response") {
        if (open.has(id)) report.pass(event);
        else outside.set(id, [...(outside.get(id) ?? []), event]);
      }
    },
    end(report) {
      // A transport's request_id names no human input at all.
      for (const [id, events] of outside) {
        if (!requested.has(id)) continue;
        for (const event of events)
          report.fail(event, "The human input that it names is not open.");
      }
    },
  };
}

function transformAfterPost(): ClauseRun {
  const posted = new Set<string>();
  return {
    see(event, report) {
      if (event.hook === "post_tool_call") posted.add(callKey(event));
      if (event.hook !== "transform_tool_result") return;
      // Without a turn the call cannot be named; ids.present says so.
      if (field(event, "turn_id") === "") return;
      if (posted.has(callKey(event))) report.pass(event);
      else report.fail(event, "post_tool_call of this call has not come yet.");
    },
  };
}

function timeForward(): ClauseRun {
  const latest = new Map<string, number>();
  return {
    see(event, report) {
      const at = asNumber(event.at);
      if (at === null) return;
      const session = sessionOf(event);
      const before = latest.get(session) ?? at;
      if (at >= before) report.pass(event);
      else
        report.fail(event, `${(before - at).toFixed(6)} s before an earlier event of the session.`);
      latest.set(session, Math.max(before, at));
    },
  };
}

function callCounts(): ClauseRun {
  const counts = new Map<string, number>();
  return {
    see(event, report) {
      if (event.hook !== "pre_api_request") return;
      const count = asNumber(event.payload["api_call_count"]);
      if (count === null) return; // fields.required says so
      const key = keyOf(event, ["turn_id"]);
      const before = counts.get(key) ?? 0;
      if (count === before + 1 || (count === before && count > 0)) report.pass(event);
      else report.fail(event, `${count} after ${before}.`);
      counts.set(key, count);
    },
  };
}

function finalizeLast(): ClauseRun {
  const finalized = new Set<string>();
  return {
    see(event, report) {
      const id = sessionOf(event);
      if (id === "") return;
      if (finalized.has(id)) report.fail(event, "The session has been finalized.");
      else if (event.hook === "on_session_finalize") report.pass(event);
      if (event.hook === "on_session_finalize") finalized.add(id);
    },
  };
}
