import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { EventRecord, Payload } from "@hermes-observer/core";
import { createRecorder, openJournal } from "../src/index.ts";
import type { JournalFault, Recorder, RecorderOptions } from "../src/index.ts";

/** A folder that is gone when the test is over. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "hermes-journal-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** A recorder in a new journal, with the faults that it reported. */
export function scratchRecorder(options: Partial<RecorderOptions> = {}): {
  readonly recorder: Recorder;
  readonly directory: string;
  readonly faults: readonly JournalFault[];
} {
  const directory = options.directory ?? join(scratchFolder(), "journal");
  const faults: JournalFault[] = [];
  const recorder = createRecorder({
    producer: { name: "test", version: "1.0.0" },
    onFault: (fault) => faults.push(fault),
    ...options,
    directory,
  });
  return { recorder, directory, faults };
}

/** An event of a known hook. */
export function event(id: string, payload: Payload, hook = "post_tool_call"): EventRecord {
  return { id, at: 1_796_089_200.123, hook, payload };
}

/** The lines of a session and the problems met on the way. */
export function readBack(
  directory: string,
  sessionId: string,
): { readonly lines: readonly string[]; readonly problems: readonly string[] } {
  const reader = openJournal(directory).readSession(sessionId);
  const lines = [...reader.rawEvents()];
  return { lines, problems: reader.problems.map(({ kind }) => kind) };
}

/** The line of the wire form that an event must be read back as. */
export function lineOf(record: EventRecord): string {
  return JSON.stringify({
    id: record.id,
    at: record.at,
    hook: record.hook,
    payload: record.payload,
  });
}

/** Text of a length that does not repeat itself. */
export function textOf(length: number, seed: string): string {
  let text = "";
  for (let index = 0; text.length < length; index++) text += `${seed}-${index.toString(36)} `;
  return text.slice(0, length);
}
