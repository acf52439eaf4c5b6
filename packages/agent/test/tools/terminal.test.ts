import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";

import { BoundedOutput } from "../../src/tools/bounded-output.ts";
import { runCommand } from "../../src/tools/run-command.ts";
import { commandEnvironment, terminalTool } from "../../src/tools/terminal.ts";
import type { TerminalOptions } from "../../src/tools/terminal.ts";
import type { ToolOutcome } from "../../src/index.ts";
import { Workspace } from "../../src/tools/workspace.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hermes-terminal-"));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

function run(
  command: string,
  options: TerminalOptions = {},
  more: { timeout_seconds?: number; signal?: AbortSignal } = {},
): Promise<ToolOutcome> {
  const { signal = new AbortController().signal, ...args } = more;
  return terminalTool(options).run(
    { command, ...args },
    {
      signal,
      workspace: new Workspace(folder),
      delegate: () => Promise.reject(new Error("not used")),
    },
  );
}

test("output of both streams comes in the order in which it was written", async () => {
  expect(await run("for i in 1 2 3; do echo out $i; echo err $i >&2; done")).toEqual({
    status: "ok",
    result: "out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n",
  });
});

test("a command runs in the workspace, with closed input", async () => {
  expect((await run("touch here; cat; ls")).result).toBe("here\n");
  expect(existsSync(join(folder, "here"))).toBe(true);
});

test("a command without output says so", async () => {
  expect(await run("true")).toEqual({ status: "ok", result: "(no output)" });
});

test.each([
  ["exit 1", "[exit code 1]", "exit code 1"],
  ["echo no; exit 42", "no\n[exit code 42]", "exit code 42"],
  ["kill -9 $$", "[ended by SIGKILL]", "ended by SIGKILL"],
])("%s is an error", async (command, result, message) => {
  expect(await run(command)).toEqual({ status: "error", errorType: "tool_error", result, message });
});

test("a command that is not there is an error with the shell's words", async () => {
  const outcome = await run("no-such-command-here");

  expect(outcome.status).toBe("error");
  expect(outcome.result).toMatch(/not found[^]*\[exit code 127\]/);
});

test("a command that takes too long is stopped with everything that it started", async () => {
  const began = performance.now();

  const outcome = await run(
    "echo begun; (sleep 1; touch survived) & sleep 60",
    {},
    { timeout_seconds: 0.1 },
  );

  expect(performance.now() - began).toBeLessThan(1_000);
  expect(outcome).toEqual({
    status: "timeout",
    errorType: "tool_timeout",
    message: "the command was stopped after 0.1 s",
    result: "begun\n[the command was stopped after 0.1 s]",
  });
});

test("a command that ignores being asked is killed", async () => {
  const began = performance.now();

  const outcome = await run("trap '' TERM; while :; do sleep 0.1; done", { timeoutMs: 50 });

  expect(outcome.status).toBe("timeout");
  expect(performance.now() - began).toBeLessThan(2_000);
});

test("an abort stops the command; one that came before keeps it from doing much", async () => {
  const controller = new AbortController();
  const running = run("sleep 60", {}, { signal: controller.signal });
  controller.abort();

  expect(await running).toMatchObject({ status: "cancelled", errorType: "user_interrupt" });
  expect(await run("sleep 60", {}, { signal: AbortSignal.abort() })).toMatchObject({
    status: "cancelled",
  });
});

test("a process that stays in the background does not hold the call up", async () => {
  const began = performance.now();

  const outcome = await run("sleep 5 & echo started");

  expect(outcome).toEqual({ status: "ok", result: "started\n" });
  expect(performance.now() - began).toBeLessThan(2_000);
});

test("output up to the limit is whole, and of more the two ends stay", async () => {
  const whole = await run("printf 0123456789", { maxOutputChars: 10 });
  const cut = await run("printf 0123456789X", { maxOutputChars: 10 });

  expect(whole.result).toBe("0123456789");
  expect(cut.result).toBe("01234\n[cut: 1 characters left out]\n6789X");
});

test("a flood of output is bounded in memory and in the result", async () => {
  const outcome = await run("yes | head -c 20000000", { maxOutputChars: 1_000 });

  expect(outcome.status).toBe("ok");
  expect(outcome.result.length).toBeLessThan(1_100);
  expect(outcome.result).toContain("[cut: 19999000 characters left out]");
});

test("bounded output is the text itself or its two ends, however it arrives", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme", maxLength: 12 }), { maxLength: 20 }),
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: 1, max: 7 }),
      (pieces, limit, size) => {
        const text = pieces.join("");
        const bytes = Buffer.from(text);
        const output = new BoundedOutput(limit);
        for (let at = 0; at < bytes.length; at += size) output.add(bytes.subarray(at, at + size));
        const kept = output.text();
        if (text.length <= limit) expect(kept).toBe(text);
        else {
          const left = text.length - limit;
          const tail = text.slice(text.length - Math.floor(limit / 2));
          expect(kept).toBe(
            `${text.slice(0, Math.ceil(limit / 2))}\n[cut: ${left} characters left out]\n${tail}`,
          );
        }
      },
    ),
  );
});

test("commands do not get variables whose names sound secret", async () => {
  const env = {
    PATH: process.env["PATH"],
    OPENAI_API_KEY: "sk-1",
    GITHUB_TOKEN: "t",
    DB_PASSWORD: "p",
    SERVICE_AUTH: "a",
    HOME: "/home/ada",
    SSH_AUTH_SOCK: "/run/agent",
    NOTHING: undefined,
  };

  expect(Object.keys(commandEnvironment(env)).sort()).toEqual([
    "HOME",
    "PATH",
    "SSH_AUTH_SOCK",
    "TERM",
  ]);
  expect((await run("echo [$OPENAI_API_KEY]", { env })).result).toBe("[]\n");
});

test("a shell that cannot be started is an error of the call", async () => {
  const { signal } = new AbortController();

  await expect(
    runCommand({
      command: "true",
      cwd: join(folder, "none"),
      env: {},
      timeoutMs: 1_000,
      maxOutputChars: 10,
      signal,
    }),
  ).rejects.toThrow("ENOENT");
});
