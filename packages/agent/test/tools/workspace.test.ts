import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";

import { AgentError } from "../../src/index.ts";
import { readFileTool, writeFileTool } from "../../src/tools/file-tools.ts";
import { listFilesTool, searchFilesTool } from "../../src/tools/search-tools.ts";
import { terminalTool } from "../../src/tools/terminal.ts";
import type { Tool, ToolOutcome } from "../../src/index.ts";
import { Workspace } from "../../src/tools/workspace.ts";

let outside: string;
let workspace: Workspace;

beforeEach(async () => {
  outside = await mkdtemp(join(tmpdir(), "hermes-workspace-"));
  await mkdir(join(outside, "root", "src"), { recursive: true });
  await writeFile(join(outside, "secret.txt"), "secret");
  await writeFile(join(outside, "root", "plain.txt"), "plain\nlines\n");
  await symlink(join(outside, "secret.txt"), join(outside, "root", "link.txt"));
  await symlink(outside, join(outside, "root", "up"));
  await symlink("plain.txt", join(outside, "root", "alias.txt"));
  workspace = new Workspace(join(outside, "root"));
});

afterEach(async () => {
  await rm(outside, { recursive: true, force: true });
});

function run(tool: Tool, args: Record<string, unknown>): Promise<ToolOutcome> {
  const { signal } = new AbortController();
  return tool.run(args, {
    workspace,
    signal,
    delegate: () => Promise.reject(new Error("not used")),
  });
}

const escapes = [
  "../secret.txt",
  "src/../../secret.txt",
  "/etc/passwd",
  "link.txt",
  "up/secret.txt",
  "a\0b",
  "..",
];

test.each(escapes)("%j cannot be read", async (path) => {
  expect(await run(readFileTool, { path })).toMatchObject({
    status: "error",
    errorType: "path_refused",
  });
});

test.each([...escapes, ".", "up/new/file.txt"])("%j cannot be written", async (path) => {
  const outcome = await run(writeFileTool, { path, content: "changed" });

  expect(outcome).toMatchObject({ status: "error", errorType: "path_refused" });
  expect(await readFile(join(outside, "secret.txt"), "utf8")).toBe("secret");
});

test.each([listFilesTool, searchFilesTool])("$name does not leave the folder", async (tool) => {
  for (const path of ["..", "up", "/"]) {
    expect(await run(tool, { path, text: "secret" })).toMatchObject({ errorType: "path_refused" });
  }
  const outcome = await run(tool, { text: "secret" });
  expect(outcome.result).not.toContain("secret");
});

test("no path leads out, whatever it is made of", async () => {
  const part = fc.constantFrom(
    "..",
    ".",
    "src",
    "up",
    "link.txt",
    "plain.txt",
    "secret.txt",
    "",
    "root",
    "~",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
      const outcome = await run(readFileTool, { path: parts.join("/") || "." });
      expect(outcome.result).not.toContain("secret\n");
      if (outcome.status === "ok") expect(outcome.result).toBe("plain\nlines\n");
    }),
  );
});

test("a link that stays inside is followed", async () => {
  expect(await run(readFileTool, { path: "alias.txt" })).toEqual({
    status: "ok",
    result: "plain\nlines\n",
  });
});

test("a link is not written through, also when it stays inside", async () => {
  expect(await run(writeFileTool, { path: "alias.txt", content: "x" })).toMatchObject({
    errorType: "path_refused",
  });
});

test("folders are made for a new file, and an old one is replaced whole", async () => {
  expect(await run(writeFileTool, { path: "a/b/c.txt", content: "größer" })).toEqual({
    status: "ok",
    result: "Wrote 8 bytes to a/b/c.txt",
  });
  await run(writeFileTool, { path: "a/b/c.txt", content: "x" });
  expect(await readFile(join(workspace.root, "a/b/c.txt"), "utf8")).toBe("x");
});

test("a pipe does not hold the tool up", async () => {
  await run(terminalTool(), { command: "mkfifo pipe" });

  expect(await run(readFileTool, { path: "pipe" })).toMatchObject({ errorType: "path_refused" });
});

