import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/**
 * What identifies a process beyond its pid, so that a reused pid, another machine, another boot or another
 * container is not taken for the writer. The last three are known on Linux only.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** Id of the boot, `/proc/sys/kernel/random/boot_id`. */
  readonly boot?: string;
  /** The pid namespace, as `/proc/self/ns/pid` links to it. */
  readonly pidns?: string;
  /** Start of the process in clock ticks since boot, field 22 of `/proc/<pid>/stat`. */
  readonly started?: number;
}

/** Identity of the process that calls. */
export function ownIdentity(): ProcessIdentity {
  const boot = readText("/proc/sys/kernel/random/boot_id");
  const pidns = readNamespace();
  const started = processStat(process.pid)?.started;
  return {
    pid: process.pid,
    host: hostname(),
    ...(boot === undefined ? {} : { boot }),
    ...(pidns === undefined ? {} : { pidns }),
    ...(started === undefined ? {} : { started }),
  };
}

/** Whether the process that `identity` describes still runs; `"unknown"` where that cannot be told from here. */
export function processState(identity: ProcessIdentity): "alive" | "dead" | "unknown" {
  const own = ownIdentity();
  if (identity.host !== own.host) return "unknown";
  if (identity.boot === undefined || own.boot === undefined) return signalState(identity.pid);
  if (identity.boot !== own.boot) return "dead";
  if (identity.pidns !== own.pidns || identity.started === undefined) return "unknown";
  const stat = processStat(identity.pid);
  if (stat === undefined || stat.started !== identity.started) return "dead";
  return stat.state === "Z" || stat.state === "X" ? "dead" : "alive";
}

/** Without a start time a living pid may be a reused one: only its absence says something. */
function signalState(pid: number): "dead" | "unknown" {
  try {
    process.kill(pid, 0);
    return "unknown";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH" ? "dead" : "unknown";
  }
}

function processStat(pid: number): { state: string; started: number } | undefined {
  const text = readText(`/proc/${String(pid)}/stat`);
  if (text === undefined) return undefined;
  // The second field is the program's name in parentheses and may itself hold spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const started = Number(fields[19]);
  return Number.isSafeInteger(started) ? { state: fields[0] ?? "", started } : undefined;
}

function readNamespace(): string | undefined {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    // Not Linux, or /proc is hidden: the field is left out and readers answer "unknown".
    return undefined;
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1").trim();
  } catch {
    // Not Linux, /proc is hidden, or there is no such process: each means "not known".
    return undefined;
  }
}
