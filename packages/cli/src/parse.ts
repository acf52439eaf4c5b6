import { parseArgs } from "node:util";
import { CliError } from "./cli-error.ts";
import { parseConfig } from "./command.ts";
import type { Arguments, Command } from "./command.ts";
import { exitCodes } from "./exit-code.ts";

/** Reads the arguments of a command. @throws CliError for what the command does not take */
export function parseArguments(command: Command, argv: readonly string[]): Arguments {
  const { values, positionals } = parse(command, argv);
  const given = positionals.length;
  const isHelp = values["help"] === true;
  if (!isHelp && (given < command.minPositionals || given > command.maxPositionals)) {
    const expected = command.positionals === "" ? "no argument" : command.positionals;
    throw usage(command, `${given} argument${given === 1 ? "" : "s"} given, expected ${expected}`);
  }
  return {
    positionals,
    text: (name) => {
      const value = values[name];
      return typeof value === "string" ? value : undefined;
    },
    texts: (name) => {
      const value = values[name];
      return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
    },
    flag: (name) => values[name] === true,
  };
}

/** A whole number from an option. @throws CliError when it is none or below `min` */
export function wholeNumber(args: Arguments, name: string, min: number): number | undefined {
  const text = args.text(name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== "" && Number.isSafeInteger(value) && value >= min) return value;
  throw new CliError(
    `--${name} takes a whole number from ${min} on, got "${text}"`,
    exitCodes.usage,
  );
}

/** Epoch seconds from an option. @throws CliError when it is no number */
export function epochSeconds(args: Arguments, name: string): number | undefined {
  const text = args.text(name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value >= 0) return value;
  throw new CliError(
    `--${name} takes epoch seconds, for example 1796089200, got "${text}"`,
    exitCodes.usage,
  );
}

/** One of a few words from an option. @throws CliError when it is another */
export function oneOf<Word extends string>(
  args: Arguments,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const text = args.text(name);
  if (text === undefined) return undefined;
  const word = words.find((candidate) => candidate === text);
  if (word !== undefined) return word;
  throw new CliError(`--${name} takes ${words.join(", ")}; got "${text}"`, exitCodes.usage);
}

function parse(command: Command, argv: readonly string[]): ReturnType<typeof parseArgs> {
  try {
    return parseArgs({ args: [...argv], options: parseConfig(command), allowPositionals: true });
  } catch (error) {
    throw usage(command, error instanceof Error ? error.message : String(error));
  }
}

function usage(command: Command, message: string): CliError {
  const text = `${command.name}: ${message}. See hermes-observer ${command.name} --help`;
  return new CliError(text, exitCodes.usage);
}
