// What recording costs beside the bare write of the same bytes. Run: node -C @hermes-observer/source packages/journal/bench/recording.bench.ts
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Payload } from "@hermes-observer/core";
import { createRecorder, openJournal, type Recorder } from "../src/index.ts";
import { sessionEvents, smallEvent, textOf, type BenchEvent } from "./session-events.ts";

/** One line of the table. */
export interface RecordingRow {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What it may be; undefined for a value that is only shown. */
  readonly goal?: string;
  readonly isMet?: boolean;
}

interface Latencies {
  readonly p50: number;
  readonly p99: number;
}

const appendFlags = "a";

/** Measures everything in a new temporary folder; a few seconds. */
export async function recordingRows(): Promise<readonly RecordingRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "hermes-recording-"));
  try {
    return [
      ...(await latencyRows(folder, "0.6 KB event", smallEvents(6000), { p50: 4, p99: 3 })),
      ...(await latencyRows(folder, "32 KB event, all new", freshRequests(1000), {
        p50: 6,
        p99: 3,
      })),
      ...(await latencyRows(folder, "32 KB event, history repeated", repeatedRequests(1000), {
        p50: 6,
        p99: 3,
      })),
      await throughputRow(folder),
      await diskRow(folder),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Rounds per measurement; the least disturbed one counts, for the bare write as for ours. */
const rounds = 5;

async function latencyRows(
  folder: string,
  name: string,
  events: readonly BenchEvent[],
  limits: Latencies,
): Promise<readonly RecordingRow[]> {
  const lines = events.map((event) => Buffer.from(`${JSON.stringify(event)}\n`));
  let ours: Latencies = { p50: Number.POSITIVE_INFINITY, p99: Number.POSITIVE_INFINITY };
  let bare = ours;
  for (let round = 0; round < rounds; round++) {
    const times = await latencyRound(join(folder, `${name} ${round}`), events, lines);
    ours = least(ours, latencies(times.ours));
    bare = least(bare, latencies(times.bare));
  }
  return [
    { name: `${name}: bare write, p50`, value: bare.p50, unit: "µs" },
    { name: `${name}: recorded, p50`, value: ours.p50, unit: "µs" },
    atMost(`${name}: p50 over bare`, ours.p50 / bare.p50, limits.p50, "×"),
    { name: `${name}: bare write, p99`, value: bare.p99, unit: "µs" },
    { name: `${name}: recorded, p99`, value: ours.p99, unit: "µs" },
    atMost(`${name}: p99 over bare`, ours.p99 / bare.p99, limits.p99, "×"),
  ];
}

/** Each event is recorded and, right before or after it, as many bytes as its wire form has are written bare. */
async function latencyRound(
  path: string,
  events: readonly BenchEvent[],
  lines: readonly Buffer[],
): Promise<{ readonly ours: number[]; readonly bare: number[] }> {
  const recorder = benchRecorder(path);
  const fd = openSync(`${path}.bare`, appendFlags, 0o600);
  const ours: number[] = [];
  const bare: number[] = [];
  for (const [index, event] of events.entries()) {
    const line = lines[index] ?? Buffer.alloc(0);
    // Taking turns in who is first: the second finds warmer caches.
    const isMeasured = index > events.length / 5;
    if (index % 2 === 0) measure(() => writeSync(fd, line, 0, line.length), isMeasured ? bare : []);
    measure(() => recorder.append(event), isMeasured ? ours : []);
    if (index % 2 === 1) measure(() => writeSync(fd, line, 0, line.length), isMeasured ? bare : []);
  }
  closeSync(fd);
  await recorder.close(10_000);
  return { ours, bare };
}

async function throughputRow(folder: string): Promise<RecordingRow> {
  const recorder = benchRecorder(join(folder, "throughput"));
  const events = smallEvents(2000);
  let best = 0;
  // Short rounds: among many, some are not disturbed.
  for (let round = 0; round < 50; round++) {
    const start = performance.now();
    for (const event of events) recorder.append(event);
    best = Math.max(best, (events.length * 1000) / (performance.now() - start));
  }
  await recorder.close(10_000);
  const isMet = best >= 130_000;
  return { name: "0.6 KB events", value: best, unit: "/s", goal: "≥ 130,000", isMet };
}

async function diskRow(folder: string): Promise<RecordingRow> {
  const directory = join(folder, "disk");
  const recorder = benchRecorder(directory);
  const seen = new Set<string>();
  let fresh = 0;
  for (const event of sessionEvents(200)) {
    fresh += newBytes(event, seen);
    recorder.append(event);
  }
  await recorder.close(10_000);
  const path = openJournal(directory).sessionFiles("bench-session")[0]?.path ?? "";
  return atMost(
    "200-turn session: bytes on disk over new bytes",
    statSync(path).size / fresh,
    1.5,
    "×",
  );
}

/**
 * What is new in an event: its text in the wire form, less each sub-tree of 256 bytes or more that came before in the
 * session, and less each list element, of any size, that stood at the same place of the same list before. The second
 * rule makes the measure stricter: short messages of the history are not new in every request either.
 */
function newBytes(event: BenchEvent, seen: Set<string>): number {
  const envelope = JSON.stringify({ ...event, payload: 0 });
  let bytes = Buffer.byteLength(envelope) - 1 + 2;
  for (const [key, member] of Object.entries(event.payload)) {
    bytes +=
      Buffer.byteLength(JSON.stringify(key)) + 2 + newText(member, seen, `${event.hook}.${key}`);
  }
  return bytes - 1;
}

function newText(value: unknown, seen: Set<string>, place: string): number {
  const text = JSON.stringify(value);
  const size = Buffer.byteLength(text);
  if (size >= 256) {
    if (seen.has(text)) return 0;
    seen.add(text);
  }
  if (typeof value !== "object" || value === null) return size;
  let fresh = size;
  for (const [key, member] of Object.entries(value)) {
    const memberText = JSON.stringify(member);
    const memberPlace = `${place}.${key}`;
    const memberSize = Buffer.byteLength(memberText);
    const isOld = Array.isArray(value) && seen.has(`${memberPlace}=${memberText}`);
    if (Array.isArray(value)) seen.add(`${memberPlace}=${memberText}`);
    fresh -= isOld ? memberSize + 1 : memberSize - newText(member, seen, memberPlace);
  }
  return fresh;
}

function benchRecorder(directory: string): Recorder {
  return createRecorder({
    directory,
    producer: { name: "bench", version: "1" },
    slowWrites: false,
  });
}

function smallEvents(count: number): readonly BenchEvent[] {
  return Array.from({ length: count }, (_, index) => smallEvent(index));
}

function freshRequests(count: number): readonly BenchEvent[] {
  return Array.from({ length: count }, (_, index) =>
    request(
      index,
      Array.from({ length: 16 }, (__, n) => ({
        role: "user",
        content: textOf(1920, `${index}.${n}`),
      })),
    ),
  );
}

function repeatedRequests(count: number): readonly BenchEvent[] {
  const history = Array.from({ length: 31 }, (_, n) => ({
    role: "user",
    content: textOf(990, `h${n}`),
  }));
  // As a host makes them: each request has objects and texts of its own.
  return Array.from({ length: count }, (_, index) =>
    request(index, [...history, { role: "user", content: textOf(600, `${index}`) }]),
  );
}

function request(index: number, messages: readonly Payload[]): BenchEvent {
  const payload = {
    session_id: "bench-session",
    api_request_id: `r:${index}`,
    request: { model: "m", messages },
  };
  const text = JSON.stringify({
    id: `b:${index}`,
    at: 1_796_089_200.5 + index,
    hook: "pre_api_request",
    payload,
  });
  return deepFreeze(JSON.parse(text) as BenchEvent);
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}

/** Adds the time in µs, unless another process took the processor meanwhile: that is no property of either side. */
function measure(action: () => unknown, times: number[]): void {
  const before = process.resourceUsage().involuntaryContextSwitches;
  const start = performance.now();
  action();
  const time = (performance.now() - start) * 1000;
  if (process.resourceUsage().involuntaryContextSwitches === before) times.push(time);
}

function latencies(times: readonly number[]): Latencies {
  const sorted = [...times].sort((left, right) => left - right);
  return {
    p50: sorted[sorted.length >> 1] ?? 0,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
  };
}

function least(left: Latencies, right: Latencies): Latencies {
  return { p50: Math.min(left.p50, right.p50), p99: Math.min(left.p99, right.p99) };
}

function atMost(name: string, value: number, limit: number, unit: string): RecordingRow {
  return { name, value, unit, goal: `≤ ${limit}`, isMet: value <= limit };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { isMet, name, goal, unit, value } of await recordingRows()) {
    const verdict = goal === undefined ? "" : `  (${goal}${isMet === true ? "" : ", missed"})`;
    console.log(
      `${name.padEnd(52)} ${value.toFixed(value > 1000 ? 0 : 2).padStart(10)} ${unit}${verdict}`,
    );
  }
}
