import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanText } from "../src/index.ts";

/** What must never reach a terminal from a payload. */
const unsafe =
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

test.each([
  ["\u001b]0;owned\u0007\u001b[2K\rALL PASSED", " ALL PASSED"],
  ["\u009b31mred", "red"],
  ["\u001b]52;c;AAAA\u0007x", "x"],
  ["\u001b]8;;http://evil.test\u0007x\u001b]8;;\u0007", "x"],
  ["\u001b]8;;http://evil.test\u001b\\x", "x"],
  ["\u009d0;title\u009cx", "x"],
  ["\u001bPq#0\u001b\\x", "x"],
  ["\u001b[38;5;1mred\u001b[0m", "red"],
  ["\u001bcx", "x"],
  ["\u001b(0x", "x"],
  ["a\u202egnp.exe", "agnp.exe"],
  ["\u2066a\u2069\u200e\u200f\u061c", "a"],
  ["a\u007fb\u0000c", "abc"],
  ["one\r\ntwo\tthree\u2028four", "one two three four"],
  ["\u001b]0;never ends", "0;never ends"],
  ["\u001b[12", "12"],
  ["\ud800x", "\ufffdx"],
  ["日本語 👩‍👩‍👧 é 🇩🇪", "日本語 👩‍👩‍👧 é 🇩🇪"],
])("%j becomes %j", (text, expected) => {
  expect(cleanText(text)).toBe(expected);
});

test("line breaks and tabs stay where lines are kept", () => {
  expect(cleanText("a\r\nb\tc\rd\u2028e\u001b[2J", { lines: "keep" })).toBe("a\nb\tc\nd\ne");
});

test("property: nothing unsafe comes through, clean text is unchanged, and twice is once", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "\u001b[",
      "\u001b]",
      "\u009b",
      "\u009d",
      "\u0007",
      "\u001b\\",
      "m",
      "0;",
      "\ud83d",
      "\u202e",
      "\n",
    ),
  );

  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const cleaned = cleanText(pieces.join(""));

      expect(cleaned).not.toMatch(unsafe);
      expect(cleanText(cleaned)).toBe(cleaned);
      expect(cleanText(pieces.join(""), { lines: "keep" }).replaceAll(/[\n\t]/g, "")).not.toMatch(
        unsafe,
      );
    }),
    { numRuns: 1000 },
  );
});

test.each(["\u001b]", "\u009d", "\u001b[0;", "\u009b0", "\u001bP", "\u001b ", "\u001b]a\u001b"])(
  "starts without ends cost linear time: %j",
  (start) => {
    const time = (count: number): number => {
      const text = start.repeat(count);
      const began = performance.now();
      cleanText(text);
      return performance.now() - began;
    };
    time(1000);

    const small = Math.min(...[1, 2, 3].map(() => time(100_000)));
    const large = Math.min(...[1, 2, 3].map(() => time(400_000)));

    expect(large).toBeLessThan(small * 12 + 20);
  },
);
