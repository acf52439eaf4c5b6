import { statSync } from "node:fs";
import { Hooks, legacyRawFields as contractLegacyFields, type Plugin } from "@hermes-observer/core";
import { describe, expect, expectTypeOf, test } from "vitest";
import { openJournal } from "../src/index.ts";
import type { Recorder } from "../src/index.ts";
import { readFile } from "./independent/reader.ts";
import { legacyRawFields } from "../src/write/entry.ts";
import { event, lineOf, readBack, scratchRecorder, textOf } from "./scratch.ts";

function sizeOf(directory: string, session: string): number {
  return statSync(openJournal(directory).sessionFiles(session)[0]?.path ?? "").size;
}

describe("the recorder as a plugin", () => {
  test("records every hook of the dispatcher it is registered with, and ends its files when that is closed", async () => {
    const { directory, faults, recorder } = scratchRecorder();
    const hooks = new Hooks({ writer: "h" });
    hooks.register(recorder.plugin);

    hooks.emit("on_session_start", { session_id: "s1" } as never);
    hooks.emit("pre_tool_call", { session_id: "s1", tool_name: "ls", args: {} } as never);
    await hooks.close(1000);

    const events = [...openJournal(directory).readSession("s1")];
    expect(events.map(({ hook, id }) => [id, hook])).toEqual([
      ["h:1", "on_session_start"],
      ["h:2", "pre_tool_call"],
    ]);
    expect(events[0]?.payload["telemetry_schema_version"]).toBe("hermes.observer.v1");
    expect(openJournal(directory).sessionState("s1")).toBe("closed");
    expect(faults).toEqual([]);
  });

  test("is a plugin as the core package types it", () => {
    expectTypeOf<Recorder["plugin"]>().toExtend<Plugin>();
  });
});

describe("what is recorded", () => {
  test("leaves out the legacy raw fields and names them, unless they are asked for", () => {
    const payload = {
      session_id: "s1",
      assistant_message: { a: 1 },
      request_messages: [],
      conversation_history: [1],
      model: "m",
    };
    const plain = scratchRecorder();
    const keeping = scratchRecorder({ keepLegacyRawFields: true });

    plain.recorder.append(event("w:1", payload));
    keeping.recorder.append(event("w:1", payload));

    expect(legacyRawFields).toEqual(contractLegacyFields);
    const [stored] = openJournal(plain.directory).readSession("s1");
    expect(stored?.payload).toEqual({ session_id: "s1", model: "m" });
    expect(stored?.dropped).toEqual([
      "assistant_message",
      "request_messages",
      "conversation_history",
    ]);
    expect(readBack(keeping.directory, "s1").lines).toEqual([lineOf(event("w:1", payload))]);
  });

  test("flags hooks that the contract does not know", () => {
    const { directory, recorder } = scratchRecorder();

    recorder.append(event("w:1", { session_id: "s1" }, "pre_tool_call"));
    recorder.append(event("w:2", { session_id: "s1" }, "host_special"), ["id_conflict"]);

    expect([...openJournal(directory).readSession("s1")].map(({ flags }) => flags)).toEqual([
      [],
      ["id_conflict", "unknown_hook"],
    ]);
  });

  test("of a payload that is no JSON keeps what is, marks the rest, and reports it", () => {
    const { directory, faults, recorder } = scratchRecorder();
    const cyclic: Record<string, unknown> = {
      session_id: "s1",
      turn_id: "t",
      text: textOf(300, "x"),
    };
    cyclic["self"] = cyclic;
    cyclic["big"] = 1n;

    const isRecorded = recorder.append(event("w:1", cyclic));
    recorder.append(event("w:2", { session_id: "s1", text: textOf(300, "x") }));

    const [first, second] = openJournal(directory).readSession("s1");
    expect(isRecorded).toBe(true);
    expect(first?.flags).toEqual(["unrecordable"]);
    expect(first?.payload).toEqual({
      session_id: "s1",
      turn_id: "t",
      text: textOf(300, "x"),
      self: "[unrecordable: TypeError]",
      big: "[unrecordable: TypeError]",
    });
    expect(second?.payload["text"]).toBe(textOf(300, "x"));
    expect(faults.map(({ code }) => code)).toEqual(["OBS_JOURNAL_UNRECORDABLE"]);
  });

  test.each([
    [
      "a Proxy whose every trap throws",
      new Proxy({}, { get: hostile, ownKeys: hostile, getPrototypeOf: hostile }),
    ],
    [
      "a getter that throws",
      Object.defineProperty({}, "session_id", { get: hostile, enumerable: true }),
    ],
    ["nesting of 200,000 levels", deeplyNested()],
    ["null", null],
    ["a list", [1, 2]],
    ["a text", "payload"],
  ])("%s as payload is recorded as a marker and never thrown", (_, payload) => {
    const { directory, recorder } = scratchRecorder();

    const isRecorded = recorder.append(event("w:1", payload as never));

    const [stored] = openJournal(directory).readSession("");
    expect(isRecorded).toBe(true);
    expect(stored?.flags).toEqual(["unrecordable"]);
  });

  test("comes back whole when it is 50 MB in one text", () => {
    const { directory, recorder } = scratchRecorder();
    const record = event("w:1", { session_id: "s1", text: "0123456789".repeat(5_000_000) });

    recorder.append(record);
    recorder.append(event("w:2", { session_id: "s1" }));

    const { lines, problems } = readBack(directory, "s1");
    expect(lines[0] === lineOf(record)).toBe(true);
    expect(lines).toHaveLength(2);
    expect(problems).toEqual([]);
  });

  test("after close is nothing, with one fault; closing and flushing again does nothing", async () => {
    const { directory, faults, recorder } = scratchRecorder();
    recorder.append(event("w:1", { session_id: "s1" }));

    const reports = [
      await recorder.close(1000),
      await recorder.close(1000),
      await recorder.flush(1000),
    ];
    const before = sizeOf(directory, "s1");
    const late = [
      recorder.append(event("w:2", { session_id: "s1" })),
      recorder.append(event("w:3", { session_id: "s1" })),
    ];

    expect(reports).toEqual(Array.from({ length: 3 }, () => ({ isDrained: true, lost: 0 })));
    expect(late).toEqual([false, false]);
    expect(sizeOf(directory, "s1")).toBe(before);
    expect(faults.map(({ code }) => code)).toEqual(["OBS_JOURNAL_CLOSED"]);
    expect(recorder.stats).toEqual({ events: 1, lost: 2 });
  });

  test.each(["never", "interval", "always"] as const)(
    "with fsync %s reads back the same",
    async (fsync) => {
      const { directory, recorder } = scratchRecorder({ fsync, maxOpenFiles: 1 });

      for (let n = 0; n < 6; n++) recorder.append(event(`w:${n}`, { session_id: `s${n % 2}` }));
      await recorder.flush(1000);
      await recorder.close(1000);

      expect(readBack(directory, "s1").lines).toHaveLength(3);
    },
  );

  test("options that cannot be meant are refused at once", () => {
    expect(() => scratchRecorder({ maxOpenFiles: 0 })).toThrow(
      /`maxOpenFiles` must be 1 or more, not 0/,
    );
    expect(() => scratchRecorder({ maxOpenFiles: 1 })).not.toThrow();
    expect(() => scratchRecorder({ producer: { name: "n", version: 1n as never } })).toThrow(
      TypeError,
    );
  });
});

