import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { compileFunction } from "node:vm";
import { measure } from "mitata";
import { Hooks } from "@hermes-observer/core";
import type { HookName } from "@hermes-observer/core";
import { contenders, payload, sink } from "./dispatch-contenders.ts";

/** One line of a result table. */
export interface DispatchRow {
  readonly case: string;
  readonly name: string;
  readonly observers: number;
  /** Nanoseconds for one event, building its payload included. */
  readonly ns: number;
  /** Against hermes-observer in the same case and run. */
  readonly ratio: number;
}

const ROUNDS = 15;
const CALLS = 200_000;

/** Warm, one call site: every contender in turn, so that a slow moment of the machine hits all of them. */
export function warm(observers: number): DispatchRow[] {
  const fires = contenders.map(({ name, make }) => ({
    name,
    fire: make(observers),
    best: Infinity,
  }));
  for (const { fire } of fires) run(fire, CALLS);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const contender of fires)
      contender.best = Math.min(contender.best, run(contender.fire, CALLS));
  }
  const ours = fires[0]?.best ?? Number.NaN;
  return fires.map(({ name, best }) => ({
    case: "warm",
    name,
    observers,
    ns: best,
    ratio: best / ours,
  }));
}

/** Nothing observed: what a guarded call costs beside an empty one, in nanoseconds; best of five medians, in turn. */
export async function unobserved(): Promise<{ readonly empty: number; readonly guarded: number }> {
  const hooks = new Hooks();
  const guarded = (): void => {
    if (hooks.has("post_tool_call")) hooks.emit("post_tool_call", payload());
  };
  const best = { empty: Infinity, guarded: Infinity };
  for (let round = 0; round < 5; round += 1) {
    best.empty = Math.min(best.empty, (await measure(() => {})).p50);
    best.guarded = Math.min(best.guarded, (await measure(guarded)).p50);
  }
  return best;
}

/** Twenty call sites with hooks of their own in one dispatcher: what a call costs when nothing is monomorphic. */
export function manySites(observers: number): number {
  const names: HookName[] = [
    "pre_tool_call",
    "post_tool_call",
    "pre_api_request",
    "post_api_request",
  ];
  const hooks = new Hooks();
  for (let index = 0; index < observers; index += 1) {
    hooks.register({
      name: `p${index}`,
      register: (ctx) => {
        for (const name of names) ctx.registerHook(name, () => void (sink.total += 1));
      },
    });
  }
  // Compiled one by one, so that each call site learns for itself, as in a host.
  const sites = Array.from({ length: 20 }, (_, index) => {
    const name = names[index % names.length] as HookName;
    const body = `if (hooks.has("${name}")) hooks.emit("${name}", payload());`;
    const site = compileFunction(body, ["hooks", "payload"]) as (
      hooks: Hooks,
      make: () => object,
    ) => void;
    return () => site(hooks, payload);
  });
  const all = (): void => {
    for (const site of sites) site();
  };
  run(all, CALLS / 20);
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) best = Math.min(best, run(all, CALLS / 20) / 20);
  return best;
}

/** First call and mean of the first hundred in a process of their own, microseconds; median of five processes. */
export function cold(observers: number): { name: string; firstUs: number; hundredUs: number }[] {
  return contenders.map(({ name }, index) => {
    const runs = Array.from({ length: 5 }, () => child("cold", index, observers));
    const median = (key: string): number =>
      runs.map((result) => result[key] ?? Number.NaN).sort((a, b) => a - b)[2] ?? Number.NaN;
    return { name, firstUs: median("first"), hundredUs: median("hundred") };
  });
}

/** Bytes that one event allocates, and the bytes of its payload and envelope alone, in a process of its own. */
export function allocated(observers: number): {
  readonly event: number;
  readonly payloadAndEnvelope: number;
} {
  const { event, base } = child("bytes", 0, observers);
  return { event: event ?? Number.NaN, payloadAndEnvelope: base ?? Number.NaN };
}

function run(fire: () => void, calls: number): number {
  return (
    time(() => {
      for (let index = 0; index < calls; index += 1) fire();
    }) / calls
  );
}

function time(work: () => unknown): number {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start);
}

function child(
  mode: string,
  contender: number,
  observers: number,
): Record<string, number | undefined> {
  const file = fileURLToPath(new URL("./dispatch-child.ts", import.meta.url));
  const flags = [
    "-C",
    "@hermes-observer/source",
    "--min-semi-space-size=128",
    "--max-semi-space-size=128",
    "--expose-gc",
  ];
  const output = execFileSync(
    process.execPath,
    [...flags, file, mode, String(contender), String(observers)],
    { encoding: "utf8" },
  );
  return JSON.parse(output) as Record<string, number>;
}
