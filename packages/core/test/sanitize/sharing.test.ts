import { expect, test } from "vitest";
import { CleanCache } from "../../src/sanitize/clean-cache.ts";
import { createSanitizer } from "../../src/sanitize/index.ts";
import { RecentResults } from "../../src/sanitize/recent-results.ts";

interface Request {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly model: string;
}

function request(...contents: string[]): Request {
  return { model: "m", messages: contents.map((content) => ({ role: "user", content })) };
}

test("a request that repeats the one before it shares what is the same", () => {
  const sanitizer = createSanitizer();

  const first = sanitizer.sanitize(request("one", "two")) as unknown as Request;
  const second = sanitizer.sanitize(request("one", "two", "three")) as unknown as Request;

  expect(second).toEqual(request("one", "two", "three"));
  expect(second.messages[0]).toBe(first.messages[0]);
  expect(second.messages[1]).toBe(first.messages[1]);
});

test("an object that was changed in place is seen as it is now", () => {
  const sanitizer = createSanitizer();
  const message: Record<string, unknown> = { role: "user", content: "one" };
  const input = { messages: [message] };
  sanitizer.sanitize(input);

  message["content"] = "changed";
  expect(sanitizer.sanitize(input)).toEqual({ messages: [{ role: "user", content: "changed" }] });

  message["extra"] = 1;
  expect(sanitizer.sanitize(input)).toEqual({
    messages: [{ role: "user", content: "changed", extra: 1 }],
  });

  delete message["content"];
  expect(JSON.stringify(sanitizer.sanitize(input))).toBe(
    '{"messages":[{"role":"user","extra":1}]}',
  );

  message["password"] = "p";
  expect(sanitizer.sanitize(input)).toEqual({
    messages: [{ role: "user", extra: 1, password: "<redacted>" }],
  });
});

test("the order of keys is the input's, also when an earlier result had another", () => {
  const sanitizer = createSanitizer();
  sanitizer.sanitize({ a: { x: 1, y: 2 } });

  expect(JSON.stringify(sanitizer.sanitize({ a: { y: 2, x: 1 } }))).toBe('{"a":{"y":2,"x":1}}');
});

test("names from the prototype are no earlier values", () => {
  const sanitizer = createSanitizer();
  sanitizer.sanitize({ a: {} });

  expect(sanitizer.sanitize({ a: { constructor: {}, toString: "t" } })).toEqual({
    a: { constructor: {}, toString: "t" },
  });
  expect(sanitizer.sanitize({ a: JSON.parse('{"__proto__":{}}') as unknown })).not.toBe(
    Object.prototype,
  );
});

test("texts found clean come back as the instance seen first", () => {
  const cache = new CleanCache(1_000, 100);
  const text = "x".repeat(40);
  cache.add(text);
  cache.add("short");

  expect(cache.get(`${"x".repeat(20)}${"x".repeat(20)}`)).toBe(text);
  expect(cache.get("short")).toBe("short");
  expect(cache.get("y".repeat(40))).toBe(undefined);
  expect(cache.get("other")).toBe(undefined);
});

test("texts with the same sample are told apart", () => {
  const cache = new CleanCache(10_000, 100);
  const alike = ["a", "b", "c"].map((letter) => `${"x".repeat(41)}${letter}${"x".repeat(39)}`);
  for (const text of alike) cache.add(text);

  expect(alike.map((text) => cache.get(text))).toEqual([undefined, alike[1], alike[2]]);
});

test("what was not asked for during one generation is forgotten", () => {
  const cache = new CleanCache(200, 100);
  const texts = ["a", "b", "c"].map((letter) => letter.repeat(60));
  const [a = "", b = "", c = ""] = texts;

  cache.add(a);
  cache.add(b);
  expect(cache.get(a)).toBe(a);
  cache.add(c);

  expect(cache.get(b)).toBe(undefined);
  expect(cache.get(c)).toBe(c);
});

test("short texts age like long ones, and the number of texts is bounded", () => {
  const cache = new CleanCache(1_000, 4);
  cache.add("one");
  cache.add("two");
  cache.add("three");
  expect(cache.get("one")).toBe("one");
  cache.add("four");
  cache.add("five");

  expect(cache.get("two")).toBe(undefined);
});

test("a text larger than a generation is not kept", () => {
  const cache = new CleanCache(100, 10);
  cache.add("x".repeat(51));
  cache.add("y".repeat(50));

  expect(cache.get("x".repeat(51))).toBe(undefined);
  expect(cache.get("y".repeat(50))).toBe("y".repeat(50));
});

test("secrets are not kept in memory by the cache", () => {
  const sanitizer = createSanitizer();
  const text = `password=hunter2 ${"x".repeat(50)}`;

  expect(sanitizer.sanitizeText(text)).toContain("<redacted>");
  expect(sanitizer.sanitizeText(text)).toContain("<redacted>");
  expect(sanitizer.report.masked).toBe(2);
});

test("only a few results are remembered, and none with very many keys", () => {
  const recent = new RecentResults(2);
  const [a, b, c] = [{}, {}, {}];
  const many = Array.from({ length: 33 }, (_, index) => String(index));

  recent.remember(["a"], a, "not");
  recent.remember(["b"], b, "not");
  recent.remember(["a"], a, "not");
  recent.remember(["c"], c, "not");
  recent.remember(many, c, "not");

  expect(recent.like(["a"])).toBe(a);
  expect(recent.like(["b"])).toBe(undefined);
  expect(recent.like(["c"])).toBe(c);
  expect(recent.like(many)).toBe(undefined);
});

test("comparing that was in vain is not tried again for a while", () => {
  const recent = new RecentResults(2);
  const result = {};
  recent.remember(["a"], result, "in vain");

  const tries = Array.from({ length: 10 }, () => {
    const like = recent.like(["a"]);
    recent.remember(["a"], result, like === undefined ? "not" : "usefully");
    return like;
  });

  expect(tries.map((like) => like === result)).toEqual([
    ...Array<boolean>(8).fill(false),
    true,
    true,
  ]);
});

test("requests that have nothing in common are sanitised right all the same", () => {
  const sanitizer = createSanitizer();

  for (let round = 0; round < 30; round++) {
    const input = request(...Array.from({ length: 5 }, (_, index) => `${round} ${index}`));
    expect(sanitizer.sanitize(input)).toEqual(input);
  }
});
