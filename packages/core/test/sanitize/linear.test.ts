import { expect, test } from "vitest";
import { createSanitizer } from "../../src/sanitize/index.ts";

/** Pieces that make a rule look far: repeated, they have made one rule or another quadratic. */
const pieces = [
  "a",
  "-",
  ":",
  "=",
  "\\",
  '"',
  "{",
  "\n",
  "\\n",
  "password=",
  "password: ",
  'password="',
  '"password":"',
  '"secret":[',
  "token: ${",
  "token: $(",
  "token:",
  "Authorization: ",
  "Authorization:",
  "--password ",
  "-----BEGIN RSA PRIVATE KEY-----",
  "://a:b@",
  "sk-",
  "eyJsk-",
  "a.",
  "1:",
  "</password>",
  "<password>",
  "DB_PASS=\\n",
  "<redacted>",
  "\u3042",
];

function measure(text: string): number {
  let best = Infinity;
  for (let run = 0; run < 3; run++) {
    const sanitizer = createSanitizer({
      limits: { stringLength: 4_000_000, totalBytes: 100_000_000 },
    });
    const start = performance.now();
    sanitizer.sanitizeText(text);
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

// Sixteen times the text takes about sixteen times as long; if it were quadratic, 256 times.
test.each(pieces)("text made of %j takes time in proportion to its length", (piece) => {
  const short = piece.repeat(Math.ceil(10_000 / piece.length));

  expect(measure(short.repeat(16))).toBeLessThan(80 * measure(short) + 50);
});

test("a secret behind a long text of nothing is still found", () => {
  const text = `${"-".repeat(100_000)} password=hunter2 ${"a".repeat(100_000)}`;

  expect(createSanitizer().sanitizeText(text)).toContain(" password=<redacted> ");
});
