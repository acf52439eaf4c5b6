import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { isKnownFrozen } from "../../src/frozen.ts";
import { createSanitizer, sanitize } from "../../src/sanitize/index.ts";

test("values that JSON does not have are written in a form of their own", () => {
  const circle: Record<string, unknown> = { name: "c" };
  circle["self"] = circle;

  const result = sanitize({
    big: 9007199254740993n,
    huge: 10n ** 2_000n,
    date: new Date(0),
    noDate: new Date(Number.NaN),
    map: new Map<unknown, unknown>([
      [1n, { a: 1 }],
      ["k", 2],
      [{}, 3],
      [() => 1, 4],
      [null, 5],
    ]),
    set: new Set([1, "a"]),
    buffer: Buffer.alloc(10),
    floats: new Float32Array(4),
    view: new DataView(new ArrayBuffer(3)),
    raw: new ArrayBuffer(5),
    shared: new SharedArrayBuffer(6),
    blob: new Blob(["abcd"]),
    file: new File(["abcde"], "name.txt"),
    numbers: [Number.NaN, Infinity, -Infinity, -0],
    fn: () => 1,
    symbol: Symbol("s"),
    pattern: /a+/gu,
    boxed: [Object("s"), Object(1), Object(true), Object(2n), Object(Symbol("q"))],
    url: new URL("https://x.test/?q=1"),
    headers: new Headers({ Authorization: "x", Accept: "y" }),
    query: new URLSearchParams("a=1&token=t"),
    promise: Promise.resolve(1),
    empty: new (class Empty {})(),
    properties: { password: new Date(0) },
    nothing: undefined,
    holes: [undefined, , 1], // eslint-disable-line no-sparse-arrays
    circle,
    bare: Object.assign(Object.create(null) as object, { a: 1 }),
  });

  expect(result).toEqual({
    big: "9007199254740993",
    huge: "<bigint of more than 1000 digits>",
    date: "1970-01-01T00:00:00.000Z",
    noDate: "<invalid date>",
    map: { "1": { a: 1 }, k: 2, "<object>": 3, "<function>": 4, null: 5 },
    set: [1, "a"],
    buffer: "<10 bytes>",
    floats: "<16 bytes>",
    view: "<3 bytes>",
    raw: "<5 bytes>",
    shared: "<6 bytes>",
    blob: "<4 bytes>",
    file: "<5 bytes>",
    numbers: ["NaN", "Infinity", "-Infinity", 0],
    fn: "<function>",
    symbol: "<symbol s>",
    pattern: "/a+/gu",
    boxed: ["s", 1, true, "2", "<symbol q>"],
    url: "https://x.test/?q=1",
    headers: { accept: "y", authorization: "<redacted>" },
    query: { a: "1", token: "<redacted>" },
    promise: "<Promise>",
    empty: {},
    properties: { password: "<redacted>" },
    holes: [null, null, 1],
    circle: { name: "c", self: "<cycle>" },
    bare: { a: 1 },
  });
});

test("the root may be any value", () => {
  expect(sanitize(undefined)).toBe(null);
  expect(sanitize("x")).toBe("x");
  expect(sanitize(1n)).toBe("1");
  expect(sanitize(null)).toBe(null);
  expect(sanitize([])).toEqual([]);
  expect(sanitize(new Date(0))).toBe("1970-01-01T00:00:00.000Z");
});

test("an error keeps name, message, cause and its own fields, and its stack only when asked for", () => {
  const cause = Object.assign(new Error("inner"), {
    config: { url: "https://api.test/?api_key=abc&x=1" },
  });
  const error = Object.assign(new TypeError("outer", { cause }), { code: "E1" });

  expect(sanitize(error)).toEqual({
    name: "TypeError",
    message: "outer",
    cause: {
      name: "Error",
      message: "inner",
      config: { url: "https://api.test/?api_key=<redacted>&x=1" },
    },
    code: "E1",
  });
  expect(sanitize(new AggregateError([new Error("a")], "all"))).toEqual({
    name: "AggregateError",
    message: "all",
    errors: [{ name: "Error", message: "a" }],
  });
  const shown = Object.defineProperty(new Error("x"), "stack", { value: "s", enumerable: true });
  expect(sanitize(shown)).toEqual({ name: "Error", message: "x" });
  expect(sanitize(new Error("x"), { errorStack: true })).toMatchObject({
    stack: expect.stringContaining("Error: x") as string,
  });
  expect(sanitize(new DOMException("gone", "AbortError"))).toMatchObject({
    name: "AbortError",
    message: "gone",
  });
});

test("objects of another realm are seen for what they are", () => {
  const foreign: unknown = runInNewContext(
    "({ date: new Date(0), map: new Map([['a', 1]]), error: new RangeError('r'), list: [1], plain: { b: 2 } })",
  );

  expect(sanitize(foreign)).toEqual({
    date: "1970-01-01T00:00:00.000Z",
    map: { a: 1 },
    error: { name: "RangeError", message: "r" },
    list: [1],
    plain: { b: 2 },
  });
});

