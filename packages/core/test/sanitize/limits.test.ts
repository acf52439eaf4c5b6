import { expect, test } from "vitest";
import { ObserverError } from "../../src/hooks/errors.ts";
import { createSanitizer, defaultLimits, sanitize } from "../../src/sanitize/index.ts";

function nested(depth: number): unknown {
  let value: unknown = "leaf";
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

test("containers as deep as the limit stay, one more is cut with its size", () => {
  expect(JSON.stringify(sanitize(nested(64)))).toBe(JSON.stringify(nested(64)));
  expect(JSON.stringify(sanitize(nested(65)))).toContain("<truncated: 1 items>");
  expect(sanitize({ a: { b: 1, c: 2 } }, { limits: { depth: 1 } })).toEqual({
    a: "<truncated: 2 keys>",
  });
  expect(
    sanitize(
      [
        new Proxy(
          {},
          {
            ownKeys() {
              throw new Error("no");
            },
          },
        ),
      ],
      { limits: { depth: 1 } },
    ),
  ).toEqual(["<unreadable>"]);
});

test("nesting of 200,000 costs no stack", () => {
  expect(JSON.stringify(sanitize(nested(200_000)))).toMatch(
    /^\{"a":\[.*"<truncated: 1 (?:items|keys)>".*\]\}$/,
  );
});

test("a list as long as the limit stays, a longer one is cut at its end", () => {
  const limits = { breadth: 4 };

  expect(sanitize([1, 2, 3, 4], { limits })).toEqual([1, 2, 3, 4]);
  expect(sanitize([1, 2, 3, 4, 5], { limits })).toEqual([1, 2, 3, "<truncated: 2 of 5 items>"]);
  expect(sanitize(new Set([1, 2, 3, 4, 5]), { limits })).toEqual([
    1,
    2,
    3,
    "<truncated: 2 of 5 items>",
  ]);
});

test("an object with as many keys as the limit stays, a larger one is cut at its end", () => {
  const limits = { breadth: 4 };

  expect(sanitize({ a: 1, b: 2, c: 3, d: 4 }, { limits })).toEqual({ a: 1, b: 2, c: 3, d: 4 });
  expect(sanitize({ a: 1, b: 2, c: 3, d: 4, e: 5 }, { limits })).toEqual({
    a: 1,
    b: 2,
    c: 3,
    "<truncated>": "<truncated: 2 of 5 keys>",
  });
  expect(
    sanitize(
      new Map([
        [1, 1],
        [2, 2],
        [3, 3],
        [4, 4],
        [5, 5],
      ]),
      { limits },
    ),
  ).toEqual({
    "1": 1,
    "2": 2,
    "3": 3,
    "<truncated>": "<truncated: 2 of 5 keys>",
  });
});

test("a list of messages keeps the first and the last ones", () => {
  const limits = { breadth: 4 };
  const messages = [0, 1, 2, 3, 4, 5].map((content) => ({ role: "user", content }));

  expect(sanitize({ other: messages }, { limits })).toEqual({
    other: [messages[0], "<truncated: 3 of 6 items>", messages[4], messages[5]],
  });
  expect(sanitize({ messages: [0, 1, 2, 3, 4, 5] }, { limits })).toEqual({
    messages: [0, "<truncated: 3 of 6 items>", 4, 5],
  });
  expect(sanitize({ messages: messages.slice(0, 4) }, { limits })).toEqual({
    messages: messages.slice(0, 4),
  });
});

test.each([
  [5, ["<truncated: 6 of 6 items>"]],
  [6, ["<truncated: 5 of 6 items>", 5]],
  [7, [0, "<truncated: 4 of 6 items>", 5]],
  [8, [0, "<truncated: 3 of 6 items>", 4, 5]],
])("with %i nodes a list of messages gives up its oldest first", (nodes, expected) => {
  const value = { a: { messages: [0, 1, 2, 3, 4, 5] }, b: 0 };

  expect(sanitize(value, { limits: { nodes } })).toEqual({ a: { messages: expected }, b: 0 });
});

test("messages are kept although what stands before them would use up the limits", () => {
  const value = { body: { tools: Array.from({ length: 50 }, () => "t"), messages: [1, 2, 3] } };

  expect(sanitize(value, { limits: { nodes: 10 } })).toEqual({
    body: { tools: ["t", "t", "<truncated: 48 of 50 items>"], messages: [1, 2, 3] },
  });
});

test("values up to the limit of nodes stay, one more is cut", () => {
  const value = [1, [2, 3], { a: 4 }];

  expect(sanitize(value, { limits: { nodes: 7 } })).toEqual(value);
  expect(sanitize(value, { limits: { nodes: 6 } })).toEqual([1, [2, 3], "<truncated: 1 keys>"]);
  expect(sanitize(value, { limits: { nodes: 5 } })).toEqual([
    1,
    ["<truncated: 2 of 2 items>"],
    "<truncated: 1 keys>",
  ]);
  expect(sanitize(value, { limits: { nodes: 4 } })).toEqual([
    1,
    "<truncated: 2 items>",
    "<truncated: 1 keys>",
  ]);
});

test("a string as long as the limit stays, a longer one is cut with its length", () => {
  const limits = { stringLength: 128 };

  expect(sanitize("x".repeat(128), { limits })).toBe("x".repeat(128));

  const cut = sanitize("x".repeat(129), { limits }) as string;
  expect(cut).toBe(`${"x".repeat(99)}<truncated: 30 of 129 chars>`);
  expect(sanitize(cut, { limits })).toBe(cut);
});

test("a cut leaves pairs of surrogates and masks whole", () => {
  const limits = { stringLength: 128 };

  expect(sanitize("\u{1F600}".repeat(100), { limits })).toMatch(
    /^(?:\u{1F600}){49}<truncated: \d+ of 200 chars>$/u,
  );
  expect(sanitize(`${"x ".repeat(42)}password=abcdefgh ${"y ".repeat(60)}`, { limits })).toMatch(
    /^(?:x ){42}password=<truncated: \d+ of 222 chars>$/,
  );
});

test("text is redacted before it is cut, so that no half of a secret is left", () => {
  const limits = { stringLength: 128 };
  const secret = `ghp_${"a1B2".repeat(9)}`;
  for (let padding = 60; padding < 130; padding++) {
    const text = `${"-".repeat(padding)} ${secret} ${"-".repeat(200)}`;

    const cut = sanitize(text, { limits }) as string;

    expect(cut).not.toContain("ghp_");
    expect(cut.length).toBeLessThanOrEqual(128);
    expect(sanitize(cut, { limits })).toBe(cut);
  }
});

test("a cut that makes something look like a secret is moved", () => {
  const limits = { stringLength: 128 };
  const id = "0123456789abcdef0123456789abcdef";
  for (let padding = 20; padding < 60; padding++) {
    const text = `${"-".repeat(padding)} ${id}.${"a1".repeat(15)}-${"x".repeat(60)}`;

    const cut = sanitize(text, { limits }) as string;

    expect(cut).toMatch(/<truncated: \d+ of \d+ chars>$/);
    expect(cut).not.toContain("<redacted");
    expect(sanitize(cut, { limits })).toBe(cut);
  }
});

test("text that masks make too long is cut too", () => {
  const text = "pwd=a ".repeat(20);

  const cut = sanitize(text, { limits: { stringLength: 128 } }) as string;

  expect(cut.length).toBeLessThanOrEqual(128);
  expect(cut).toMatch(/^pwd=<redacted> .*<truncated: \d+ of \d+ chars>$/);
});

test("of a string of 50 million only the part that may stay is looked at", () => {
  const sanitizer = createSanitizer();
  const text = `api_key=abc ${"lorem ipsum ".repeat(4_000_000)}`;

  const result = sanitizer.sanitize(text) as string;

  expect(result).toHaveLength(defaultLimits.stringLength);
  expect(result).toMatch(/^api_key=<redacted> lorem/);
  expect(result).toMatch(/<truncated: \d+ of 48000012 chars>$/);
  expect(sanitizer.report.cut).toEqual({ string: 1 });
});

test("a key as long as the limit stays, a longer one is cut", () => {
  const limits = { keyLength: 64 };
  const sanitizer = createSanitizer({ limits });

  expect(sanitizer.sanitize({ ["k".repeat(64)]: 1 })).toEqual({ ["k".repeat(64)]: 1 });
  const cut = sanitizer.sanitize({
    ["k".repeat(65)]: 1,
    ["k".repeat(66)]: 2,
    ["k".repeat(500)]: 3,
  });

  expect(Object.keys(cut as object)).toEqual([
    `${"k".repeat(28)}<truncated: 37 of 65 chars>`,
    `${"k".repeat(28)}<truncated: 38 of 66 chars>`,
    `${"k".repeat(26)}<truncated: 474 of 500 chars>`,
  ]);
  expect(JSON.stringify(sanitizer.sanitize(cut))).toBe(JSON.stringify(cut));
  expect(sanitizer.report.cut).toEqual({ key: 3 });
});

test("a key that looks like a secret once it is cut leaves a marker only", () => {
  const key = `0123456789abcdef0123456789abcdef.${"a1".repeat(50)}-x`;

  expect(sanitize({ [key]: 1 }, { limits: { keyLength: 128 } })).toEqual({
    "<truncated: 135 of 135 chars>": 1,
  });
});

test("bytes are counted right where most of the input is that of the last time", () => {
  const sanitizer = createSanitizer({ limits: { totalBytes: 2_000 } });
  const value = { text: "a".repeat(100), deep: { list: ["b".repeat(60)] }, last: "c" };
  sanitizer.sanitize(value);

  const fits = 2_000 - 48 - 3 * 64 - (100 + 3 - 48) - 64 - 48 - (60 + 3 - 48) + 48 - 3;
  const exact = { ...value, last: "d".repeat(fits) };
  const over = { ...value, last: "d".repeat(fits + 1) };

  expect(createSanitizer({ limits: { totalBytes: 2_000 } }).sanitize(exact)).toEqual(exact);
  expect(sanitizer.sanitize(exact)).toEqual(exact);
  expect(sanitizer.sanitize(over)).toMatchObject({ last: `<truncated: ${fits + 1} chars>` });
});

test("the whole stays within its bytes, whatever characters it is made of", () => {
  for (const unit of ["a", "\u0001", "\u3042", "\u{1F600}", '"', "\n", "\u00e9"]) {
    const value = {
      list: Array.from({ length: 40 }, () => unit.repeat(100)),
      messages: [unit.repeat(50)],
    };

    const text = JSON.stringify(sanitize(value, { limits: { totalBytes: 2_000 } }));

    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_000);
    expect(text).toContain("<truncated: ");
    expect(JSON.parse(text)).toHaveProperty("messages", value.messages);
  }
});

