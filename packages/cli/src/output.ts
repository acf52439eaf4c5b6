import { writeSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

/** Where a command writes: results to standard output, everything about the work to standard error. */
export interface Output {
  /** A line of the result. */
  line(text: string): void;
  /** A part of the result, without a line break. */
  write(text: string): void;
  /** A JSON value, indented. */
  json(value: unknown): void;
  /** A line about the work: progress, warnings, what to do next. */
  note(text: string): void;
  /** Overwrites the last progress on a terminal; does nothing elsewhere. */
  progress(text: string): void;
  /** True when a person reads standard output as it comes. */
  readonly isTerminal: boolean;
  /** True when standard output is a terminal that shows colours. */
  readonly hasColor: boolean;
  /** Cells of a line. */
  readonly width: number;
  /** Resolves when everything has left the process. */
  drained(): Promise<void>;
}

/** The streams of the process. A reader that went away (`| head`) ends the process quietly. */
export function processOutput(env: Readonly<Record<string, string | undefined>>): Output {
  const { stdout, stderr } = process;
  let hasProgress = false;
  const clearProgress = (): void => {
    if (hasProgress) stderr.write("\r\u001B[K");
    hasProgress = false;
  };
  for (const stream of [stdout, stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(0);
      throw error;
    });
  }
  return {
    line: (text) => void stdout.write(`${text}\n`),
    write: (text) => void stdout.write(text),
    json: (value) => void stdout.write(`${escapeControls(JSON.stringify(value, null, 2))}\n`),
    note: (text) => {
      clearProgress();
      stderr.write(`${text}\n`);
    },
    progress: (text) => {
      if (!stderr.isTTY) return;
      clearProgress();
      stderr.write(stripVTControlCharacters(text));
      hasProgress = true;
    },
    isTerminal: stdout.isTTY,
    hasColor: stdout.isTTY && env["NO_COLOR"] === undefined && env["TERM"] !== "dumb",
    width: stdout.columns ?? widthFrom(env),
    drained: async () => {
      clearProgress();
      await Promise.all([drained(stdout), drained(stderr)]);
    },
  };
}

/**
 * JSON text that says the same and moves no cursor: control characters that JSON leaves as they are (DEL, C1) and
 * marks of direction become `\\u` escapes. They can only stand inside of strings.
 */
export function escapeControls(json: string): string {
  return json.replace(
    /[\u007F-\u009F\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Writes to standard error at once, for the last words of a process. */
export function lastWords(text: string): void {
  try {
    writeSync(2, `${text}\n`);
  } catch {
    // Standard error is gone; nobody can be told.
  }
}

function widthFrom(env: Readonly<Record<string, string | undefined>>): number {
  const columns = Number(env["COLUMNS"]);
  return Number.isInteger(columns) && columns > 0 ? columns : 100;
}

function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.writableLength === 0) resolve();
    else stream.write("", () => resolve());
  });
}
