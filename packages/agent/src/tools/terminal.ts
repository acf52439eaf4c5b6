import { dangersOf } from "../approval/dangerous-commands.ts";
import { numberAt, stringAt } from "./arguments.ts";
import { runCommand } from "./run-command.ts";
import type { CommandResult } from "./run-command.ts";
import type { Tool, ToolOutcome } from "./tool.ts";

/** Bounds of the terminal tool. */
export interface TerminalOptions {
  /** Time of a command that names none. Milliseconds, default 120,000. */
  readonly timeoutMs?: number;
  /** Longest time that a command may name. Milliseconds, default 600,000. */
  readonly maxTimeoutMs?: number;
  /** Characters of output that are kept. Default 30,000. */
  readonly maxOutputChars?: number;
  /** Environment of the commands. Default: that of the process, without variables whose names sound secret. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const secretName =
  /token|secret|passw|credential|api_?key|access_?key|private_?key|(?:^|_)(?:key|pass|auth)$/i;

/** Makes the tool that runs shell commands in the workspace folder. */
export function terminalTool(options: TerminalOptions = {}): Tool {
  const { timeoutMs = 120_000, maxTimeoutMs = 600_000, maxOutputChars = 30_000 } = options;
  return {
    name: "terminal",
    description:
      "Run a shell command in the workspace folder. Gives its output and, when it is not 0, its exit code.",
    parameters: {
      type: "object",
      properties: {
        command: { type: "string", minLength: 1 },
        timeout_seconds: { type: "number", minimum: 0.001, maximum: maxTimeoutMs / 1000 },
      },
      required: ["command"],
      additionalProperties: false,
    },
    hasOwnDeadline: true,
    commandOf: (args) => stringAt(args, "command"),
    dangers: (args) => dangersOf(stringAt(args, "command")),
    async run(args, { workspace, signal }) {
      const seconds = numberAt(args, "timeout_seconds");
      const limit = seconds === undefined ? timeoutMs : seconds * 1000;
      const result = await runCommand({
        command: stringAt(args, "command"),
        cwd: workspace.root,
        env: commandEnvironment(options.env ?? process.env),
        timeoutMs: limit,
        maxOutputChars,
        signal,
      });
      return outcomeOf(result, limit);
    },
  };
}

/** Variables that commands get: an agent's own keys are none of a command's business. */
export function commandEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !secretName.test(name)) kept[name] = value;
  }
  return { ...kept, TERM: "dumb" };
}

function outcomeOf(
  { output, exitCode, exitSignal, stopped }: CommandResult,
  limitMs: number,
): ToolOutcome {
  const note = (text: string): string =>
    output === "" ? `[${text}]` : `${output.trimEnd()}\n[${text}]`;
  if (stopped === "abort") {
    const message = "the command was stopped";
    return { status: "cancelled", result: note(message), errorType: "user_interrupt", message };
  }
  if (stopped === "timeout") {
    const message = `the command was stopped after ${limitMs / 1000} s`;
    return { status: "timeout", result: note(message), errorType: "tool_timeout", message };
  }
  if (exitCode === 0) return { status: "ok", result: output === "" ? "(no output)" : output };
  const message = exitCode === null ? `ended by ${exitSignal}` : `exit code ${exitCode}`;
  return { status: "error", result: note(message), errorType: "tool_error", message };
}
