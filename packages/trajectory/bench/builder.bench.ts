/*
 * TrajectoryBuilder on 1 M events of closed turns, fed as they are made: throughput of the builder alone (a run that
 * only makes the events is subtracted), and how much the heap grows from the 200,000th event to the last.
 * Standalone: `node -C @hermes-observer/source --expose-gc packages/trajectory/bench/builder.bench.ts [events]`.
 */
import { pathToFileURL } from "node:url";
import { TrajectoryBuilder } from "../src/index.ts";
import { closedTurns } from "./closed-turns.ts";

/** One line of the table of results. */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What the project asks for, in words. */
  readonly goal: string;
  readonly isMet: boolean;
}

const prices = {
  currency: "USD",
  prices: [{ model: "m-large", provider: "p", input: 3, output: 15, cache_read: 0.3 }],
};

/** Measures; the heap rows need `--expose-gc` and are left out without it. */
export function rows(count = 1_000_000): readonly Row[] {
  const memory = [heapRow("closed turns", count, 0), heapRow("1 % of the ends missing", count, 1)];
  const speed = throughput(Math.min(count, 300_000));
  return [speed, ...memory.filter((row) => row !== null)];
}

/** Best of five over events made beforehand. */
function throughput(count: number): Row {
  const events = [...closedTurns(count)];
  let best = 0;
  for (let round = 0; round < 5; round += 1) {
    let changes = 0;
    const sink = {
      onNode() {
        changes += 1;
      },
    };
    const builder = new TrajectoryBuilder({ sink, prices });
    const started = performance.now();
    for (const event of events) builder.add(event.payload, event);
    best = Math.max(best, (count / (performance.now() - started)) * 1000);
    if (changes < count / 2) throw new Error("the builder did not build");
  }
  return {
    name: "TrajectoryBuilder, closed turns",
    value: Math.round(best),
    unit: "events/s",
    goal: ">= 300,000",
    isMet: best >= 300_000,
  };
}

function heapRow(name: string, count: number, missing: number): Row | null {
  const { gc } = globalThis as { gc?: () => void };
  if (gc === undefined) return null;
  const builder = new TrajectoryBuilder({ prices, ttlSeconds: 600 });
  let before = 0;
  let n = 0;
  for (const event of closedTurns(count, { missing })) {
    builder.add(event.payload, event);
    n += 1;
    if (n === Math.floor(count / 5)) {
      collectGarbage(gc);
      before = process.memoryUsage().heapUsed;
    }
  }
  collectGarbage(gc);
  const grown = (process.memoryUsage().heapUsed - before) / 1e6;
  // Asked after the measurement, so that the builder is still there during it.
  if (builder.counters.events !== n) throw new Error("the builder lost events");
  return {
    name: `heap growth over ${count.toLocaleString("en")} events, ${name}`,
    value: Math.round(grown * 10) / 10,
    unit: "MB",
    goal: "flat (< 5 MB)",
    isMet: grown < 5,
  };
}

/** Several rounds: one leaves what only the compiler still held. */
function collectGarbage(gc: () => void): void {
  for (let round = 0; round < 4; round += 1) gc();
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const row of rows(Number(process.argv[2] ?? 1_000_000))) {
    console.log(
      `${row.isMet ? "ok  " : "MISS"} ${row.name}: ${row.value.toLocaleString("en")} ${row.unit} (goal ${row.goal})`,
    );
  }
}
