import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Starts a script of `children/` from source. */
export function startChild(script: string, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, ["-C", "@hermes-observer/source", childPath(script), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** Runs a script of `children/` to its end, under limits of `ulimit`, and returns what it printed. */
export function runChild(script: string, args: readonly string[], limits = "true"): unknown {
  const command = `${limits} && exec "$0" "$@"`;
  const done = spawnSync(
    "sh",
    ["-c", command, process.execPath, "-C", "@hermes-observer/source", childPath(script), ...args],
    {
      encoding: "utf8",
    },
  );
  if (done.status !== 0)
    throw new Error(`${script} ended with ${String(done.status)}: ${done.stderr}`);
  return JSON.parse(done.stdout);
}

function childPath(script: string): string {
  return fileURLToPath(new URL(`./children/${script}`, import.meta.url));
}
