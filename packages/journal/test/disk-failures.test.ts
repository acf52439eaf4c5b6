import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openJournal } from "../src/index.ts";
import { FaultReporter, type JournalFault } from "../src/recorder-fault.ts";
import { nodeFileCalls, type FileCalls } from "../src/write/chained-file.ts";
import { makeEntry } from "../src/write/entry.ts";
import { JournalWriter } from "../src/write/journal-writer.ts";
import { readFile } from "./independent/reader.ts";
import { runChild } from "./run-child.ts";
import { event, lineOf, readBack, scratchFolder, scratchRecorder, textOf } from "./scratch.ts";

/** A writer whose n-th write to a session file behaves as `failures` says: bytes to take before failing. */
function failingWriter(
  failures: { readonly [write: number]: number },
  calls: Partial<FileCalls> = {},
): {
  readonly directory: string;
  readonly faults: JournalFault[];
  append(n: number): boolean;
  close(): void;
} {
  const directory = join(scratchFolder(), "journal");
  const faults: JournalFault[] = [];
  const noSpace = (): Error =>
    Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  let writes = 0;
  let sessionBytes: Buffer = Buffer.alloc(0);
  const write: FileCalls["write"] = (fd, bytes, offset, length) => {
    // The ledger has a buffer of its own; its writes succeed.
    if (bytes.toString("latin1", 0, 60).includes('"session":')) sessionBytes = bytes;
    if (bytes !== sessionBytes) return nodeFileCalls.write(fd, bytes, offset, length);
    if (offset > 0) throw noSpace();
    const taken = failures[++writes];
    if (taken === 0) throw noSpace();
    return nodeFileCalls.write(
      fd,
      bytes,
      offset,
      Math.min(taken ?? length, length - (taken === undefined ? 0 : 1)),
    );
  };
  const writer = new JournalWriter(
    {
      directory,
      fsync: "never",
      facts: {
        writer: "w",
        identity: { pid: 1, host: "h" },
        producer: { name: "p", version: "1" },
        mode: "sync",
      },
      limits: { maxOpenFiles: 4, maxSessions: 10, dedupeChars: 1_000_000 },
    },
    new FaultReporter((fault) => faults.push(fault)),
    { ...nodeFileCalls, write, ...calls },
  );
  const options = { keepLegacyRawFields: false, now: () => 1 };
  return {
    directory,
    faults,
    append: (n) => writer.append(makeEntry(numbered(n), [], options), n),
    close: () => writer.close(1, Number.POSITIVE_INFINITY),
  };
}

function numbered(n: number): ReturnType<typeof event> {
  return event(`w:${n}`, {
    session_id: "s1",
    n,
    text: textOf(600, "the same"),
    more: textOf(300, `${n}`),
  });
}

