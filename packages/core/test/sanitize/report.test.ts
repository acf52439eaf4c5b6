import { expect, test } from "vitest";
import { createSanitizer } from "../../src/sanitize/index.ts";

test("what was done is counted by kind and rule, and by nothing else", () => {
  const sanitizer = createSanitizer({ limits: { depth: 3, breadth: 4, stringLength: 128 } });
  const circle: unknown[] = [];
  circle.push(circle);

  sanitizer.sanitize({
    api_key: "k",
    text: "password=a AKIAIOSFODNN7EXAMPLE",
    list: [1, 2, 3, 4, 5],
    more: { date: new Date(0), long: "x".repeat(200), circle },
  });

  expect(sanitizer.report).toEqual({
    masked: 3,
    rules: { key: 1, assignment: 1, aws: 1 },
    cut: { list: 1, string: 1 },
    converted: { date: 1 },
    cycles: 1,
    unreadable: 0,
    ignoredSecrets: 0,
  });
});

test("taking the report starts a new one", () => {
  const sanitizer = createSanitizer({ secrets: ["a", "", "abc"] });
  sanitizer.sanitize({ password: "p" });

  expect(sanitizer.takeReport()).toMatchObject({ masked: 1, ignoredSecrets: 3 });
  expect(sanitizer.takeReport()).toMatchObject({ masked: 0, rules: {}, ignoredSecrets: 3 });
});

test("what is masked already is not counted again", () => {
  const sanitizer = createSanitizer();
  const once = sanitizer.sanitize({ password: "p", text: "token=abc", url: "https://u:p@h/" });
  sanitizer.takeReport();

  sanitizer.sanitize(once);

  expect(sanitizer.report.masked).toBe(0);
});

test("a report does not change after it was read", () => {
  const sanitizer = createSanitizer();
  const before = sanitizer.report;

  sanitizer.sanitize({ password: "p" });

  expect(before.masked).toBe(0);
  expect(Object.isFrozen(before)).toBe(true);
  expect(sanitizer.report.masked).toBe(1);
});
