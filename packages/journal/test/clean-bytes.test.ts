import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isCleanUtf8 } from "../src/write/clean-bytes.ts";

test("bytes are clean exactly when JSON.stringify has nothing to escape, wherever they stand", () => {
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom("a", " ", "!", "#", "[", "]", "\u007f", "é", "語", "🦜"),
      fc.constantFrom('"', "\\", "\n", "\u001f", "\0"),
    ),
    maxLength: 30,
  });

  fc.assert(
    fc.property(text, fc.nat(7), (content, offset) => {
      const bytes = Buffer.alloc(200, '"');
      const end = offset + bytes.write(content, offset);
      const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);

      expect(isCleanUtf8(bytes, words, offset, end)).toBe(
        JSON.stringify(content) === `"${content}"`,
      );
    }),
    { numRuns: 2000 },
  );
});

test("each byte value that has to be escaped is found in each place of a word, and no other", () => {
  for (let value = 0; value < 256; value++) {
    for (let place = 0; place < 16; place++) {
      const bytes = Buffer.alloc(16, 97);
      bytes[place] = value;
      const words = new Int32Array(bytes.buffer, bytes.byteOffset, 4);

      expect(isCleanUtf8(bytes, words, 0, 16)).toBe(value >= 32 && value !== 34 && value !== 92);
    }
  }
});
