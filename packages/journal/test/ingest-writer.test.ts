import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { EventRecord } from "@hermes-observer/core";
import {
  createIngestWriter,
  openJournal,
  type IngestWriter,
  type IngestWriterOptions,
} from "../src/index.ts";
import { event, lineOf, readBack, scratchFolder, textOf } from "./scratch.ts";

function ingestInto(directory: string, options: Partial<IngestWriterOptions> = {}): IngestWriter {
  return createIngestWriter({ directory, producer: { name: "ingest", version: "1" }, ...options });
}

function appendAll(writer: IngestWriter, records: readonly EventRecord[]): readonly string[] {
  return records.map((record) => writer.append(record));
}

const history = Array.from({ length: 30 }, (_, n) => ({
  role: "user",
  content: textOf(400, `${n}`),
}));
const records = Array.from({ length: 30 }, (_, n) =>
  event(`x:${n}`, { session_id: `s${n % 3}`, n, messages: history.slice(0, n) }),
);

describe("events that come more than once (K66)", () => {
  test("with the same id and bytes are stored once, in one run and in another", async () => {
    const directory = join(scratchFolder(), "journal");
    const first = ingestInto(directory);
    const once = appendAll(first, records);
    const twice = appendAll(first, structuredClone(records));
    await first.close(1000);
    const second = ingestInto(directory, { maxKnownIds: 5 });

    const later = appendAll(second, structuredClone(records));
    await second.close(1000);

    expect(new Set(once)).toEqual(new Set(["stored"]));
    expect(new Set([...twice, ...later])).toEqual(new Set(["duplicate"]));
    expect(second.counts).toEqual({ stored: 0, duplicate: 30, conflict: 0, lost: 0 });
    expect(readBack(directory, "s1").lines).toEqual(
      records.filter((_, n) => n % 3 === 1).map(lineOf),
    );
    expect(openJournal(directory).sessionFiles("s1")).toHaveLength(1);
  });

  test("with the same id and other bytes are all stored, and the later ones flagged; each of them once", async () => {
    const directory = join(scratchFolder(), "journal");
    const original = event("call_0", { session_id: "s1", result: "from the replayed history" });
    const others = [
      event("call_0", { session_id: "s1", result: "genuine and new" }),
      event("call_0", { session_id: "s1", result: "from the replayed history" }, "pre_tool_call"),
      { ...original, at: original.at + 1 },
    ];
    const first = ingestInto(directory);

    const results = appendAll(first, [original, ...others, ...others, original]);
    await first.close(1000);
    const second = ingestInto(directory);
    const again = appendAll(second, [original, ...others]);

    expect(results).toEqual([
      "stored",
      "conflict",
      "conflict",
      "conflict",
      "duplicate",
      "duplicate",
      "duplicate",
      "duplicate",
    ]);
    expect(again).toEqual(Array.from({ length: 4 }, () => "duplicate"));
    expect([...openJournal(directory).readSession("s1")].map(({ flags }) => flags)).toEqual([
      [],
      ["id_conflict"],
      ["id_conflict"],
      ["id_conflict"],
    ]);
  });

  test("without a time of their own are compared without it", () => {
    const writer = ingestInto(join(scratchFolder(), "journal"));
    const record = event("x:1", { session_id: "s1" });

    const results = [
      writer.append(record, true),
      writer.append({ ...record, at: 99 }, true),
      writer.append({ ...record, at: 99 }, false),
    ];

    expect(results).toEqual(["stored", "duplicate", "conflict"]);
  });

  test("in another session are another event", () => {
    const writer = ingestInto(join(scratchFolder(), "journal"));

    const results = ["s1", "s2", ""].map((session) =>
      writer.append(event("x:1", { session_id: session })),
    );

    expect(results).toEqual(["stored", "stored", "stored"]);
  });

  test("and are not JSON are stored with a marker", () => {
    const writer = ingestInto(join(scratchFolder(), "journal"));

    expect(writer.append(event("x:1", { session_id: "s1", big: 1n }))).toBe("stored");
  });
});

test("what was read from one journal and ingested into an empty one gives the same lines", async () => {
  const source = join(scratchFolder(), "journal");
  const writer = ingestInto(source);
  appendAll(writer, records);
  await writer.close(1000);
  const copy = join(scratchFolder(), "journal");
  const copying = ingestInto(copy);

  for (const session of ["s0", "s1", "s2"]) {
    for (const line of openJournal(source).readSession(session).rawEvents())
      copying.append(JSON.parse(line) as EventRecord);
  }
  await copying.close(1000);

  for (const session of ["s0", "s1", "s2"])
    expect(readBack(copy, session)).toEqual(readBack(source, session));
});