test("what just fits into the bytes is kept, one byte less cuts it", () => {
  const value = { a: "x".repeat(1_000) };
  // 48 for the root, 64 for the entry, and what the text has beyond the 48 in its entry: 1,000 + 3 - 48.
  const cost = 48 + 64 + 1_000 + 3 - 48;

  expect(sanitize(value, { limits: { totalBytes: cost } })).toEqual(value);
  expect(sanitize(value, { limits: { totalBytes: cost - 1 } })).toEqual({
    a: "<truncated: 1000 chars>",
  });
});

test("keys count too", () => {
  const value = { ["k".repeat(200)]: 1, ["l".repeat(200)]: 2, ["m".repeat(200)]: 3 };

  expect(Object.keys(sanitize(value, { limits: { totalBytes: 700 } }) as object)).toEqual([
    "k".repeat(200),
    "l".repeat(200),
    "<truncated>",
  ]);
});

test("bytes are counted right where the bound is passed in the middle of half-built containers", () => {
  for (let bytes = 512; bytes < 3_000; bytes += 37) {
    const sanitizer = createSanitizer({ limits: { totalBytes: bytes } });
    const value = {
      text: "a".repeat(100),
      deep: {
        messages: [{ role: "user", content: "b".repeat(90) }],
        list: [["c".repeat(80)], { d: "e".repeat(70) }],
      },
      password: "p",
      last: "f".repeat(150),
    };

    for (const pass of [1, 2, 3]) {
      const changed = pass === 2 ? { last: "g".repeat(150) } : { text: `${pass}${value.text}` };
      const result = sanitizer.sanitize({ ...value, ...changed });
      const text = JSON.stringify(result);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytes);
      expect(
        JSON.stringify(createSanitizer({ limits: { totalBytes: bytes } }).sanitize(result)),
      ).toBe(text);
    }
  }
});

