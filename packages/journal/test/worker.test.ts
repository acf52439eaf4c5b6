import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openJournal } from "../src/index.ts";
import { FaultReporter, type JournalFault } from "../src/recorder-fault.ts";
import { WorkerClient } from "../src/worker-client.ts";
import { makeEntry } from "../src/write/entry.ts";
import type { JournalWriterOptions } from "../src/write/journal-writer.ts";
import type { Loss } from "../src/write/loss.ts";
import { readFile } from "./independent/reader.ts";
import { runChild } from "./run-child.ts";
import { event, lineOf, readBack, scratchFolder, scratchRecorder, textOf } from "./scratch.ts";

const records = Array.from({ length: 200 }, (_, n) =>
  event(`w:${n}`, { session_id: `s${n % 2}`, n, text: textOf(500, `${n % 7}`), $body: "ユ" }),
);
const linesOf = (session: string): readonly string[] =>
  records.filter(({ payload }) => payload["session_id"] === session).map(lineOf);

describe("worker mode", () => {
  test("records the same as sync mode, and flush waits until it is written", async () => {
    const { directory, faults, recorder } = scratchRecorder({ mode: "worker" });

    for (const record of records) expect(recorder.append(record)).toBe(true);
    const flushed = await recorder.flush(10_000);
    const afterFlush = readBack(directory, "s1");
    const closed = await recorder.close(10_000);

    expect(recorder.mode).toBe("worker");
    expect([flushed, closed]).toEqual([
      { isDrained: true, lost: 0 },
      { isDrained: true, lost: 0 },
    ]);
    expect(afterFlush).toEqual({ lines: linesOf("s1"), problems: [] });
    expect(openJournal(directory).sessionState("s0")).toBe("closed");
    expect(openJournal(directory).sessionFiles("s0")[0]?.header?.mode).toBe("worker");
    expect(faults).toEqual([]);
  });

  test("of a payload that is no JSON keeps what is", async () => {
    const { directory, faults, recorder } = scratchRecorder({ mode: "worker" });

    recorder.append(event("w:1", { session_id: "s1", big: 1n }));
    await recorder.close(10_000);

    const [stored] = openJournal(directory).readSession("s1");
    expect(stored?.flags).toEqual(["unrecordable"]);
    expect(faults.map(({ code }) => code)).toEqual(["OBS_JOURNAL_UNRECORDABLE"]);
  });

  test("with a full queue loses and counts what does not fit, and the file says so", async () => {
    const { directory, faults, recorder } = scratchRecorder({
      mode: "worker",
      maxWorkerQueueBytes: 4096,
    });

    const results = records.map((record) => recorder.append(record));
    const lost = results.filter((isAccepted) => !isAccepted).length;
    await recorder.close(10_000);
    const gaps = ["s0", "s1"].flatMap((session) => [...readSession(directory, session).problems]);

    expect(lost).toBeGreaterThan(0);
    expect(recorder.stats).toEqual({ events: records.length - lost, lost });
    expect(gaps.every(({ kind }) => kind === "gap")).toBe(true);
    expect(gaps.reduce((sum, gap) => sum + (gap.lost ?? 0), 0)).toBe(lost);
    expect(faults.map(({ code, reason }) => `${code} ${reason}`)).toEqual([
      "OBS_JOURNAL_WORKER queue_full",
    ]);
  });

  test("keeps the process alive until its queue is empty, and not longer", () => {
    const directory = join(scratchFolder(), "journal");

    const result = runChild("worker-without-close.ts", [directory]);

    expect(result).toEqual({ accepted: 50 });
    expect(readBack(directory, "s1").lines).toHaveLength(50);
  });
});

describe("a writing thread that ends unasked", () => {
  test("is a fault, and what it may not have written is said, by session", async () => {
    const faults: JournalFault[] = [];
    const lost = await new Promise<ReadonlyMap<string, Loss>>((resolve) => {
      const client = new WorkerClient({
        // Without facts the thread cannot even begin.
        writer: { directory: scratchFolder() } as JournalWriterOptions,
        maxQueueBytes: 1_000_000,
        faults: new FaultReporter((fault) => faults.push(fault)),
        onDeath: resolve,
      });
      const options = { keepLegacyRawFields: false, now: () => 1 };
      for (const record of records.slice(0, 3)) client.append(makeEntry(record, [], options), 1);
    });

    expect(faults.map(({ code, reason }) => `${code} ${reason}`)).toEqual([
      "OBS_JOURNAL_WORKER worker_died",
    ]);
    expect(lost.get("s0")).toMatchObject({
      first: "w:0",
      last: "w:2",
      count: 2,
      reason: "worker_died",
    });
    expect(lost.get("s1")).toMatchObject({ first: "w:1", last: "w:1", count: 1 });
  });
});

describe("writes that turn slow", () => {
  test("move to the worker: the files go on in one chain, with a record of the change, and nothing is lost", async () => {
    const { directory, faults, recorder } = scratchRecorder({
      slowWrites: { slowWriteMs: 0, count: 20 },
    });

    const modes = records.map((record) => (recorder.append(record) ? recorder.mode : "lost"));
    await recorder.close(10_000);
    const [file] = openJournal(directory).sessionFiles("s1");
    const { heads, problems } = readFile(file?.path ?? "");

    expect(modes.indexOf("worker")).toBe(19);
    expect(modes.lastIndexOf("sync")).toBe(18);
    for (const session of ["s0", "s1"])
      expect(readBack(directory, session)).toEqual({ lines: linesOf(session), problems: [] });
    expect(problems).toEqual([]);
    expect(heads.find(({ state }) => state === "mode")).toMatchObject({
      k: "writer",
      mode: "worker",
      reason: "slow_writes",
    });
    expect(faults).toEqual([]);
  });
});

function readSession(
  directory: string,
  session: string,
): ReturnType<ReturnType<typeof openJournal>["readSession"]> {
  const reader = openJournal(directory).readSession(session);
  for (const _ of reader) void _;
  return reader;
}
