import { describe, expect, test } from "vitest";
import { deepFreeze, isKnownFrozen, markFrozen } from "@hermes-observer/core";

describe("deepFreeze", () => {
  test("freezes every object below, lists included, and gives the value back", () => {
    const value = { a: { b: [{ c: 1 }] }, text: "x", none: null };

    expect(deepFreeze(value)).toBe(value);
    expect([value, value.a, value.a.b, value.a.b[0]].map((part) => Object.isFrozen(part))).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  test.each([[1], ["text"], [null], [undefined], [true]])("leaves %s alone", (value) => {
    expect(deepFreeze(value)).toBe(value);
  });

  test("takes cycles and 200,000 levels", () => {
    const cycle: { self?: object } = {};
    cycle.self = cycle;
    let deep: object = {};
    const bottom = deep;
    for (let level = 0; level < 200_000; level += 1) deep = { deep };

    deepFreeze(cycle);
    deepFreeze(deep);

    expect([Object.isFrozen(cycle), Object.isFrozen(bottom)]).toEqual([true, true]);
  });

  test("survives what cannot be frozen or looked at", () => {
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("no");
        },
      },
    );
    const value = {
      bytes: new Uint8Array(4),
      hostile,
      get bad() {
        throw new Error("no");
      },
      after: { x: 1 },
    };

    expect(() => deepFreeze(value)).not.toThrow();
    expect(Object.isFrozen(value)).toBe(true);
  });

  test("does not freeze what a prototype holds", () => {
    const shared = { list: [] };
    const value = Object.create({ shared }) as object;

    deepFreeze(value);

    expect(Object.isFrozen(shared)).toBe(false);
  });

  test("does not walk a tree that is known to be frozen", () => {
    const inner = { open: {} };
    markFrozen(inner);

    deepFreeze({ inner });

    expect([isKnownFrozen(inner), isKnownFrozen({}), Object.isFrozen(inner.open)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
