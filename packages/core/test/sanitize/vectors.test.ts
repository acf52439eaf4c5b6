import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createSanitizer } from "../../src/sanitize/index.ts";
import { redactionRules } from "../../src/sanitize/rules.ts";

interface Vector<Input> {
  readonly name: string;
  readonly input: Input;
  readonly output?: Input;
}

function load(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../rules/${name}`, import.meta.url), "utf8"));
}

// The file is ours; its form is fixed by the loops below.
const vectors = load("vectors.json") as {
  readonly text: readonly Vector<string>[];
  readonly value: readonly Vector<unknown>[];
};

test.each(vectors.text.map((vector) => [vector.name, vector] as const))("text: %s", (_, vector) => {
  const sanitizer = createSanitizer();

  const once = sanitizer.sanitizeText(vector.input);

  expect(once).toBe(vector.output ?? vector.input);
  expect(sanitizer.sanitizeText(once)).toBe(once);
  expect(sanitizer.report.masked > 0).toBe(vector.output !== undefined);
});

test.each(vectors.value.map((vector) => [vector.name, vector] as const))(
  "value: %s",
  (_, vector) => {
    const sanitizer = createSanitizer();

    const once = JSON.stringify(sanitizer.sanitize(vector.input));

    expect(once).toBe(JSON.stringify(vector.output ?? vector.input));
    expect(JSON.stringify(sanitizer.sanitize(JSON.parse(once)))).toBe(once);
  },
);

test("every text vector gives the same inside JSON inside JSON", () => {
  const sanitizer = createSanitizer();
  for (const { name, input } of vectors.text) {
    const text = JSON.stringify({ body: JSON.stringify({ before: "x", text: input, after: 1 }) });

    const body: unknown = JSON.parse(sanitizer.sanitizeText(text));

    const inner: unknown = JSON.parse((body as { body: string }).body);
    expect([name, inner]).toMatchObject([name, { before: "x", after: 1 }]);
  }
});

test("the rules in the library are those of the data file", () => {
  const withoutNotes: unknown = JSON.parse(
    JSON.stringify(load("redaction.json")),
    (key, value: unknown) => (key === "about" ? undefined : value),
  );

  expect(redactionRules).toEqual(withoutNotes);
});

test("every rule has a vector that it masks", () => {
  const ids = [...redactionRules.tokens.rules, ...redactionRules.patterns.rules].map(
    ({ id }) => id,
  );
  const masked = vectors.text.map(({ output }) => output ?? "").join("\n");

  const missing = [...new Set(ids)].filter((id) => !masked.includes(`<redacted:${id}>`));

  expect(missing).toEqual([]);
});

test("patterns keep to what JavaScript and Python read alike", () => {
  const patterns = [...redactionRules.tokens.rules, ...redactionRules.patterns.rules].map(
    ({ pattern }) => pattern,
  );

  for (const pattern of patterns) {
    expect(pattern).not.toMatch(/\(\?<[A-Za-z]|\\[wbBpP]|\(\?<[=!][^)]*[+*]/);
  }
});
