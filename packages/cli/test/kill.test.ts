import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cli, scratch, start, wire } from "./cli.ts";

const filler = "x".repeat(400);
const events = Array.from({ length: 5000 }, (_, index) => ({
  id: `w:${index}`,
  at: 1_796_089_200 + index,
  hook: index % 2 === 0 ? "pre_tool_call" : "post_tool_call",
  payload: { session_id: `s${index % 3}`, turn_id: "t", tool_call_id: `c${index >> 1}`, filler },
}));

describe("SIGKILL", () => {
  test.each([1, 7, 40, 300, 1200, 2500, 4999])(
    "during ingest --ack after %i acknowledged events: each of them is there afterwards",
    async (killAfter) => {
      const journal = scratch();
      const child = start(["ingest", "--ack", "--journal", journal, "-"]);
      const acknowledged: string[] = [];
      let rest = "";
      child.stdin.on("error", () => {}); // it is killed while we write
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        const lines = (rest + text).split("\n");
        rest = lines.pop() ?? "";
        acknowledged.push(...lines);
        if (acknowledged.length >= killAfter) child.kill("SIGKILL");
      });
      child.stdin.end(wire(...events));
      await new Promise((resolve) => child.on("close", resolve));

      const shown = await Promise.all(
        ["s0", "s1", "s2"].map((id) => cli(["events", id, "--journal", journal])),
      );
      const stored = new Set(
        shown.flatMap(({ stdout }) =>
          stdout
            .split("\n")
            .filter((line) => line !== "")
            .map((line) => (JSON.parse(line) as { id: string }).id),
        ),
      );
      expect(acknowledged.length).toBeGreaterThanOrEqual(killAfter);
      expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    },
    30_000,
  );

  test.each([1, 3, 6, 9, 14])(
    "during demo after %i lines: the record opens and says that it is incomplete",
    async (lines) => {
      const journal = join(scratch(), "journal");
      const child = start(["demo", "--journal", journal]);
      let seen = 0;
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        seen += text.split("\n").length - 1;
        if (seen >= lines) child.kill("SIGKILL");
      });
      await new Promise((resolve) => child.on("close", resolve));

      const list = await cli(["sessions", "--json", "--all", "--journal", journal]);
      const found = (
        JSON.parse(list.stdout) as { sessions: { session_id: string; verdict: string }[] }
      ).sessions;
      const shown = await Promise.all(
        found.map(({ session_id: id }) => cli(["show", id, "--journal", journal])),
      );

      expect(list.code).toBe(0);
      expect(shown.map(({ code }) => code)).toEqual(found.map(() => 0));
      expect(found.filter(({ verdict }) => verdict === "running")).toEqual([]);
    },
    30_000,
  );

  test("SIGTERM ends the turn and the record in order", async () => {
    const journal = join(scratch(), "journal");
    const child = start(["demo", "--json", "--journal", journal]);
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (text.includes("rate_limit")) child.kill("SIGTERM");
    });
    const code = await new Promise((resolve) => child.on("close", resolve));

    const shown = JSON.parse(stdout) as {
      verdict: { verdict: string };
      roots: { children: { status: string }[] }[];
    };
    expect(code).toBe(143);
    expect(shown.verdict.verdict).toBe("complete");
    expect(shown.roots[0]?.children[0]?.status).toBe("interrupted");
  }, 30_000);
});
