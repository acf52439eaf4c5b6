import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openJournal, verifyChain } from "../src/index.ts";
import { readBytes, readFile } from "./independent/reader.ts";
import { RecordLayout } from "./independent/writer.ts";
import { event, lineOf, readBack, scratchFolder, scratchRecorder, textOf } from "./scratch.ts";

const document = readFileSync(
  new URL("../../../docs/reference/journal-format.md", import.meta.url),
  "utf8",
);
const [example = "", wireForm = ""] = [...document.matchAll(/```jsonl\n([\s\S]*?)```/g)].map(
  (match) => match[1] ?? "",
);
const exampleName = /2026-12-01\/([0-9a-f-]+\.jsonl)/.exec(document)?.[1] ?? "";
const lastHash = /hash of its last record is `([^`]+)`/.exec(document)?.[1];

describe("the example of the format document", () => {
  test("has hashes that a reader made from the document confirms, and expands to the lines beside it", () => {
    const reading = readBytes(Buffer.from(example));

    expect(reading.lines.map((line) => `${line}\n`).join("")).toBe(wireForm);
    expect(reading.problems).toEqual(["withheld"]);
    expect(reading.lastHash).toBe(lastHash);
  });

  test("is made again to the byte by a writer made from the document", () => {
    const salt = (first: number): Buffer =>
      Buffer.from(Array.from({ length: 16 }, (_, index) => first * 16 + index));
    const bodies = [
      '"Is it warm? Été"',
      '[{"role":"user","content":{"$body":1}},{"role":"tool","content":"15"}]',
    ];
    const layout = new RecordLayout();

    layout.content(
      '{"k":"writer","state":"open","v":1,"session":"s1","writer":"w7f3k2","at":1796089200.5,"mode":"sync","salting":"random-16",' +
        '"pid":4711,"host":"example","boot":"6f1c0c8e-5a35-4c8e-9a53-0d9a3f3b7a11","pidns":"pid:[4026531836]","started":81234',
      '{"producer":{"name":"example-host","version":"1.0.0"}}',
      salt(0),
    );
    layout.content(
      `{"k":"body","n":1,"bytes":[${bodies.map((body) => Buffer.byteLength(body)).join(",")}]`,
      `[${bodies.join(",")}]`,
      salt(1),
    );
    layout.content(
      eventHead(1, "pre_api_request"),
      '{"session_id":"s1","request":{"messages":{"$body":2}}}',
      salt(2),
    );
    layout.content(
      eventHead(2, "pre_api_request"),
      '{"session_id":"s1","request":{"messages":[{"$items":2},{"role":"assistant","content":"Yes."}],"$$body":1}}',
      salt(3),
    );
    layout.plain(
      '{"k":"gap","at":1796089203.5,"first":"w7f3k2:3","last":"w7f3k2:4","count":2,"reason":"ENOSPC","since":1796089203.25',
    );
    layout.withheld(
      `${eventHead(5, "custom_hook")},"flags":["unknown_hook"],"dropped":["conversation_history"]`,
      '{"session_id":"s1","secret":"…"}',
      salt(4),
    );
    layout.plain('{"k":"writer","state":"closed","at":1796089206,"reason":"closed","events":3');

    expect(layout.text).toBe(example);
  });

  test("is read by this package: events, gap, withheld payload, header, state", () => {
    const directory = scratchFolder();
    mkdirSync(join(directory, "2026-12-01"));
    writeFileSync(join(directory, "2026-12-01", exampleName), example);
    const journal = openJournal(directory);
    const [file] = journal.sessionFiles("s1");

    const { lines, problems } = readBack(directory, "s1");

    expect(lines.map((line) => `${line}\n`).join("")).toBe(wireForm);
    expect(problems).toEqual(["gap", "withheld"]);
    expect(file?.header).toMatchObject({
      version: 1,
      sessionId: "s1",
      writer: "w7f3k2",
      producer: { name: "example-host", version: "1.0.0" },
    });
    expect(journal.sessionState("s1")).toBe("closed");
    expect(verifyChain(file?.path ?? "")).toMatchObject({
      records: 7,
      head: lastHash,
      problems: [],
    });
  });
});

describe("a reader made from the document", () => {
  test("reads what the recorder writes: bodies, lists, escapes, flags, gaps, ledger", async () => {
    const { directory, recorder } = scratchRecorder({ writer: "w1" });
    const history: unknown[] = [];
    const records = Array.from({ length: 40 }, (_, index) => {
      history.push({
        role: "user",
        content: textOf(50 + 40 * index, `m${index}`),
        $body: index,
        $$items: [{ $items: 3 }],
      });
      return event(
        `w:${index}`,
        { session_id: "s1", messages: structuredClone(history), note: '{"$body":1}' },
        index % 7 === 0 ? "own_hook" : "pre_api_request",
      );
    });

    for (const record of records) recorder.append(record);
    await recorder.close(1000);
    const [file] = openJournal(directory).sessionFiles("s1");
    const reading = readFile(file?.path ?? "");
    const ledger = readFile(join(directory, "ledger", "60c5590f72ee.jsonl"));

    expect(reading.lines).toEqual(records.map(lineOf));
    expect(reading.problems).toEqual([]);
    expect(reading.heads.find((head) => head["id"] === "w:7")).toMatchObject({
      flags: ["unknown_hook"],
    });
    expect(ledger.kinds).toEqual(["writer", "opened", "closed", "writer"]);
    expect(ledger.problems).toEqual([]);
    expect(ledger.heads[2]?.["head"]).toBe(reading.lastHash);
  });

  test("a payload that is withheld leaves the chain intact and is reported, by both readers", async () => {
    const { directory, recorder } = scratchRecorder();
    const records = [1, 2, 3].map((n) => event(`w:${n}`, { session_id: "s1", n }));

    for (const record of records) recorder.append(record);
    await recorder.close(1000);
    const [file] = openJournal(directory).sessionFiles("s1");
    const path = file?.path ?? "";
    const lines = readFileSync(path, "utf8").split("\n");
    lines[2] = (lines[2] ?? "").replace(/,"salt":.*$/, ',"withheld":true}');
    writeFileSync(path, lines.join("\n"));

    expect(readFile(path)).toMatchObject({
      lines: [0, 2].map((index) => lineOf(records[index] ?? records[0]!)),
      problems: ["withheld"],
    });
    expect(readBack(directory, "s1").problems).toEqual(["withheld"]);
  });
});

describe("versions and kinds to come", () => {
  test("unknown kinds and head fields are skipped and their chain is checked; a higher version and a tombstone are reported", () => {
    const directory = scratchFolder();
    const name = "e8bc163c82eee18733288c7d-b3eb53f44065.jsonl";
    const salt = Buffer.alloc(16, 1);
    const layout = new RecordLayout();
    mkdirSync(join(directory, "2026-12-01"));

    layout.content(
      '{"k":"writer","state":"open","v":2,"session":"s1","writer":"w","at":1',
      "{}",
      salt,
    );
    layout.plain('{"k":"weather","sky":["blue"]');
    layout.content(
      '{"k":"event","id":"w:1","at":1,"hook":"x","mood":"new"',
      '{"session_id":"s1"}',
      salt,
    );
    writeFileSync(join(directory, "2026-12-01", name), layout.text);
    const before = readBack(directory, "s1");
    layout.plain('{"k":"tombstone","at":2,"reason":"asked"');
    writeFileSync(join(directory, "2026-12-01", name), layout.text);
    const after = readBack(directory, "s1");

    expect(before).toEqual({
      lines: ['{"id":"w:1","at":1,"hook":"x","payload":{"session_id":"s1"}}'],
      problems: ["unknown_version", "unknown_kind"],
    });
    expect(after).toEqual({ lines: [], problems: ["erased"] });
  });
});

function eventHead(n: number, hook: string): string {
  return `{"k":"event","id":"w7f3k2:${n}","at":${1_796_089_200.5 + n},"hook":"${hook}"`;
}
