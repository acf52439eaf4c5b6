import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openJournal, verifyChain } from "../src/index.ts";
import { startChild } from "./run-child.ts";
import { scratchFolder } from "./scratch.ts";

/** Kills a recording process when it has said a number of bytes, and returns the ids that it said. */
async function killAfter(
  directory: string,
  session: string,
  bytes: number,
): Promise<readonly string[]> {
  const child = startChild("acknowledging.ts", [directory, session]);
  let said = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    if (said.length >= bytes) child.kill("SIGKILL");
  });
  await once(child, "close");
  // The last line may be cut by the kill.
  return said.slice(0, said.lastIndexOf("\n")).split("\n");
}

describe("a process that is killed", () => {
  test("at random moments leaves journals that open, hold every acknowledged event, and have a dead writer", async () => {
    const directory = join(scratchFolder(), "journal");

    for (let round = 0; round < 12; round++) {
      const session = `s${round}`;
      const acknowledged = await killAfter(
        directory,
        session,
        1 + Math.floor(Math.random() * 20_000),
      );
      const journal = openJournal(directory);
      const reader = journal.readSession(session);
      const ids = [...reader].map(({ id }) => id);

      expect(ids.slice(0, acknowledged.length)).toEqual(acknowledged);
      expect(ids.length - acknowledged.length).toBeLessThanOrEqual(400);
      expect(reader.problems.filter(({ kind }) => kind !== "torn_tail")).toEqual([]);
      expect(journal.sessionState(session)).toBe("dead");
    }
  });
});

describe("several processes at once (K50)", () => {
  test("append thousands of events to one journal: every line reads, the counts are exact, each file has its chain", async () => {
    const directory = join(scratchFolder(), "journal");
    const perProcess = 2500;

    const children = Array.from({ length: 4 }, () =>
      startChild("acknowledging.ts", [directory, "shared", String(perProcess)]),
    );
    for (const child of children) child.stdout?.resume();
    const codes = await Promise.all(
      children.map(async (child) => (await once(child, "close"))[0] as number),
    );
    const journal = openJournal(directory);
    const reader = journal.readSession("shared");
    const perWriter = new Map<string, number[]>();
    for (const { id } of reader) {
      const [pid = "", n = ""] = id.split(":");
      perWriter.set(pid, [...(perWriter.get(pid) ?? []), Number(n)]);
    }

    expect(codes).toEqual([0, 0, 0, 0]);
    expect(reader.problems).toEqual([]);
    expect(perWriter.size).toBe(4);
    const inOrder = Array.from({ length: perProcess }, (_, index) => index + 1);
    for (const numbers of perWriter.values()) expect(numbers).toEqual(inOrder);
    expect(journal.sessionState("shared")).toBe("closed");
    for (const { path } of journal.sessionFiles("shared"))
      expect(verifyChain(path).problems).toEqual([]);
  });
});
