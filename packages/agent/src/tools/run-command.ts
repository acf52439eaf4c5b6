import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";

import { BoundedOutput } from "./bounded-output.ts";

/** A shell command to be run. */
export interface CommandOptions {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxOutputChars: number;
  readonly signal: AbortSignal;
}

/** How a command ended. */
export interface CommandResult {
  /** Both output streams, in the order in which they were written. */
  readonly output: string;
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly exitSignal: string | null;
  /** Why it was stopped, if it was. */
  readonly stopped: "timeout" | "abort" | undefined;
}

/** What a process group gets to clean up after SIGTERM, before SIGKILL. */
const TERM_GRACE_MS = 500;
/** How long output is waited for once the shell itself has ended; a process in the background may hold it open. */
const DRAIN_MS = 200;

/**
 * Runs a command in a shell of its own process group. Its time over, or the signal aborted, the whole group is
 * stopped: SIGTERM, then SIGKILL.
 *
 * **Contract:** rejects only when the shell cannot be started. Input is closed: a command that asks for any gets
 * end of file.
 */
export async function runCommand(options: CommandOptions): Promise<CommandResult> {
  const child = start(options);
  const output = new BoundedOutput(options.maxOutputChars);
  child.stdout?.on("data", (bytes: Buffer) => output.add(bytes));
  child.stderr?.on("data", (bytes: Buffer) => output.add(bytes));
  let stopped: CommandResult["stopped"];
  let killTimer: ReturnType<typeof setTimeout> | undefined;
  const stop = (why: CommandResult["stopped"]): void => {
    if (stopped !== undefined) return;
    stopped = why;
    killGroup(child, "SIGTERM");
    killTimer = setTimeout(() => killGroup(child, "SIGKILL"), TERM_GRACE_MS);
  };
  const onAbort = (): void => stop("abort");
  const timer = setTimeout(() => stop("timeout"), options.timeoutMs);
  options.signal.addEventListener("abort", onAbort, { once: true });
  try {
    if (options.signal.aborted) onAbort();
    const { exitCode, exitSignal } = await ended(child);
    // The shell may have gone while the rest of its group ignores SIGTERM.
    if (stopped !== undefined) killGroup(child, "SIGKILL");
    return { output: output.text(), exitCode, exitSignal, stopped };
  } finally {
    clearTimeout(timer);
    clearTimeout(killTimer);
    options.signal.removeEventListener("abort", onAbort);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

function start({ command, cwd, env }: CommandOptions): ChildProcess {
  if (process.platform === "win32") {
    return spawn(command, {
      cwd,
      env,
      shell: true,
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
  }
  // One pipe for both streams, so that their order is the order of writing.
  return spawn("/bin/sh", ["-c", `exec 2>&1; ${command}`], {
    cwd,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function ended(
  child: ChildProcess,
): Promise<{ readonly exitCode: number | null; readonly exitSignal: string | null }> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (exitCode, exitSignal) => {
      const done = (): void => {
        clearTimeout(drained);
        resolve({ exitCode, exitSignal });
      };
      const drained = setTimeout(done, DRAIN_MS);
      child.once("close", done);
    });
  });
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // The group has gone already, which is what was wanted.
  }
}
