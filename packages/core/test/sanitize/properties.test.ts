import fc from "fast-check";
import { expect, test } from "vitest";
import { type SanitizeOptions, createSanitizer } from "../../src/sanitize/index.ts";

const planted = "Pl4ntedS3cret";

/** Pieces that meet in secrets, markers, JSON and code; what is built from them finds the seams between rules. */
const pieces = [
  "password",
  "token",
  "api_key",
  "DB_PASS",
  "Authorization",
  "cookie",
  "secret",
  "name",
  "x",
  "=",
  ":",
  " = ",
  ": ",
  '"',
  "'",
  '\\"',
  '\\\\\\"',
  "`",
  "\n",
  "\\n",
  "\r",
  " ",
  ",",
  ";",
  "{",
  "}",
  "[",
  "]",
  "(",
  ")",
  "hunter2",
  "correct horse",
  `sk-test-${"A".repeat(24)}`,
  `ghp_${"a1B2".repeat(9)}`,
  "AKIAIOSFODNN7EXAMPLE",
  "https://",
  "user:pw@",
  "?",
  "&",
  "key=",
  "#",
  "-----BEGIN RSA PRIVATE KEY-----",
  "-----END RSA PRIVATE KEY-----",
  "Bearer ",
  "Basic ",
  "dXNlcjpwYXNz=",
  "--password ",
  "-u a:bcd",
  "<redacted>",
  "<redacted:github>",
  "<truncated: 5 of 9 chars>",
  "<truncated: 5 keys>",
  "<",
  "</",
  "</password>",
  "<password>",
  ">",
  "${X}",
  "os.getenv('X')",
  "true",
  "12345",
  "\u{1F600}",
  "\uD800",
  "\u3042",
  "**",
  "export ",
  ".",
  "\\",
  "=>",
];
const text = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 9 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 40 }),
);
const keys = fc.oneof(
  fc.constantFrom(
    "messages",
    "input",
    "properties",
    "token",
    "logprob",
    "value",
    "name",
    "password",
    "api_key",
    "role",
    "content",
    "__proto__",
    "constructor",
    "<truncated>",
    "type",
    "default",
    "toJSON",
    "DB_PASS",
    "a",
    "1",
  ),
  text,
);
const leaf = fc.oneof(
  text,
  fc.double(),
  fc.boolean(),
  fc.bigInt(),
  fc.constantFrom(
    null,
    undefined,
    Symbol("password=abc"),
    new Date(Number.NaN),
    new Date(5),
    () => 1,
  ),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    leaf,
    fc.array(tie("value"), { maxLength: 6 }),
    fc.dictionary(keys, tie("value"), { maxKeys: 6 }),
    fc.array(fc.tuple(keys, tie("value")), { maxLength: 4 }).map((entries) => new Map(entries)),
    fc.tuple(text, tie("value")).map(([message, cause]) => new Error(message, { cause })),
    fc
      .array(tie("value"), { maxLength: 6 })
      .map((contents) => contents.map((content) => ({ role: "user", content }))),
  ),
}));
const options: fc.Arbitrary<SanitizeOptions> = fc.record({
  values: fc.boolean(),
  secrets: fc.constantFrom([], ["known-secret", "hunter2", "redacted", "1234"]),
  limits: fc.oneof(
    fc.constant({}),
    fc.record({
      depth: fc.integer({ min: 1, max: 8 }),
      breadth: fc.integer({ min: 4, max: 8 }),
      nodes: fc.integer({ min: 4, max: 60 }),
      stringLength: fc.integer({ min: 128, max: 200 }),
      keyLength: fc.integer({ min: 64, max: 100 }),
      totalBytes: fc.integer({ min: 512, max: 4_000 }),
    }),
  ),
});

test("sanitising what was sanitised changes nothing, to the byte", () => {
  fc.assert(
    fc.property(value, options, (input, given) => {
      const once = createSanitizer(given).sanitize(input);

      const twice = createSanitizer(given).sanitize(once);

      expect(JSON.stringify(twice)).toBe(JSON.stringify(once));
    }),
    { numRuns: 1_500 },
  );
});

