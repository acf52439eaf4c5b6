import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openJournal } from "../src/index.ts";
import { RecordLayout } from "./independent/writer.ts";
import { event, readBack, scratchFolder, scratchRecorder, textOf } from "./scratch.ts";

const salt = Buffer.alloc(16, 7);
const fileName = "e8bc163c82eee18733288c7d-b3eb53f44065.jsonl";

function journalWith(layout: RecordLayout): string {
  const directory = scratchFolder();
  mkdirSync(join(directory, "2026-12-01"));
  writeFileSync(join(directory, "2026-12-01", fileName), layout.text);
  return directory;
}

function beginning(): RecordLayout {
  const layout = new RecordLayout();
  layout.content(
    '{"k":"writer","state":"open","v":1,"session":"s1","writer":"w","at":1,"mode":"sync","salting":"random-16","pid":1,"host":"elsewhere"',
    "{}",
    salt,
  );
  return layout;
}

describe("finding sessions", () => {
  test("by id, by a beginning that only one has, and not by one that several have", () => {
    const { directory, recorder } = scratchRecorder();
    for (const session of ["alpha-1", "alpha-2", "beta", "alpha"])
      recorder.append(event(`w:${session}`, { session_id: session }));
    const journal = openJournal(directory);

    expect(journal.findSession("alpha-1")).toMatchObject({
      kind: "found",
      summary: { sessionId: "alpha-1" },
    });
    expect(journal.findSession("alpha")).toMatchObject({
      kind: "found",
      summary: { sessionId: "alpha" },
    });
    expect(journal.findSession("be")).toMatchObject({
      kind: "found",
      summary: { sessionId: "beta" },
    });
    expect(journal.findSession("alpha-")).toMatchObject({
      kind: "ambiguous",
      sessionIds: expect.arrayContaining(["alpha-1", "alpha-2"]) as unknown,
    });
    expect(journal.findSession("gamma")).toEqual({ kind: "none" });
  });

  test("in a folder that is not there finds none, and reads no events", () => {
    const journal = openJournal(join(scratchFolder(), "nowhere"));

    expect([...journal.sessions()]).toEqual([]);
    expect([...journal.readSession("s1")]).toEqual([]);
    expect(journal.sessionState("s1")).toBe("unknown");
  });

  test("lists 2,000 sessions in less than a second, without reading their events", () => {
    const { directory, recorder } = scratchRecorder();
    for (let n = 0; n < 2000; n++)
      recorder.append(event(`w:${n}`, { session_id: `s${n}`, text: textOf(2000, `${n}`) }));

    const start = performance.now();
    const sessions = [...openJournal(directory).sessions()];

    expect(performance.now() - start).toBeLessThan(1000);
    expect(sessions).toHaveLength(2000);
    expect(sessions[0]).toMatchObject({ files: [{ header: { producer: { name: "test" } } }] });
  });

  test("whose first record is damaged keeps them listed by hash and readable by id", () => {
    const layout = beginning();
    layout.content('{"k":"event","id":"w:1","at":1,"hook":"x"', '{"session_id":"s1"}', salt);
    layout.text = `{"k":"wri${layout.text.slice(200)}`;
    const journal = openJournal(journalWith(layout));

    expect([...journal.sessions()]).toMatchObject([
      { sessionId: null, hash: "e8bc163c82eee18733288c7d" },
    ]);
    expect([...journal.readSession("s1")].map(({ id }) => id)).toEqual(["w:1"]);
  });
});

describe("reading", () => {
  test("several files merges them by time, then writer, and keeps the order within each", () => {
    const first = scratchRecorder({ writer: "a" });
    const second = scratchRecorder({ writer: "b", directory: first.directory });
    const add = ({ recorder }: typeof first, id: string, at: number): void => {
      recorder.append({ id, at, hook: "x", payload: { session_id: "s1" } });
    };
    add(first, "a:1", 10);
    add(second, "b:1", 10);
    add(first, "a:2", 5);
    add(second, "b:2", 11);
    add(first, "a:3", 30);
    add(second, "b:3", 20);

    const ids = [...openJournal(first.directory).readSession("s1")].map(({ id }) => id);

    expect(ids).toEqual(["a:1", "a:2", "b:1", "b:2", "b:3", "a:3"]);
  });

  test("a journal that is being written shows what is there, and its writer as alive", () => {
    const { directory, recorder } = scratchRecorder();
    recorder.append(event("w:1", { session_id: "s1" }));
    const journal = openJournal(directory);

    const before = readBack(directory, "s1").lines.length;
    recorder.append(event("w:2", { session_id: "s1" }));

    expect([before, readBack(directory, "s1").lines.length]).toEqual([1, 2]);
    expect(journal.sessionState("s1")).toBe(process.platform === "linux" ? "alive" : "unknown");
  });

  test("tells a writer on another machine from a dead one", () => {
    expect(openJournal(journalWith(beginning())).sessionState("s1")).toBe("unknown");
  });

  test("a session larger than the memory it may use streams: expanded histories are not held", () => {
    const { directory, recorder } = scratchRecorder();
    const history: unknown[] = [];
    for (let n = 0; n < 400; n++) {
      history.push({ role: "user", content: textOf(1500, `${n}`) });
      recorder.append(event(`w:${n}`, { session_id: "s1", messages: [...history] }));
    }
    let chars = 0;
    let most = 0;

    for (const line of openJournal(directory).readSession("s1").rawEvents()) {
      chars += line.length;
      most = Math.max(most, process.memoryUsage().rss);
    }

    expect(chars).toBeGreaterThan(100_000_000);
    expect(most).toBeLessThan(700 * 1024 * 1024);
  });
});

describe("a hostile file", () => {
  test.each([
    ["refers to a body that is not there", '{"a":{"$body":30000}}', "missing_body"],
    ["refers to itself in a circle", '{"a":{"$body":2}}', "missing_body"],
    ["doubles a body forty times", '{"a":{"$body":43}}', "too_large"],
    ["nests ten thousand references", '{"a":{"$body":10043}}', undefined],
    ["continues ten thousand lists", '{"a":{"$body":20044}}', undefined],
  ])("that %s is reported and does not stop the reader", (_, payload, kind) => {
    const layout = beginning();
    const body = (n: number, text: string): void => {
      layout.content(`{"k":"body","n":${n},"bytes":[${text.length}]`, `[${text}]`, salt);
    };
    body(1, `"${"x".repeat(1000)}"`);
    body(2, '{"$body":3}');
    body(3, '[{"$body":1},{"$body":2}]');
    body(4, '[{"$body":1},{"$body":1}]');
    for (let n = 5; n <= 43; n++) body(n, `[{"$body":${n - 1}},{"$body":${n - 1}}]`);
    body(44, "[]");
    for (let n = 45; n <= 10_043; n++) body(n, `{"$body":${n - 1}}`);
    body(10_044, "[0]");
    for (let n = 10_045; n <= 20_044; n++) body(n, `[{"$items":${n - 1}},${n}]`);
    layout.content('{"k":"event","id":"w:1","at":1,"hook":"x"', payload, salt);
    layout.content('{"k":"event","id":"w:2","at":1,"hook":"x"', '{"session_id":"s1"}', salt);

    const reader = openJournal(journalWith(layout), { maxPayloadChars: 1_000_000 }).readSession(
      "s1",
    );
    const ids = [...reader].map(({ id }) => id);

    expect(ids.at(-1)).toBe("w:2");
    if (kind !== undefined) expect(reader.problems).toMatchObject([{ kind, id: "w:1" }]);
  });
});
