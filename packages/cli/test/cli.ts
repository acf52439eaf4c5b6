import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const launcher = fileURLToPath(new URL("../bin/hermes-observer.js", import.meta.url));

/** What a command printed and how it ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder that is removed after the test. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "hermes-observer-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts the command as users do: a process of its own. */
export function start(
  args: readonly string[],
  env: Record<string, string> = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [launcher, ...args], {
    env: { PATH: process.env["PATH"] ?? "", HOME: tmpdir(), COLUMNS: "100", ...env },
  });
}

/** Runs a command to its end. */
export async function cli(
  args: readonly string[],
  input = "",
  env: Record<string, string> = {},
): Promise<Ended> {
  const child = start(args, env);
  const ended = collect(child);
  child.stdin.on("error", () => {}); // a command that does not read its input closes it
  child.stdin.end(input);
  return ended;
}

/** Output and exit code of a process. */
export function collect(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
}

/** Every file below a folder. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

/** All bytes of a folder, to search them. */
export function bytesBelow(folder: string): string {
  return filesBelow(folder)
    .map((path) => readFileSync(path, "latin1"))
    .join("\n");
}

/** Lines of the wire form. */
export function wire(...events: readonly object[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join("");
}
