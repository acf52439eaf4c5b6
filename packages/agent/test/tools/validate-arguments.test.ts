import { expect, test } from "vitest";

import type { ParameterSchema } from "../../src/index.ts";
import { validateArguments } from "../../src/tools/validate-arguments.ts";

const schema: ParameterSchema = {
  type: "object",
  properties: {
    text: { type: "string", minLength: 2 },
    count: { type: "integer", minimum: 1, maximum: 3 },
    ratio: { type: "number" },
    isOn: { type: "boolean" },
    mode: { type: "string", enum: ["a", "b"] },
    list: { type: "array", items: { type: "string" } },
    any: { type: "array" },
    nested: { type: "object", properties: { deep: { type: "string" } }, required: ["deep"] },
  },
  required: ["text"],
  additionalProperties: false,
};

test.each([
  { text: "ok" },
  { text: "ok", count: 1 },
  {
    text: "ok",
    count: 3,
    ratio: 0.5,
    isOn: false,
    mode: "b",
    list: [],
    any: [1, "x"],
    nested: { deep: "x", more: 1 },
  },
])("%j fits", (args) => {
  expect(validateArguments(schema, args)).toEqual([]);
});

test.each([
  [{}, '"text": is required'],
  [{ text: "x" }, '"text": expected at least 2 characters'],
  [{ text: 1 }, '"text": expected string, got number'],
  [{ text: null }, '"text": expected string, got null'],
  [{ text: "ok", count: 0 }, '"count": expected at least 1'],
  [{ text: "ok", count: 4 }, '"count": expected at most 3'],
  [{ text: "ok", count: 1.5 }, '"count": expected integer, got number'],
  [{ text: "ok", ratio: Number.NaN }, '"ratio": expected number, got number'],
  [{ text: "ok", isOn: "yes" }, '"isOn": expected boolean, got string'],
  [{ text: "ok", mode: "c" }, '"mode": expected one of "a", "b"'],
  [{ text: "ok", list: ["x", 1] }, '"list[1]": expected string, got number'],
  [{ text: "ok", list: {} }, '"list": expected array, got object'],
  [{ text: "ok", nested: {} }, '"nested.deep": is required'],
  [{ text: "ok", nested: [] }, '"nested": expected object, got array'],
  [{ text: "ok", other: 1 }, '"other": is not a parameter'],
  [{ text: "ok", toString: 1 }, '"toString": is not a parameter'],
  [[], "the arguments: expected object, got array"],
])("%j does not fit: %s", (args, problem) => {
  expect(validateArguments(schema, args)).toEqual([problem]);
});

test("every problem is named at once", () => {
  expect(validateArguments(schema, { count: 9, more: 1 })).toHaveLength(3);
});
