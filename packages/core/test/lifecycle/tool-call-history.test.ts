import { describe, expect, test } from "vitest";
import { toolCallHistoryItem } from "@hermes-observer/core";

const facts = { tool_name: "fetch", input_chars: 10, output_chars: 20, status: "ok" as const };

function targetsOf(args: Record<string, unknown>): unknown {
  return toolCallHistoryItem({ ...facts, args }).tool_input.targets;
}

describe("toolCallHistoryItem", () => {
  test("holds names, sizes and outcome and no value of an argument", () => {
    const item = toolCallHistoryItem({
      ...facts,
      args: { content: "secret text", path: "a.txt", Body: { url: "http://x/?k=1" } },
    });

    expect(item).toEqual({
      tool_name: "fetch",
      tool_input: { argument_keys: ["Body", "content", "path"], targets: { path: "a.txt" } },
      input_bytes: 10,
      output_bytes: 20,
      status: "ok",
    });
  });

  test.each<[unknown, unknown]>([
    [
      { url: "https://user:pw@example.test:8443/a/b?token=x#frag" },
      { url: "https://example.test:8443/a/b" },
    ],
    [{ endpoint: "http://[::1]:80/x?y" }, { endpoint: "http://[::1]/x" }],
    [{ url: "example.test/x?token=1#a" }, { url: "example.test/x" }],
    [{ url: "user:pw@example.test/x" }, { url: "example.test/x" }],
    [{ path: "https://u:p@example.test/f?sig=1" }, { path: "https://example.test/f" }],
    [{ path: "dir/file?not=a-url" }, { path: "dir/file?not=a-url" }],
    [{ url: "http://" }, {}],
    [{ url: 7 }, {}],
    [
      { urls: ["https://a.test/?q", 3, "https://b.test/x#y"] },
      { urls: ["https://a.test/", "https://b.test/x"] },
    ],
  ])("keeps of %j only %j", (args, targets) => {
    expect(targetsOf(args as Record<string, unknown>)).toEqual(targets);
  });

  test("bounds: 64 keys of 128 characters, 16 targets of 1,024", () => {
    const many = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`k${index}`, 1]));
    const keys = toolCallHistoryItem({ ...facts, args: many }).tool_input.argument_keys;
    const long = toolCallHistoryItem({
      ...facts,
      args: { ["k".repeat(129)]: 1, path: "p".repeat(1025) },
    }).tool_input;
    const urls = targetsOf({ urls: Array.from({ length: 17 }, () => "https://a.test/x") }) as {
      urls: string[];
    };

    expect(keys).toHaveLength(64);
    expect(long.argument_keys.map((key) => key.length)).toEqual([128, 4]);
    expect((long.targets["path"] as string).length).toBe(1024);
    expect(urls.urls).toHaveLength(16);
  });
});