test("toJSON is called at most once and its result is not trusted", () => {
  let calls = 0;
  class Message {
    readonly #text = "hidden";
    toJSON(): unknown {
      calls += 1;
      return { text: this.#text, password: "p", big: 1n, toJSON: () => "again" };
    }
  }
  const self = {
    a: 1,
    toJSON(): unknown {
      return this;
    },
  };
  const inner: Record<string, unknown> = { b: 2 };
  inner["up"] = { toJSON: () => inner };

  expect(sanitize(new Message())).toEqual({
    text: "hidden",
    password: "<redacted>",
    big: "1",
    toJSON: "<function>",
  });
  expect(calls).toBe(1);
  expect(sanitize(self)).toEqual({ a: 1, toJSON: "<function>" });
  expect(sanitize(inner)).toEqual({ b: 2, up: "<cycle>" });
  expect(sanitize({ toJSON: () => [1, [2]] })).toEqual([1, [2]]);
  expect(sanitize({ toJSON: () => 5 })).toBe(5);
  expect(sanitize({ toJSON: () => new Map([["a", 1]]) })).toEqual({ a: 1 });
  expect(
    sanitize({
      c: 3,
      toJSON() {
        throw new Error("no");
      },
    }),
  ).toEqual({ c: 3, toJSON: "<function>" });
  expect(sanitize({ toJSON: "text" })).toEqual({ toJSON: "text" });
});

test("one field that throws does not take the others along, and getters are called once", () => {
  let calls = 0;
  const value = {
    ok1: 1,
    get bad(): unknown {
      throw null;
    },
    get good() {
      calls += 1;
      return 5;
    },
    ok2: 2,
  };
  const list: unknown[] = [1, 2, 3];
  Object.defineProperty(list, 2, {
    enumerable: true,
    get() {
      calls += 1;
      return "last";
    },
  });

  expect(sanitize(value)).toEqual({ ok1: 1, bad: "<unreadable>", good: 5, ok2: 2 });
  expect(sanitize(list)).toEqual([1, 2, "last"]);
  expect(calls).toBe(2);
});

test("a getter named toJSON is read once, as a field", () => {
  let calls = 0;
  class Tricky {
    declare readonly toJSON: unknown;
  }
  const value = new Tricky();
  Object.defineProperty(value, "toJSON", {
    enumerable: true,
    get() {
      calls += 1;
      return () => "x";
    },
  });
  class Throwing {
    readonly a = 1;
    get toJSON(): unknown {
      throw new Error("no");
    }
  }

  expect(sanitize(value)).toEqual({ toJSON: "<function>" });
  expect(calls).toBe(1);
  expect(sanitize(new Throwing())).toEqual({ a: 1 });
});

test("hostile objects give a marker or what can be read of them", () => {
  const fail = (): never => {
    throw new Error("trap");
  };
  const { proxy: revoked, revoke } = Proxy.revocable({}, {});
  revoke();
  const tagged = {
    a: 1,
    get [Symbol.toStringTag](): string {
      return fail();
    },
  };

  expect(sanitize(new Proxy({}, { ownKeys: fail }))).toBe("<unreadable>");
  expect(sanitize(new Proxy({ a: 1 }, { getPrototypeOf: fail }))).toEqual({ a: 1 });
  expect(sanitize(new Proxy({ a: 1 }, { get: fail }))).toEqual({ a: "<unreadable>" });
  expect(sanitize(new Proxy({ a: 1 }, { getOwnPropertyDescriptor: fail }))).toBe("<unreadable>");
  expect(
    sanitize(
      Object.assign(Object.create(new Proxy({}, { getPrototypeOf: fail, get: fail })) as object, {
        a: 1,
      }),
    ),
  ).toEqual({ a: 1 });
  expect(sanitize(revoked)).toBe("<unreadable>");
  expect(sanitize([revoked, 1])).toEqual(["<unreadable>", 1]);
  expect(sanitize(tagged)).toEqual({ a: 1 });
  expect(
    sanitize(
      new Proxy([1, 2], {
        get: (target, key) => (key === "length" ? "x" : (Reflect.get(target, key) as unknown)),
      }),
    ),
  ).toEqual([]);
  expect(sanitize([1, new Proxy({ a: 1 }, { has: fail })])).toEqual([1, { a: 1 }]);
  expect(sanitize({ [Symbol.toStringTag]: "Map", a: 1 })).toEqual({ a: 1 });
  expect(sanitize(Object.create({ [Symbol.toStringTag]: "Date" }))).toBe("<Date>");
  expect(sanitize(Object.create({ [Symbol.toStringTag]: "ghp_" + "a".repeat(36) }))).toBe(
    "<<redacted:github>>",
  );
});

test("a getter that makes a new object each time comes to an end", () => {
  const make = (): object => ({
    get again() {
      return make();
    },
    get more() {
      return make();
    },
  });

  const text = JSON.stringify(sanitize(make(), { limits: { nodes: 1_000 } }));

  expect(text).toContain("<truncated: 2 keys>");
});

test("a module that is not evaluated yet is shown without throwing", () => {
  const notYet = new Proxy(Object.freeze(Object.create(null) as object), {
    ownKeys: () => ["late"],
    getOwnPropertyDescriptor: () => {
      throw new ReferenceError("Cannot access 'late' before initialization");
    },
  });

  expect(sanitize({ module: notYet })).toEqual({ module: "<unreadable>" });
});

test("special keys stay, as data of the object itself", () => {
  const text =
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"p2":1}},"hasOwnProperty":1,"toString":"x","length":-1}';
  const sanitizer = createSanitizer();

  const first = sanitizer.sanitize(JSON.parse(text));
  const second = sanitizer.sanitize(JSON.parse(text));

  expect(JSON.stringify(first)).toBe(text);
  expect(second).toBe(first);
  expect(JSON.stringify(sanitizer.sanitize(JSON.parse(text.replace("-1", "-2"))))).toBe(
    text.replace("-1", "-2"),
  );
  expect(({} as Record<string, unknown>)["polluted"]).toBe(undefined);
  expect(({} as Record<string, unknown>)["p2"]).toBe(undefined);
});

