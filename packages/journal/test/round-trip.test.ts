import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EventRecord, Payload } from "@hermes-observer/core";
import { lineOf, event, readBack, scratchRecorder, textOf } from "./scratch.ts";

const awkwardTexts = [
  '{"$body":1}',
  '"$items":',
  '[{"$items":1},',
  ',"salt":"',
  ',"commit":"',
  '{"k":"event","id":"x"',
  "\\",
  '\\"',
  "\ud800",
  "\udc00\ud800",
  "\u2028\u0000\n\r\t",
  "日本語のテキスト",
  "🦜".repeat(90),
  textOf(255, "a"),
  textOf(256, "b"),
  textOf(3000, "c"),
  "é".repeat(128),
  "\u0001".repeat(43),
];
const keys = [
  "$body",
  "$$body",
  "$items",
  "$$$items",
  "$bodyx",
  "x$body",
  "__proto__",
  "",
  "k",
  "salt",
  "payload",
  "0",
  "role",
];
const text = fc.oneof(
  fc.constantFrom(...awkwardTexts),
  fc.string({ unit: "binary", maxLength: 40 }),
);
const json = fc.letrec<{ value: unknown; list: unknown[]; object: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    text,
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    tie("list"),
    tie("object"),
  ),
  list: fc.array(tie("value"), { maxLength: 8 }),
  object: fc
    .array(fc.tuple(fc.oneof(fc.constantFrom(...keys), text), tie("value")), { maxLength: 6 })
    .map(fromEntries),
}));

function fromEntries(entries: readonly (readonly [string, unknown])[]): Payload {
  const object: { [key: string]: unknown } = {};
  for (const [key, value] of entries) {
    Object.defineProperty(object, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return object;
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) deepFreeze(member);
    Object.freeze(value);
  }
  return value;
}

async function roundTrip(records: readonly EventRecord[]): Promise<void> {
  const { directory, faults, recorder } = scratchRecorder();
  for (const record of records) expect(recorder.append(record)).toBe(true);
  await recorder.close(1000);

  const sessions = new Map<string, string[]>();
  for (const record of records) {
    const id = String(record.payload["session_id"]);
    sessions.set(id, [...(sessions.get(id) ?? []), lineOf(record)]);
  }

  for (const [id, lines] of sessions) {
    expect(readBack(directory, id)).toEqual({ lines, problems: [] });
  }
  expect(faults).toEqual([]);
}

describe("recording and reading back", () => {
  test("any sequence of JSON payloads comes back as the exact text of JSON.stringify", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom("s1", "s2"), json.object as fc.Arbitrary<object>), {
          minLength: 1,
          maxLength: 8,
        }),
        fc.boolean(),
        async (payloads, isFrozen) => {
          const records = payloads.map(([session, members], index) => {
            const payload = fromEntries([
              ["session_id", session],
              ...Object.entries(members).filter(([key]) => key !== "session_id"),
            ]);
            return event(`w:${index}`, isFrozen ? deepFreeze(payload) : payload);
          });

          await roundTrip(records);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("histories that grow, shrink, are edited and lose their oldest messages come back unchanged", async () => {
    const message = fc.record({
      role: fc.constantFrom("user", "assistant", "tool"),
      content: text,
    });
    const step = fc.oneof(
      fc.record({
        kind: fc.constant("append"),
        messages: fc.array(message, { minLength: 1, maxLength: 4 }),
      }),
      fc.record({ kind: fc.constant("drop"), count: fc.nat(5) }),
      fc.record({ kind: fc.constant("cut"), count: fc.nat(5) }),
      fc.record({
        kind: fc.constant("edit"),
        at: fc.nat(20),
        messages: fc.array(message, { minLength: 1, maxLength: 1 }),
      }),
    );

    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async (steps) => {
        let history: unknown[] = [];
        const records = steps.map((change, index) => {
          if ("messages" in change && change.kind === "append")
            history = [...history, ...change.messages];
          else if (change.kind === "drop") history = history.slice(change.count);
          else if (change.kind === "cut")
            history = history.slice(0, Math.max(0, history.length - change.count));
          else if ("at" in change)
            history = history.map((old, at) => (at === change.at ? change.messages[0] : old));
          const request = structuredClone({
            messages: history,
            tools: [[...history], { nested: history }],
          });
          return event(`w:${index}`, deepFreeze({ session_id: "s1", request }));
        });

        await roundTrip(records);
      }),
      { numRuns: 150 },
    );
  });

  test("frozen parts that are shared between events by identity are stored once and read back", async () => {
    const tools = deepFreeze([
      { name: "grep", description: textOf(900, "d") },
      { name: "ls", schema: { text: textOf(400, "s") } },
    ]);
    const records = Array.from({ length: 5 }, (_, index) =>
      event(`w:${index}`, deepFreeze({ session_id: "s1", n: index, tools, again: { tools } })),
    );

    await roundTrip(records);
  });

  test("unfrozen parts that change between events are recorded as they were", async () => {
    const { directory, recorder } = scratchRecorder();
    const list = [{ text: textOf(300, "x") }];
    const payload = { session_id: "s1", list };
    const before = lineOf(event("w:1", payload));

    recorder.append(event("w:1", payload));
    list.push({ text: textOf(301, "y") });
    recorder.append(event("w:2", payload));

    expect(readBack(directory, "s1")).toEqual({
      lines: [before, lineOf(event("w:2", payload))],
      problems: [],
    });
  });

  test("ids, hooks and sessions may be any text", async () => {
    await fc.assert(
      fc.asyncProperty(text, text, text, async (id, hook, session) => {
        const { directory, recorder } = scratchRecorder();
        const record = { id, at: 1.5, hook, payload: { session_id: session, n: 1 } };

        recorder.append(record);
        await recorder.close(1000);

        expect(readBack(directory, session)).toEqual({ lines: [lineOf(record)], problems: [] });
      }),
      { numRuns: 100 },
    );
  });
});
