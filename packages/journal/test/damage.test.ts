import { appendFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EventRecord } from "@hermes-observer/core";
import { openJournal, verifyChain } from "../src/index.ts";
import { readFile } from "./independent/reader.ts";
import { event, lineOf, readBack, scratchRecorder, textOf } from "./scratch.ts";

interface Recorded {
  readonly directory: string;
  readonly path: string;
  readonly lines: readonly string[];
  readonly records: readonly EventRecord[];
  close(): Promise<unknown>;
}

/** A file with its first record, five events of which the third needs a body, and no last record. */
function record(): Recorded {
  const { directory, recorder } = scratchRecorder();
  const records = [1, 2, 3, 4, 5].map((n) =>
    event(`w:${n}`, {
      session_id: "s1",
      n,
      text: n === 3 ? textOf(300, "body") : `{"k":"event","id":"no ${n}"} tex{"`,
      inner: { k: "event" },
    }),
  );
  for (const one of records) recorder.append(one);
  const path = openJournal(directory).sessionFiles("s1")[0]?.path ?? "";
  return {
    directory,
    path,
    records,
    lines: readFileSync(path, "utf8").split("\n"),
    close: () => recorder.close(1000),
  };
}

function eventLine({ lines }: Recorded, n: number): number {
  return lines.findIndex((line) => line.startsWith(`{"k":"event","id":"w:${n}"`));
}

describe("JSONL damage (K50)", () => {
  test("a body record that lost or changed any byte never stops the reader, and what it passes on is JSON", async () => {
    const recorded = record();
    await recorded.close();
    const whole = readFileSync(recorded.path, "latin1");
    const start = whole.indexOf('{"k":"body"');
    const end = whole.indexOf("\n", start);
    for (let at = start; at < end; at += 3) {
      for (const change of ["", "7", '"']) {
        writeFileSync(recorded.path, whole.slice(0, at) + change + whole.slice(at + 1), "latin1");

        const { lines, problems } = readBack(recorded.directory, "s1");

        const isSame = whole[at] === change;
        expect([lines.length >= 4, isSame || problems.length > 0]).toEqual([true, true]);
        for (const line of lines) JSON.parse(line);
      }
    }
  });

  test("a record that was cut, with the next one on its line: the next one is found and the span is reported", () => {
    const recorded = record();
    const lines = [...recorded.lines];
    const at = eventLine(recorded, 2);
    const cut = (lines[at] ?? "").slice(0, -20);
    lines.splice(at, 2, cut + (lines[at + 1] ?? ""));
    writeFileSync(recorded.path, lines.join("\n"));

    const reader = openJournal(recorded.directory).readSession("s1");
    const ids = [...reader].map(({ id }) => id);

    expect(ids).toEqual(["w:1", "w:3", "w:4", "w:5"]);
    const offset = Buffer.byteLength(lines.slice(0, at).join("\n")) + 1;
    expect(reader.problems[0]).toMatchObject({ kind: "damaged", offset, bytes: cut.length });
    expect(readFile(recorded.path).lines).toHaveLength(4);
  });

  test("two records on one line are both read, and nothing is damaged", () => {
    const recorded = record();
    const lines = [...recorded.lines];
    lines.splice(1, 2, `${lines[1] ?? ""}${lines[2] ?? ""}`);
    writeFileSync(recorded.path, lines.join("\n"));

    expect(readBack(recorded.directory, "s1")).toEqual({
      lines: recorded.records.map(lineOf),
      problems: [],
    });
  });

  test("a run of NUL bytes before a record is reported with its place and length, and the record is read", () => {
    const recorded = record();
    const lines = [...recorded.lines];
    lines[2] = "\0".repeat(512) + (lines[2] ?? "");
    writeFileSync(recorded.path, lines.join("\n"));

    const reader = openJournal(recorded.directory).readSession("s1");

    expect([...reader.rawEvents()]).toEqual(recorded.records.map(lineOf));
    expect(reader.problems).toHaveLength(1);
    expect(reader.problems[0]).toMatchObject({
      kind: "damaged",
      bytes: 512,
      offset: Buffer.byteLength(lines.slice(0, 2).join("\n")) + 1,
    });
  });

  test("a file that ends anywhere within its last record has a torn tail and all events before it", () => {
    const recorded = record();
    const whole = readFileSync(recorded.path);
    const lastStart = whole.lastIndexOf(10, whole.length - 2) + 1;

    for (let size = lastStart + 1; size < whole.length - 1; size++) {
      writeFileSync(recorded.path, whole.subarray(0, size));
      expect(readBack(recorded.directory, "s1")).toEqual({
        lines: recorded.records.slice(0, 4).map(lineOf),
        problems: ["torn_tail"],
      });
    }
    truncateSync(recorded.path, lastStart);
    expect(readBack(recorded.directory, "s1").problems).toEqual([]);
    writeFileSync(recorded.path, whole.subarray(0, whole.length - 1));
    expect(readBack(recorded.directory, "s1")).toEqual({
      lines: recorded.records.map(lineOf),
      problems: [],
    });
  });

  test("damage of any kind never throws, never loops, and nothing is read that was not written without a report", async () => {
    const recorded = record();
    await recorded.close();
    const whole = readFileSync(recorded.path);
    const known = new Set(recorded.records.map(lineOf));

    fc.assert(
      fc.property(
        fc.nat(whole.length - 1),
        fc.nat(400),
        fc.uint8Array({ maxLength: 40 }),
        (at, removed, added) => {
          writeFileSync(
            recorded.path,
            Buffer.concat([whole.subarray(0, at), added, whole.subarray(at + removed)]),
          );
          const { lines, problems } = readBack(recorded.directory, "s1");

          if (problems.length === 0) expect(lines.filter((line) => !known.has(line))).toEqual([]);
          if (lines.length < 5) expect(problems.length + (removed > 0 ? 1 : 0)).toBeGreaterThan(0);
        },
      ),
      { numRuns: 400 },
    );
  });

  test("a line that is nothing but beginnings of records is given up in time", () => {
    const recorded = record();
    appendFileSync(recorded.path, `${'{"k":"event","a":['.repeat(200_000)}\n`);

    const { lines, problems } = readBack(recorded.directory, "s1");

    expect(lines).toHaveLength(5);
    expect(problems).toEqual(["damaged"]);
  });
});