test("text is made well-formed, keys too", () => {
  const sanitizer = createSanitizer();

  expect(sanitizer.sanitize({ "\uD800k": "a\uDC00", short: "\uD800" })).toEqual({
    "\uFFFDk": "a\uFFFD",
    short: "\uFFFD",
  });
  expect(sanitizer.sanitizeText("\u{1F600}")).toBe("\u{1F600}");
  expect(sanitizer.report.converted.unicode).toBe(3);
});

test("a shared object is copied at each place, and the input is never changed", () => {
  const shared = { password: "p", list: [1] };
  const value = { a: shared, b: shared, frozen: Object.freeze({ c: 1 }) };
  const before = JSON.stringify(value);

  const result = sanitize(value);

  expect(result).toEqual({
    a: { password: "<redacted>", list: [1] },
    b: { password: "<redacted>", list: [1] },
    frozen: { c: 1 },
  });
  expect(JSON.stringify(value)).toBe(before);
});

test("the result is frozen all the way down and known to be", () => {
  const result = sanitize({ a: [{ b: 1 }] }) as { a: readonly object[] };

  expect(Object.isFrozen(result)).toBe(true);
  expect(Object.isFrozen(result.a)).toBe(true);
  expect(Object.isFrozen(result.a[0])).toBe(true);
  expect(isKnownFrozen(result)).toBe(true);
});

test("keys that become alike get numbers, so that none hides another", () => {
  const key = `ghp_${"a1B2".repeat(9)}`;

  expect(
    sanitize({ [`${key}`]: 1, [`${key}x`]: 2, "<redacted:github>#2": 3, [`${key}y`]: 4 }),
  ).toEqual({
    "<redacted:github>": 1,
    "<redacted:github>#2": 2,
    "<redacted:github>#2#2": 3,
    "<redacted:github>#3": 4,
  });
});

test("a number that is taken already is passed over", () => {
  const key = `ghp_${"a1B2".repeat(9)}`;

  expect(sanitize({ "<redacted:github>#2": 1, [key]: 2, [`${key}x`]: 3 })).toEqual({
    "<redacted:github>#2": 1,
    "<redacted:github>": 2,
    "<redacted:github>#3": 3,
  });
});

test("text that is no string is taken as one", () => {
  const sanitizer = createSanitizer();

  expect(sanitizer.sanitizeText(5 as unknown as string)).toBe("5");
});

test("a caller with hardly any stack gets a marker, not an exception of ours", () => {
  const sanitizer = createSanitizer();
  const text = `password=hunter2 ${"x".repeat(50)}`;
  const results: unknown[] = [];
  const dive = (): void => {
    try {
      dive();
    } catch {
      // Unwinding frame by frame leaves a little more stack each time.
      if (results.length < 400) results.push(trying(sanitizer, text));
    }
    if (results.length > 0 && results.length < 400) throw new RangeError("unwind");
  };

  dive();

  expect(results).toContain("<unreadable>");
  expect(results.at(-1)).toContain("password=<redacted>");
});

function trying(sanitizer: { sanitize(value: unknown): unknown }, value: unknown): unknown {
  try {
    return sanitizer.sanitize(value);
  } catch {
    return "no stack to call it";
  }
}

test("more names than are remembered are judged right all the same", () => {
  const names = Array.from({ length: 9_000 }, (_, index) => `name${index}`);
  const sanitizer = createSanitizer();

  const result = sanitizer.sanitize(
    Object.fromEntries([...names, "password"].map((name) => [name, 1])),
  );

  expect(Object.keys(result as object)).toHaveLength(9_001);
  expect(result).toMatchObject({ name0: 1, name8999: 1, password: "<redacted>" });
  expect(sanitizer.sanitizeText(names.map((name) => `${name}key=1`).join("\n"))).toContain(
    "name0key=1",
  );
});
