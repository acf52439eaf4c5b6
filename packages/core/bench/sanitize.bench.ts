/*
 * Sanitising a chat request of about 120 KB, beside what else people use. Each contender in turn gets its requests in
 * batches made beforehand, and `JSON.stringify` the same after it, so that a slow moment of the machine hits
 * both: the ratio is the median of the rounds'.
 * Standalone: `node -C @hermes-observer/source packages/core/bench/sanitize.bench.ts`.
 */
import { normalize } from "@sentry/core";
import fastRedact from "fast-redact";
import { createSanitizer } from "@hermes-observer/core/sanitize";
import { type Row, goalRow } from "../../../bench/row.ts";
import { type ChatRequest, chatRequest } from "./chat-request.ts";

const rounds = 120;
/** Rounds that only warm up the compiler. */
const warmUp = 60;
/** Requests in a round, one after the other: a single call would time the caches of the machine. */
const batch = 10;

/** One thing that is timed: what it is given is made anew each round, and not timed. */
interface Contender {
  readonly name: string;
  readonly goal?: number;
  readonly prepare: (round: number) => unknown;
  readonly run: (input: unknown) => unknown;
}

/** Results are put here, so that no call can be left out. */
export const sink: unknown[] = [];

/** Sanitising a chat request of 120 KB, freezing included; every figure against `JSON.stringify` in the same rounds. */
export function sanitizeRows(): Row[] {
  const stringified = [...ours(), ...others()].map(measure);
  const base = median(stringified.map(({ base }) => base));
  return [
    { name: "JSON.stringify", value: base / 1_000, unit: "µs" },
    ...stringified.flatMap(({ rows }) => rows),
  ];
}

function measure(contender: Contender): { rows: Row[]; base: number } {
  const { name, goal, prepare, run } = contender;
  const times: number[] = [];
  const bases: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const inputs = Array.from({ length: batch }, (_, index) => prepare(round * batch + index));
    times.push(time(() => inputs.forEach((input) => (sink[0] = run(input)))));
    bases.push(time(() => inputs.forEach((input) => (sink[0] = JSON.stringify(input)))));
  }
  const kept = times.slice(warmUp);
  const base = median(bases.slice(warmUp));
  const ratio = median(kept.map((value, index) => value / (bases[warmUp + index] ?? Number.NaN)));
  const label = `${name} ÷ JSON.stringify`;
  const rows: Row[] = [
    { name, value: median(kept) / 1_000, unit: "µs" },
    goal === undefined
      ? { name: label, value: ratio, unit: "×" }
      : goalRow(label, ratio, "×", goal),
  ];
  return { rows, base };
}

/** Nanoseconds for one request of a batch. */
function time(run: () => void): number {
  const start = process.hrtime.bigint();
  run();
  return Number(process.hrtime.bigint() - start) / batch;
}

function ours(): Contender[] {
  const byKey = createSanitizer({ values: false });
  const first = createSanitizer();
  const repeated = createSanitizer();
  const reread = createSanitizer();
  const history = parsed(chatRequest(1));
  const requests = Array.from({ length: 7 }, (_, seed) => parsed(chatRequest(seed)));
  return [
    {
      name: "by key alone",
      goal: 0.6,
      prepare: (round) => requests[round % requests.length],
      run: (input) => byKey.sanitize(input),
    },
    {
      name: "all rules, the first time",
      goal: 2,
      prepare: (round) => parsed(chatRequest(1_000 + round)),
      run: (input) => first.sanitize(input),
    },
    {
      name: "all rules, nine tenths as in the last request",
      goal: 0.5,
      prepare: (round) => nextRequest(history, round),
      run: (input) => repeated.sanitize(input),
    },
    {
      name: "all rules, nine tenths as in the last request, all of it parsed anew",
      prepare: (round) => parsed(nextRequest(history, round)),
      run: (input) => reread.sanitize(input),
    },
  ];
}

function others(): Contender[] {
  const redact = fastRedact({
    paths: ["*.api_key", "*.password", "metadata.*", "messages[*].content"],
    serialize: false,
  });
  const fresh = (round: number): unknown => parsed(chatRequest(round % 7));
  return [
    { name: "structuredClone", prepare: fresh, run: (input) => structuredClone(input) },
    { name: "fast-redact, 4 paths, in place", prepare: fresh, run: (input) => redact(input) },
    {
      name: "Sentry normalize, depth 10",
      prepare: fresh,
      run: (input) => normalize(input, 10, 10_000) as unknown,
    },
  ];
}

/** As it comes from a parser: every string flat, no object shared. */
function parsed(request: ChatRequest): ChatRequest {
  // What was stringified a moment ago.
  return JSON.parse(JSON.stringify(request)) as ChatRequest;
}

/** What an agent sends next: the objects of its history as they are, and six new messages of sixty. */
function nextRequest(history: ChatRequest, round: number): ChatRequest {
  const { messages } = parsed(chatRequest(5_000 + round));
  return { ...history, messages: [...history.messages.slice(0, -6), ...messages.slice(-6)] };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

if (import.meta.main) {
  for (const { name, value, unit, goal = "", isMet } of sanitizeRows()) {
    const verdict = isMet === undefined ? "" : isMet ? "met" : "missed";
    console.log(`${name.padEnd(90)} ${value.toFixed(2).padStart(9)} ${unit} ${goal} ${verdict}`);
  }
}