describe("what is stored once", () => {
  test("is a text of 256 bytes with its quotes, not one of 255, counted in UTF-8", () => {
    const bodiesOf = (text: string): number => {
      const { directory, recorder } = scratchRecorder();
      recorder.append(event("w:1", { session_id: "s1", text }));
      return readFile(openJournal(directory).sessionFiles("s1")[0]?.path ?? "").kinds.filter(
        (kind) => kind === "body",
      ).length;
    };

    expect(bodiesOf("a".repeat(253))).toBe(0);
    expect(bodiesOf("a".repeat(254))).toBe(1);
    expect(bodiesOf("é".repeat(126) + "a")).toBe(0);
    expect(bodiesOf("é".repeat(127))).toBe(1);
    expect(bodiesOf("語".repeat(84) + "a")).toBe(0);
    expect(bodiesOf("語".repeat(85))).toBe(1);
    expect(bodiesOf("\n".repeat(127))).toBe(1);
    expect(bodiesOf("\n".repeat(126))).toBe(0);
    expect(bodiesOf("\u0001".repeat(42))).toBe(0);
    expect(bodiesOf("\u0001".repeat(43))).toBe(1);
  });

  test("objects and lists whose stored text has 256 bytes are, too", () => {
    const { directory, recorder } = scratchRecorder();
    const schema = {
      name: "grep",
      parameters: Object.fromEntries(
        Array.from({ length: 20 }, (_, n) => [`option_${n}`, "string"]),
      ),
    };
    const numbers = Array.from({ length: 200 }, (_, n) => n);

    recorder.append(event("w:1", { session_id: "s1", schema, numbers }));
    const first = sizeOf(directory, "s1");
    recorder.append(
      event("w:2", { session_id: "s1", schema: structuredClone(schema), numbers: [...numbers] }),
    );

    expect(sizeOf(directory, "s1") - first).toBeLessThan(400);
  });

  test("a history that grows by one message costs what is new in it, however long it is", () => {
    const { directory, recorder } = scratchRecorder();
    const history: { role: string; content: string }[] = [];
    const costs: number[] = [];

    for (let n = 0; n < 300; n++) {
      history.push({
        role: n % 2 === 0 ? "user" : "assistant",
        content: textOf(n % 3 === 0 ? 600 : 100, `m${n}`),
      });
      const before = n === 0 ? 0 : sizeOf(directory, "s1");
      recorder.append(
        event(
          `w:${n}`,
          { session_id: "s1", request: { messages: structuredClone(history) } },
          "pre_api_request",
        ),
      );
      costs.push(sizeOf(directory, "s1") - before);
    }

    const average = (from: number, to: number): number =>
      costs.slice(from, to).reduce((sum, cost) => sum + cost, 0) / (to - from);
    expect(average(200, 300)).toBeLessThan(1.1 * average(20, 120));
    expect(readBack(directory, "s1").problems).toEqual([]);
  });

  test("what is remembered to recognise it is bounded, and forgetting costs bytes only", () => {
    const { directory, recorder } = scratchRecorder({ dedupeChars: 20_000 });
    const records = Array.from({ length: 60 }, (_, n) =>
      event(`w:${n}`, { session_id: `s${n % 3}`, text: textOf(900, `${n % 20}`) }),
    );

    for (const record of records) recorder.append(record);

    for (const session of ["s0", "s1", "s2"]) {
      const lines = records.filter(({ payload }) => payload["session_id"] === session).map(lineOf);
      expect(readBack(directory, session)).toEqual({ lines, problems: [] });
    }
  });
});

function hostile(): never {
  throw new Error("hostile");
}

function deeplyNested(): object {
  let nested: object = {};
  for (let level = 0; level < 200_000; level++) nested = { nested };
  return nested;
}