describe("a write that fails (K52)", () => {
  test("for want of space loses that event, says so once, and leaves a gap record when writing works again", () => {
    const writer = failingWriter({ 3: 0, 4: 0 });

    const results = [1, 2, 3, 4, 5, 6].map((n) => writer.append(n));
    const [file] = openJournal(writer.directory).sessionFiles("s1");

    expect(results).toEqual([true, true, false, false, true, true]);
    expect(readBack(writer.directory, "s1")).toEqual({
      lines: [1, 2, 5, 6].map((n) => lineOf(numbered(n))),
      problems: ["gap"],
    });
    expect(readFile(file?.path ?? "").heads.find(({ k }) => k === "gap")).toMatchObject({
      first: "w:3",
      last: "w:4",
      count: 2,
      reason: "ENOSPC",
      since: 3,
      at: 5,
    });
    expect(writer.faults.map(({ code, reason }) => [code, reason])).toEqual([
      ["OBS_JOURNAL_WRITE", "ENOSPC"],
    ]);
    const ledger = readFileSync(join(writer.directory, "ledger", "50e721e49c01.jsonl"), "utf8");
    expect(ledger).toContain('"first":"w:3","last":"w:4","count":2,"reason":"ENOSPC"');
  });

  test("in the middle is undone: no partial line stays, and no body of it is referred to", () => {
    const writer = failingWriter({ 2: 450 });

    const results = [1, 2, 3].map((n) => writer.append(n));

    expect(results).toEqual([true, false, true]);
    expect(readBack(writer.directory, "s1")).toEqual({
      lines: [1, 3].map((n) => lineOf(numbered(n))),
      problems: ["gap"],
    });
  });

  test("in the middle and cannot be undone leaves one damaged span, no merged line, and an unbroken chain", () => {
    const truncate = (): never => {
      throw Object.assign(new Error("not permitted"), { code: "EPERM" });
    };
    const writer = failingWriter({ 2: 450, 4: 500 }, { truncate });

    const results = [1, 2, 3, 4, 5].map((n) => writer.append(n));
    const problems = [...readBack(writer.directory, "s1").problems];

    expect(results).toEqual([true, false, true, false, true]);
    expect(readBack(writer.directory, "s1").lines).toEqual(
      [1, 3, 5].map((n) => lineOf(numbered(n))),
    );
    expect(problems).toEqual(["damaged", "gap", "damaged", "gap"]);
  });

  test("anywhere in the first records and cannot be undone never breaks the chain or says anything twice", () => {
    const truncate = (): never => {
      throw Object.assign(new Error("not permitted"), { code: "EPERM" });
    };

    for (let taken = 1; taken < 2600; taken += 13) {
      const writer = failingWriter({ 1: 0, 2: taken, 3: taken }, { truncate });
      const written = [1, 2, 3, 4, 5].filter((n) => writer.append(n));
      const [file] = openJournal(writer.directory).sessionFiles("s1");
      const { kinds } = readFile(file?.path ?? "");
      const { lines, problems } = readBack(writer.directory, "s1");

      expect(lines).toEqual(written.map((n) => lineOf(numbered(n))));
      expect(problems.filter((kind) => kind !== "gap" && kind !== "damaged")).toEqual([]);
      expect(kinds.filter((kind) => kind === "writer")).toHaveLength(1);
    }
  });

  test("until the end is in the ledger, when that can be written", () => {
    const writer = failingWriter({ 2: 0, 3: 0, 4: 0, 5: 0 });

    for (const n of [1, 2, 3]) writer.append(n);
    writer.close();

    expect(readBack(writer.directory, "s1")).toEqual({
      lines: [lineOf(numbered(1))],
      problems: ["gap"],
    });
    expect(openJournal(writer.directory).sessionState("s1")).not.toBe("closed");
    expect(readFileSync(join(writer.directory, "ledger", "50e721e49c01.jsonl"), "utf8")).toContain(
      '"first":"w:2","last":"w:3"',
    );
  });

  test("that takes fewer bytes than asked is continued to the end", () => {
    const directory = scratchFolder();
    const calls: FileCalls = {
      ...nodeFileCalls,
      write: (fd, bytes, offset, length) =>
        nodeFileCalls.write(fd, bytes, offset, Math.min(length, 100)),
    };
    const writer = new JournalWriter(
      {
        directory,
        fsync: "always",
        facts: {
          writer: "w",
          identity: { pid: 1, host: "h" },
          producer: { name: "p", version: "1" },
          mode: "sync",
        },
        limits: { maxOpenFiles: 4, maxSessions: 10, dedupeChars: 1e6 },
      },
      new FaultReporter(undefined),
      calls,
    );

    writer.append(makeEntry(numbered(1), [], { keepLegacyRawFields: false, now: () => 1 }), 1);

    expect(readBack(directory, "s1")).toEqual({ lines: [lineOf(numbered(1))], problems: [] });
  });
});

describe("a folder that cannot be used", () => {
  test("is a fault, and a gap once it can be", async () => {
    const { directory, faults, recorder } = scratchRecorder();
    writeFileSync(directory, "a file stands where the journal should be");

    const lost = [recorder.append(numbered(1)), recorder.append(numbered(2))];
    const report = await recorder.flush(100);
    rmSync(directory);
    mkdirSync(directory);
    const written = recorder.append(numbered(3));

    expect(lost).toEqual([false, false]);
    expect(report).toEqual({ isDrained: false, lost: 2 });
    expect(written).toBe(true);
    expect(readBack(directory, "s1")).toEqual({ lines: [lineOf(numbered(3))], problems: ["gap"] });
    expect(faults.map(({ reason }) => reason)).toEqual(["ENOTDIR"]);
  });

  test("leaves its gap at close when no event comes any more", async () => {
    const { directory, recorder } = scratchRecorder();
    writeFileSync(directory, "");

    recorder.append(numbered(1));
    rmSync(directory);
    const report = await recorder.close(1000);

    expect(report).toEqual({ isDrained: true, lost: 1 });
    expect(readBack(directory, "s1")).toEqual({ lines: [], problems: ["gap"] });
  });
});

describe.runIf(process.platform === "linux")("limits of the system, for real", () => {
  test("a file that may not grow: short write undone, losses counted, no merged line, gap once it may grow again", () => {
    const directory = join(scratchFolder(), "journal");

    const result = runChild("file-size-limit.ts", [directory], "ulimit -S -f 60") as {
      readonly written: string[];
      readonly lost: string[];
      readonly faults: string[];
    };
    const reader = openJournal(directory).readSession("s1");
    const ids = [...reader].map(({ id }) => id);

    expect(result.faults).toEqual(["OBS_JOURNAL_WRITE EFBIG"]);
    expect(result.written.length).toBeGreaterThan(5);
    expect(ids).toEqual(result.written);
    expect(reader.problems.map(({ kind, lost }) => [kind, lost])).toEqual([
      ["gap", result.lost.length],
    ]);
  });

  test("no descriptor left: events are lost with one message, and recording goes on when there is one", () => {
    const directory = join(scratchFolder(), "journal");

    const result = runChild("descriptor-limit.ts", [directory], "ulimit -n 64");

    expect(result).toEqual({
      whileFull: [false, false, false],
      afterwards: [true],
      faults: ["OBS_JOURNAL_WRITE EMFILE"],
    });
    expect(readBack(directory, "s1").problems).toEqual(["gap"]);
  });
});
