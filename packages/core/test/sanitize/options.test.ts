import { expect, test } from "vitest";
import { createSanitizer, sanitize } from "../../src/sanitize/index.ts";

test("known secrets are matched letter by letter, longest first, and short ones ignored", () => {
  const sanitizer = createSanitizer({
    secrets: ["p.*w$^(", "", "a", "ab", "SECRET", "SECRET-LONG"],
  });

  expect(sanitizer.sanitizeText("a p.*w$^( b pxxw SECRET-LONGER ab")).toBe(
    "a <redacted:secret> b pxxw <redacted:secret>ER ab",
  );
  expect(sanitizer.report.ignoredSecrets).toBe(3);
});

test("the shortest known secret has four characters, the longest 65,536", () => {
  const long = "ab".repeat(32_768);

  expect(createSanitizer({ secrets: ["abc", `${long}c`] }).report.ignoredSecrets).toBe(2);
  const sanitizer = createSanitizer({ secrets: ["wxyz", long] });
  expect(sanitizer.report.ignoredSecrets).toBe(0);
  expect(sanitizer.sanitizeText(`wxyz ${long}`)).toBe("<redacted:secret> <redacted:secret>");
});

test("known secrets that overlap, with others or themselves, are masked as one", () => {
  const sanitizer = createSanitizer({ secrets: ["abcdef", "defghi", "xyxyx"] });

  expect(sanitizer.sanitizeText("1abcdefghi2")).toBe("1<redacted:secret>2");
  expect(sanitizer.sanitizeText("1xyxyxyxyx2")).toBe("1<redacted:secret>2");
});

test("known secrets are found as JSON and URLs write them, and in keys", () => {
  const sanitizer = createSanitizer({ secrets: ['s"e/c\nret'] });

  expect(sanitizer.sanitizeText(JSON.stringify({ a: 's"e/c\nret' }))).toBe(
    '{"a":"<redacted:secret>"}',
  );
  expect(sanitizer.sanitizeText("x=s%22e%2Fc%0Aret")).toBe("x=<redacted:secret>");
  expect(sanitizer.sanitize({ 's"e/c\nret': 1 })).toEqual({ "<redacted:secret>": 1 });
});

test("known secrets that are part of our own marks do not eat them", () => {
  const sanitizer = createSanitizer({
    secrets: ["redacted", "truncated", "secret", "chars"],
    limits: { stringLength: 128 },
  });

  const text = `secret redacted ${"x ".repeat(100)}`;
  const once = sanitizer.sanitizeText(text);

  expect(once).toMatch(/^<redacted:secret> <redacted:secret> x .*<truncated: \d+ of 216 chars>$/);
  expect(sanitizer.sanitizeText(once)).toBe(once);
});

test("without values only names count", () => {
  const sanitizer = createSanitizer({ values: false, secrets: ["known-secret"] });

  expect(sanitizer.sanitize({ password: "p", text: "password=p known-secret" })).toEqual({
    password: "<redacted>",
    text: "password=p known-secret",
  });
});

test("the operator's names are added and taken away, in every spelling", () => {
  const sanitizer = createSanitizer({
    sensitiveKeys: ["house_number"],
    harmlessKeys: ["csrfToken"],
  });

  expect(sanitizer.sanitize({ houseNumber: 7, "csrf-token": "t", "HOUSE NUMBER": "x" })).toEqual({
    houseNumber: "<redacted>",
    "csrf-token": "t",
    "HOUSE NUMBER": "<redacted>",
  });
  expect(sanitizer.sanitizeText("house-number: 12b\ncsrf_token=abc")).toBe(
    "house-number: <redacted>\ncsrf_token=abc",
  );
});

test("one call does what a kept sanitiser does", () => {
  expect(sanitize({ password: "p" })).toEqual(createSanitizer().sanitize({ password: "p" }));
});

test("text in which every mask makes a new match is masked as a whole", () => {
  const sanitizer = createSanitizer({ secrets: ["ABCD", "et>y"] });

  expect(sanitizer.sanitizeText("ABCDyyyyyyyyyyyy")).toBe("<redacted:unstable>");
});
