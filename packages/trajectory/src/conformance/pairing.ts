import type { EventRecord } from "@hermes-observer/core";
import type { Clause, ClauseReport, ClauseRun } from "./clause.ts";
import { field, keyOf, pairs } from "./keys.ts";
import type { Pair } from "./keys.ts";

/** `error_type` of calls that are refused before dispatch, on which no `pre_tool_call` fires. */
const refused: ReadonlySet<string> = new Set([
  "guardrail_block",
  "invalid_tool_arguments",
  "tool_scope_block",
  "user_interrupt",
]);

/** Every start has exactly one end, and every end a start, wherever in the stream they stand. */
export const pairingClauses: readonly Clause[] = [
  pairing(pairs.attempt, "Each attempt has one end: a response or an error", "hook-contract §1.10"),
  pairing(pairs.tool, "Each tool call has one end, on every path", "specification, tool lifecycle"),
  pairing(pairs.turn, "Each turn has one on_session_end, on every way out", "hook-contract §1.2"),
  pairing(pairs.human, "Each human input is resolved once", "hook-contract §6.1"),
  pairing(pairs.approval, "Each approval request has one response", "hook-contract §6.2"),
  pairing(pairs.child, "Each child agent stops once", "hook-contract §1.18"),
  {
    id: "pairing.answer",
    title: "Each completed turn has one post_llm_call",
    source: "hook-contract §1.6",
    start: answers,
  },
];

interface Met {
  readonly starts: EventRecord[];
  readonly ends: EventRecord[];
}

function pairing(pair: Pair, title: string, source: string): Clause {
  const id = `pairing.${pair.name.replace(" ", "_")}`;
  return { id, title, source, start: () => pairRun(pair) };
}

function pairRun(pair: Pair): ClauseRun {
  const met = new Map<string, Met>();
  return {
    see(event) {
      const isStart = event.hook === pair.start;
      if (!isStart && !pair.ends.includes(event.hook)) return;
      if (!isStart && refused.has(field(event, "error_type"))) return;
      const key = pair.key(event);
      const known = met.get(key) ?? { starts: [], ends: [] };
      met.set(key, known);
      (isStart ? known.starts : known.ends).push(event);
    },
    end(report) {
      for (const known of met.values()) judgePair(pair, known, report);
    },
  };
}

function judgePair(pair: Pair, { starts, ends }: Met, report: ClauseReport): void {
  const matched = Math.min(starts.length, ends.length);
  for (const event of starts.slice(0, matched)) report.pass(event);
  for (const event of starts.slice(matched)) report.fail(event, `This ${pair.name} has no end.`);
  for (const event of ends.slice(matched)) {
    report.fail(event, `This ${pair.name} has more ends than starts.`);
  }
}

function answers(): ClauseRun {
  const answered = new Map<string, number>();
  const completed: EventRecord[] = [];
  return {
    see(event) {
      const key = keyOf(event, ["turn_id"]);
      if (event.hook === "post_llm_call") answered.set(key, (answered.get(key) ?? 0) + 1);
      if (event.hook === "on_session_end" && event.payload["completed"] === true)
        completed.push(event);
    },
    end(report) {
      for (const event of completed) {
        const count = answered.get(keyOf(event, ["turn_id"])) ?? 0;
        if (count === 1) report.pass(event);
        else report.fail(event, `The turn is completed and has ${count} post_llm_call.`);
      }
    },
  };
}
