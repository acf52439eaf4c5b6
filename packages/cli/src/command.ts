import type { ParseArgsOptionsConfig } from "node:util";
import type { Output } from "./output.ts";

/** Values of options and positional arguments, checked against the command's own table. */
export interface Arguments {
  readonly positionals: readonly string[];
  /** A text option; undefined when it was not given. */
  text(name: string): string | undefined;
  /** Every value of an option that may be repeated. */
  texts(name: string): readonly string[];
  flag(name: string): boolean;
}

/** What a command gets beside its arguments. */
export interface CommandContext {
  readonly output: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** One option as `--help` shows it. */
export interface OptionHelp {
  readonly type: "boolean" | "string";
  readonly multiple?: boolean;
  /** Stands for the value in the help text. */
  readonly value?: string;
  readonly description: string;
}

/** A command: its help, its options, and its work, loaded when it is called. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Positional arguments as shown in the usage line: `SESSION`, `[FILE|-]`. */
  readonly positionals: string;
  readonly minPositionals: number;
  readonly maxPositionals: number;
  readonly options: Readonly<Record<string, OptionHelp>>;
  readonly examples: readonly string[];
  /** Longer text under the summary. */
  readonly details?: string;
  /** Loads and runs the command; resolves with the exit code. */
  readonly run: (args: Arguments, context: CommandContext) => Promise<number>;
}

/** Options that every command has. */
export const commonOptions: Readonly<Record<string, OptionHelp>> = {
  journal: {
    type: "string",
    value: "DIR",
    description:
      "journal folder (default: $HERMES_OBSERVER_HOME/journal, else the platform's data folder)",
  },
  json: { type: "boolean", description: "print machine-readable JSON" },
  help: { type: "boolean", description: "show this help" },
};

/** The option table in the form that node:util takes. */
export function parseConfig(command: Command): ParseArgsOptionsConfig {
  const config: ParseArgsOptionsConfig = { help: { type: "boolean", short: "h" } };
  for (const [name, { type, multiple }] of Object.entries({
    ...command.options,
    ...commonOptions,
  })) {
    config[name] ??= { type, ...(multiple === true ? { multiple } : {}) };
  }
  return config;
}
