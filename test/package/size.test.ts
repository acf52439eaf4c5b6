import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { repository } from "../workspace.ts";
import { compressedSize } from "./bundle.ts";

/** Bytes, minified and gzipped. A change that needs more says so here and in the README of core. */
const budgets = [
  {
    what: "`Dispatcher` alone",
    entry: `export { Dispatcher } from "@hermes-observer/core"`,
    bytes: 1_500,
  },
  {
    what: "`@hermes-observer/core`, everything",
    entry: `export * from "@hermes-observer/core"`,
    bytes: 26_000,
  },
  {
    what: "`@hermes-observer/core/sanitize`",
    entry: `export * from "@hermes-observer/core/sanitize"`,
    bytes: 18_000,
  },
] as const;

test.each(budgets)("$what is at most $bytes bytes", async ({ entry, bytes }) => {
  expect(await compressedSize(entry)).toBeLessThanOrEqual(bytes);
});

describe("the README of core", () => {
  const readme = readFileSync(join(repository, "packages/core/README.md"), "utf8");

  test.each(budgets)("quotes the budget of $what", ({ what, bytes }) => {
    const sizes = readme.split("\n## Size\n")[1] ?? "";
    const row = sizes.split("\n").find((line) => line.startsWith(`| ${what} `));

    expect(row?.split("|")[2]?.trim()).toBe(bytes.toLocaleString("en-US"));
  });
});