test("work is in proportion to what may stay, not to what came in", () => {
  let reads = 0;
  const counting = new Proxy(
    Array.from({ length: 5_000_000 }, () => 7),
    {
      get(target, key, receiver) {
        reads += 1;
        return Reflect.get(target, key, receiver) as unknown;
      },
    },
  );

  const result = sanitize(counting);

  expect(result).toHaveLength(10_000);
  expect(reads).toBeLessThan(10_010);
});

test("many large strings stop costing once the bytes are used up", () => {
  const sanitizer = createSanitizer();
  const large = "lorem ipsum ".repeat(9_000);

  const result = sanitizer.sanitize(
    Array.from({ length: 5_000 }, (_, index) => `${index} ${large}`),
  ) as string[];

  expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(defaultLimits.totalBytes);
  expect(result.at(-1)).toMatch(/^<truncated: 10\d+ chars>$/);
});

test("a request of several megabytes comes through whole", () => {
  const request = {
    messages: Array.from({ length: 400 }, (_, index) => ({
      role: index % 2 === 0 ? "user" : "assistant",
      content: `${index} ${"some words of a long history ".repeat(300)}`,
    })),
  };

  expect(sanitize(request)).toEqual(request);
});

test("limits out of range and unknown ones are refused with a code", () => {
  const refused = (options: object): unknown => {
    try {
      createSanitizer(options);
      return undefined;
    } catch (error) {
      return ObserverError.isInstance(error) ? error.code : error;
    }
  };

  expect(refused({ limits: { depth: 0 } })).toBe("OBS_INVALID_OPTION");
  expect(refused({ limits: { depth: 1 } })).toBe(undefined);
  expect(refused({ limits: { depth: 500 } })).toBe(undefined);
  expect(refused({ limits: { depth: 501 } })).toBe("OBS_INVALID_OPTION");
  expect(refused({ limits: { breadth: 2.5 } })).toBe("OBS_INVALID_OPTION");
  expect(refused({ limits: { bytes: 1_000 } })).toBe("OBS_INVALID_OPTION");
  expect(refused({ limits: { nodes: undefined } })).toBe(undefined);
  expect(refused({ secrets: "abcd" })).toBe("OBS_INVALID_OPTION");
  expect(refused({ sensitiveKeys: [1] })).toBe("OBS_INVALID_OPTION");
});
