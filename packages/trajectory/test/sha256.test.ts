import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { shortHash } from "../src/sha256.ts";

function expected(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex").slice(0, 24);
}

test("property: the hash is the beginning of the SHA-256 of the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      expect(shortHash(text)).toBe(expected(text));
    }),
  );
});

test.each([0, 55, 56, 63, 64, 119, 120, 1023, 1024, 100_000, 1_000_000])(
  "%i characters",
  (length) => {
    expect(shortHash("ü".repeat(length))).toBe(expected("ü".repeat(length)));
    expect(shortHash("short")).toBe(expected("short"));
  },
);
