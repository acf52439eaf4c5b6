import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { AgentError, createDemo } from "../../src/index.ts";
import { parseModelScript, readModelScript } from "../../src/testing/index.ts";

function failure(parse: () => unknown): AgentError {
  try {
    parse();
  } catch (error) {
    if (AgentError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("it was taken");
}

test.each([
  [null, "the script"],
  [{}, "the script"],
  [{ conversations: [{}] }, "conversations[0]"],
  [{ conversations: [{ name: "a" }] }, "conversations[0].steps"],
  [{ conversations: [{ name: "a", steps: [7] }] }, "conversations[0].steps[0]"],
  [{ conversations: [{ name: "a", steps: [{ txt: "typo" }] }] }, "conversations[0].steps[0].txt"],
  [
    { conversations: [{ name: "a", steps: [{ fault: { kind: "explode" } }] }] },
    "conversations[0].steps[0].fault",
  ],
  [
    { conversations: [{ name: "a", steps: [{ fault: "drop" }] }] },
    "conversations[0].steps[0].fault",
  ],
])("%j is refused at its place", (value, place) => {
  const error = failure(() => parseModelScript(value));

  expect(error.code).toBe("AGENT_INVALID_SCRIPT");
  expect(error.message).toContain(`${place}: expected`);
});

test("a script is read from a file of JSON", async () => {
  const folder = await mkdtemp(join(tmpdir(), "hermes-script-"));
  try {
    const { script } = createDemo({ scratchDir: folder });
    await writeFile(join(folder, "script.json"), JSON.stringify(script));
    await writeFile(join(folder, "broken.json"), "{");

    expect(readModelScript(join(folder, "script.json"))).toEqual(script);
    expect(failure(() => readModelScript(join(folder, "broken.json"))).message).toContain(
      "is not JSON",
    );
    await writeFile(join(folder, "other.json"), "[]");
    expect(failure(() => readModelScript(join(folder, "other.json"))).code).toBe(
      "AGENT_INVALID_SCRIPT",
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
