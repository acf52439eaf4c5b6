import { spawnSync } from "node:child_process";
import { basename, dirname, join } from "node:path";

import { expect, test } from "vitest";

import { filesOf, repository, sourceCondition } from "../workspace.ts";

const stories = filesOf("examples/*/*.ts").filter(
  (file) => basename(file, ".ts") === basename(dirname(file)),
);

test.each(stories)("%s runs and finds the outcome that it tells of", (file) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["-C", sourceCondition(), join(repository, file)],
    { cwd: repository, encoding: "utf8" },
  );

  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).not.toBe("");
});
