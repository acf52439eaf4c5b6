import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { misbehaviours } from "@hermes-observer/core/testing";
import { cli, collect, scratch, start } from "./cli.ts";

const plugins = fileURLToPath(new URL("./plugins/misbehaving.ts", import.meta.url));
const repeatable = ["--seed", "7", "--clock", "1796089200"];

describe("demo", () => {
  test("records a real run and prints its tree, where it lies and what to type next", async () => {
    const journal = join(scratch(), "journal");

    const { code, stdout } = await cli(["demo", "--journal", journal]);

    expect(code).toBe(0);
    for (const part of [
      "rate_limit",
      "read_file",
      "rm -rf build",
      "approval",
      "delegate_task",
      "exit code 1",
      "complete",
    ]) {
      expect(stdout).toContain(part);
    }
    const next = /npx hermes-observer (show \S+ --journal \S+)/.exec(stdout)?.[1] ?? "";
    const shown = await cli(next.split(" "));
    expect([shown.code, stdout.includes(shown.stdout.trim())]).toEqual([0, true]);
  });

  test("with a seed and a fixed clock the output and the bytes to the model repeat, whatever plugins do", async () => {
    const folder = scratch();
    const runs: { stdout: string; wire: string }[] = [];
    for (const [index, kind] of ["", "", ...misbehaviours].entries()) {
      const log = join(folder, `wire-${index}`);
      const args = ["demo", ...repeatable, "--wire-log", log, "--json"];
      const env = {
        HERMES_OBSERVER_TEST_MISBEHAVIOUR: kind,
        HERMES_OBSERVER_HOME: join(folder, String(index)),
      };
      const child = start([...args, ...(kind === "" ? [] : ["--plugin", plugins])], env);
      const { code, stdout } = await collect(child);
      expect(code).toBe(0);
      runs.push({
        stdout: stdout.replaceAll(join(folder, String(index)), ""),
        wire: readFileSync(log, "utf8"),
      });
    }

    for (const run of runs) expect(run).toEqual(runs[0]);
  }, 60_000);

  test("a plugin that cannot be loaded is named once and the run goes on", async () => {
    const { code, stderr } = await cli([
      "demo",
      "--journal",
      join(scratch(), "j"),
      "--plugin",
      "./not-there.ts",
    ]);

    expect(code).toBe(0);
    expect(stderr.match(/not-there\.ts/g)?.length).toBeGreaterThanOrEqual(1);
    expect(stderr).toContain("plugin left out");
  });
});
