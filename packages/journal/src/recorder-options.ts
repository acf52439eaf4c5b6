import { resolve } from "node:path";
import { hookNames, type Producer } from "@hermes-observer/core";
import type { JournalFault } from "./recorder-fault.ts";
import type { FsyncPolicy } from "./write/sync-policy.ts";
import type { WriteMode } from "./write/writer-record.ts";

/** When writing moves from the emitting thread to one of its own. */
export interface SlowWritePolicy {
  /** A write that takes longer is slow; milliseconds. */
  readonly slowWriteMs: number;
  /** So many slow writes among 64 in a row switch to the worker. */
  readonly count: number;
}

/** Options of a recorder; all but the directory and the producer have defaults. */
export interface RecorderOptions {
  /** The journal's root folder; made 0700 where it is missing. */
  readonly directory: string;
  /** Who makes the events: name, version and, if known, what it can fire. Stands in the first record of each file. */
  readonly producer: Producer;
  /** Id of this recorder; default random. Where another recorder has it already, a suffix is added. */
  readonly writer?: string;
  /** Default `"sync"`: written before the callback returns. */
  readonly mode?: WriteMode;
  /** Default `"never"`. */
  readonly fsync?: FsyncPolicy;
  /** Open descriptors of session files; default 64. */
  readonly maxOpenFiles?: number;
  /** Sessions whose place in their file is remembered; default 10,000. */
  readonly maxSessions?: number;
  /** Characters, over all sessions, held to recognise what is stored already; default 64 Mi. */
  readonly dedupeChars?: number;
  /** Default: three writes over 100 ms among 64. `false`: stay in `"sync"`. */
  readonly slowWrites?: SlowWritePolicy | false;
  /** Bytes that may wait for the worker; events beyond are lost and counted. Default 64 MiB. */
  readonly maxWorkerQueueBytes?: number;
  /** Names of the hooks that do not get the flag `unknown_hook`; default: those of the contract. */
  readonly knownHooks?: Iterable<string>;
  /** Keep `assistant_message`, `request_messages` and `conversation_history`; default false. */
  readonly keepLegacyRawFields?: boolean;
  /** Told, once and then at most once a minute for each reason, what could not be recorded. May not throw. */
  readonly onFault?: (fault: JournalFault) => void;
  /** Epoch seconds for what has no envelope: first and last records, gaps, the day of a new file. */
  readonly now?: () => number;
}

/** Options with every default filled in. */
export type ResolvedOptions = Required<Omit<RecorderOptions, "onFault" | "knownHooks">> & {
  readonly onFault: ((fault: JournalFault) => void) | undefined;
  readonly knownHooks: ReadonlySet<string>;
};

const defaults = {
  mode: "sync",
  fsync: "never",
  maxOpenFiles: 64,
  maxSessions: 10_000,
  dedupeChars: 64 * 1024 * 1024,
  slowWrites: { slowWriteMs: 100, count: 3 },
  maxWorkerQueueBytes: 64 * 1024 * 1024,
  keepLegacyRawFields: false,
  now: (): number => Date.now() / 1000,
} as const satisfies Partial<RecorderOptions>;

/** Fills in the defaults. @throws RangeError, TypeError for values that cannot be meant. */
export function resolveOptions(options: RecorderOptions): ResolvedOptions {
  if (typeof options.directory !== "string" || options.directory === "") {
    throw new TypeError("createRecorder: `directory` must be the path of the journal's folder");
  }
  const resolved: ResolvedOptions = {
    ...defaults,
    ...options,
    // Resolved once: a host that changes its working folder goes on in the same journal.
    directory: resolve(options.directory),
    // Each file begins with the producer: one that is no JSON is better found out here than at the first event.
    producer: JSON.parse(JSON.stringify(options.producer)) as Producer,
    writer: options.writer ?? randomWriter(),
    onFault: options.onFault,
    knownHooks: new Set<string>(options.knownHooks ?? hookNames),
  };
  for (const name of ["maxOpenFiles", "maxSessions", "maxWorkerQueueBytes"] as const) {
    atLeastOne(resolved[name], name);
  }
  return resolved;
}

function atLeastOne(value: number, name: string): void {
  if (Number.isFinite(value) && value >= 1) return;
  throw new RangeError(`createRecorder: \`${name}\` must be 1 or more, not ${String(value)}`);
}

function randomWriter(): string {
  const bytes = crypto.getRandomValues(new Uint32Array(2));
  return [...bytes].map((part) => part.toString(36).padStart(7, "0")).join("");
}
