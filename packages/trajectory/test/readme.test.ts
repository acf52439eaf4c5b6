import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { deviationRules, renderTree, verdict } from "../src/index.ts";
import { golden } from "./golden.ts";
import { build } from "./reading.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

test("the tree in the README is what renderTree draws", () => {
  const trajectory = build(golden());

  expect(readme).toContain(
    renderTree(trajectory, { width: 96, verdict: verdict(trajectory, { writer: "closed" }) }),
  );
});

test("the README lists every deviation with its severity and meaning", () => {
  for (const [code, { severity, sentence }] of Object.entries(deviationRules)) {
    const row = readme.split("\n").find((line) => line.startsWith(`| \`${code}\` `));

    expect(row?.split("|").map((cell) => cell.trim())).toEqual([
      "",
      `\`${code}\``,
      severity,
      sentence,
      "",
    ]);
  }
});