describe("the chain", () => {
  test.each([
    [
      "a changed payload",
      (lines: string[]) => lines.map((line) => line.replace('"n":2', '"n":9')),
      ["content_mismatch"],
    ],
    [
      "a changed head",
      (lines: string[]) => lines.map((line) => line.replace('"id":"w:2"', '"id":"w:9"')),
      ["chain_break"],
    ],
    ["a removed record", (lines: string[]) => lines.toSpliced(2, 1), ["chain_break"]],
    [
      "two records that changed places",
      (lines: string[]) => lines.toSpliced(1, 2, lines[2] ?? "", lines[1] ?? ""),
      ["chain_break", "chain_break", "chain_break"],
    ],
    [
      "a record put in twice",
      (lines: string[]) => lines.toSpliced(2, 0, lines[1] ?? ""),
      ["chain_break"],
    ],
  ])("shows %s", (_, change, kinds) => {
    const recorded = record();
    writeFileSync(recorded.path, change([...recorded.lines]).join("\n"));

    const report = verifyChain(recorded.path);

    expect(report.problems.map(({ kind }) => kind)).toEqual(kinds);
    expect(report.firstProblem?.file).toBe(recorded.path);
  });

  test("does not show records that were cut off at the end, as the document says", () => {
    const recorded = record();
    writeFileSync(recorded.path, recorded.lines.slice(0, 3).join("\n") + "\n");

    expect(verifyChain(recorded.path)).toMatchObject({ records: 3, problems: [] });
  });
});
