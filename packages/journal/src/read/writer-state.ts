import { processState } from "../process-identity.ts";
import type { SessionFileInfo } from "./file-info.ts";
import { lastRecord } from "./last-record.ts";
import { SourcePool } from "./source-file.ts";

/**
 * Whether more can be expected in a file: `alive` while the process that writes it runs, `closed` when it has its
 * last record, `dead` when the process ended without one, `unknown` where that cannot be told from this machine.
 */
export type WriterState = "alive" | "closed" | "dead" | "unknown";

/** State of the writer of one file. */
export function writerState(file: SessionFileInfo): WriterState {
  if (endsClosed(file.path)) return "closed";
  return file.header === null ? "unknown" : processState(file.header.identity);
}

/** State of a session: alive while one of its writers is, closed only when all are. */
export function sessionState(files: readonly SessionFileInfo[]): WriterState {
  const states = new Set(files.map(writerState));
  for (const state of ["alive", "dead", "unknown", "closed"] as const) {
    if (states.has(state)) return state;
  }
  return "unknown";
}

function endsClosed(path: string): boolean {
  const source = new SourcePool().source(path);
  try {
    const record = lastRecord(source);
    return record?.kind === "writer" && record.head["state"] === "closed";
  } catch {
    // Gone or not readable: nothing says that it was closed.
    return false;
  } finally {
    source.close();
  }
}