test("what a sanitiser saw before does not change what it makes", () => {
  const kept = createSanitizer();
  fc.assert(
    fc.property(value, value, (first, second) => {
      kept.sanitize({ messages: [first, second], other: first });
      const input = { messages: [first, second, first], other: second };

      expect(JSON.stringify(kept.sanitize(input))).toBe(
        JSON.stringify(createSanitizer().sanitize(input)),
      );
    }),
    { numRuns: 500 },
  );
});

test("the result is JSON, frozen and within the limits", () => {
  fc.assert(
    fc.property(value, options, (input, given) => {
      const result = createSanitizer(given).sanitize(input);

      const json = JSON.stringify(result);
      expect(() => JSON.parse(json) as unknown).not.toThrow();
      let nodes = 0;
      const look = (at: unknown): void => {
        nodes += 1;
        expect(["string", "number", "boolean", "object"]).toContain(typeof at);
        if (typeof at === "string")
          expect(at.length).toBeLessThanOrEqual(given.limits?.stringLength ?? Infinity);
        if (typeof at !== "object" || at === null) return;
        expect(Object.isFrozen(at)).toBe(true);
        expect(Object.keys(at).length).toBeLessThanOrEqual(given.limits?.breadth ?? Infinity);
        for (const key of Object.keys(at)) look((at as Record<string, unknown>)[key]);
      };
      look(result);
      expect(nodes).toBeLessThanOrEqual(given.limits?.nodes ?? Infinity);
      expect(Buffer.byteLength(json)).toBeLessThanOrEqual(given.limits?.totalBytes ?? Infinity);
    }),
    { numRuns: 500 },
  );
});

test("JSON inside JSON stays JSON, at every level", () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      text,
      text,
      fc.integer({ min: 1, max: 4 }),
      (json, before, after, levels) => {
        let nested: unknown = { before, json, password: `${planted}"'\\`, after };
        for (let level = 0; level < levels; level++)
          nested = { body: JSON.stringify(nested), n: level };

        let opened: unknown = createSanitizer().sanitize(nested);

        for (let level = 0; level < levels; level++) {
          expect(opened).toHaveProperty("n", levels - 1 - level);
          opened = JSON.parse((opened as { body: string }).body);
        }
        expect(opened).toHaveProperty("password", "<redacted>");
      },
    ),
    { numRuns: 500 },
  );
});

test.each([
  ["under a name", (around: string) => ({ deep: [{ clientSecret: planted, around }] })],
  ["in an assignment", (around: string) => `${around}\nAPP_SECRET=${planted}\n${around}`],
  [
    "in JSON in text",
    (around: string) => JSON.stringify({ a: around, password: planted, b: around }),
  ],
  ["in a query", (around: string) => `${around} https://x.test/?api_key=${planted}&a=1`],
  ["in a header", (around: string) => `${around}\nAuthorization: Bearer ${planted}\n`],
  ["as a token", (around: string) => `${around} sk-${planted}${planted} ${around}`],
] as const)("a secret planted %s is gone", (_, plant) => {
  fc.assert(
    fc.property(fc.lorem({ maxCount: 30, mode: "sentences" }), (around) => {
      expect(JSON.stringify(createSanitizer().sanitize(plant(around)))).not.toContain(planted);
    }),
    { numRuns: 50 },
  );
});

test("known secrets are gone, whatever stands around them", () => {
  const secrets = ["p.*w$^(", 'S"e\\c\nret', "overlapping-one", "one-overlap"];
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...secrets, ...pieces, "overlapping-one-overlap"), {
        maxLength: 12,
      }),
      (parts) => {
        const raw = parts.join("");

        const result = createSanitizer({ secrets }).sanitize({
          raw,
          json: JSON.stringify({ raw }),
          url: encodeURIComponent(raw.toWellFormed()),
        });

        const shown = JSON.stringify(result);
        for (const secret of secrets) {
          expect(shown).not.toContain(JSON.stringify(secret).slice(1, -1));
          expect(shown).not.toContain(encodeURIComponent(secret));
        }
      },
    ),
    { numRuns: 300 },
  );
});