test("errors name the path as it was given, never the folder", async () => {
  for (const [tool, args] of [
    [readFileTool, { path: "missing" }],
    [readFileTool, { path: "src" }],
    [readFileTool, { path: "plain.txt/x" }],
    [writeFileTool, { path: "src", content: "" }],
    [writeFileTool, { path: "plain.txt/x/y", content: "" }],
    [listFilesTool, { path: "plain.txt" }],
    [searchFilesTool, { path: "none", text: "x" }],
  ] as const) {
    const outcome = await run(tool, args);
    expect(outcome.status).toBe("error");
    expect(JSON.stringify(outcome)).not.toContain(outside);
  }
});

test("the last byte of a whole file is read, and one more is cut and counted", async () => {
  const limit = 256 * 1024;
  await writeFile(join(workspace.root, "whole"), "x".repeat(limit));
  await writeFile(join(workspace.root, "cut"), "x".repeat(limit + 1));

  expect((await run(readFileTool, { path: "whole" })).result).toHaveLength(limit);
  expect((await run(readFileTool, { path: "cut" })).result).toContain(
    `[cut: 1 of ${limit + 1} bytes left out]`,
  );
});

test("a binary file is not read as text", async () => {
  await writeFile(join(workspace.root, "binary"), Buffer.from([1, 0, 2]));

  expect(await run(readFileTool, { path: "binary" })).toMatchObject({
    status: "error",
    errorType: "tool_error",
  });
});

test("files are listed in one order everywhere, without links and dependencies", async () => {
  for (const path of [
    "src/b.ts",
    "src/a.ts",
    "src/A.ts",
    "node_modules/x.js",
    ".git/config",
    "z/y.ts",
  ]) {
    await run(writeFileTool, { path, content: "needle" });
  }

  expect((await run(listFilesTool, {})).result.split("\n")).toEqual([
    "plain.txt",
    "src/A.ts",
    "src/a.ts",
    "src/b.ts",
    "z/y.ts",
  ]);
  expect((await run(listFilesTool, { path: "src" })).result).toBe("src/A.ts\nsrc/a.ts\nsrc/b.ts");
  expect((await run(searchFilesTool, { text: "needle" })).result).not.toContain("node_modules");
});

test("a search names file, line and text", async () => {
  expect((await run(searchFilesTool, { text: "line" })).result).toBe("plain.txt:2: lines");
  expect((await run(searchFilesTool, { text: "none of it" })).result).toBe("(no matches)");
});

test("an empty folder has no files", async () => {
  expect((await run(listFilesTool, { path: "src" })).result).toBe("(no files)");
});

test("the last file and match within the limit are shown, and more are cut and said", async () => {
  for (let index = 0; index < 1_000; index += 1) {
    await writeFile(join(workspace.root, "src", `f${String(index).padStart(4, "0")}`), "hit");
  }
  const full = (await run(listFilesTool, { path: "src" })).result.split("\n");
  await writeFile(join(workspace.root, "src", "one-more"), "hit");
  const cut = (await run(listFilesTool, { path: "src" })).result.split("\n");
  const matches = (await run(searchFilesTool, { path: "src", text: "hit" })).result.split("\n");

  expect(full).toHaveLength(1_000);
  expect(cut.at(-1)).toBe("[cut: more than 1000 files]");
  expect(matches).toHaveLength(201);
  expect(matches.at(-1)).toBe("[cut: more than 200 matches]");
});

test("a listing stops when it is told to", async () => {
  const context = {
    workspace,
    signal: AbortSignal.abort(),
    delegate: () => Promise.reject(new Error()),
  };

  await expect(listFilesTool.run({}, context)).rejects.toThrow("abort");
});

test("a refusal is a coded error", async () => {
  const error: unknown = await workspace.existing("..").catch((thrown: unknown) => thrown);

  expect(AgentError.isInstance(error) && error.code).toBe("AGENT_PATH_REFUSED");
});
