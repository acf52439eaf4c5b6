import { commonOptions } from "./command.ts";
import type { Command, OptionHelp } from "./command.ts";
import { exitCodeText } from "./exit-code.ts";

/** The help of the whole program. */
export function programHelp(commands: readonly Command[]): string {
  const width = Math.max(
    ...commands.map(({ name, positionals }) => `${name} ${positionals}`.length),
  );
  const rows = commands.map(
    ({ name, positionals, summary }) => `  ${`${name} ${positionals}`.padEnd(width)}  ${summary}`,
  );
  return [
    "hermes-observer: the flight recorder for LLM agents",
    "",
    "Usage: hermes-observer COMMAND [OPTIONS]",
    "",
    "Commands:",
    ...rows,
    "",
    "Example:",
    "  hermes-observer demo",
    "",
    "Exit codes:",
    `  ${exitCodeText}`,
    "",
    "hermes-observer COMMAND --help shows the options of a command, with an example.",
  ].join("\n");
}

/** The help of one command. */
export function commandHelp(command: Command): string {
  const options = Object.entries({ ...command.options, ...commonOptions });
  const width = Math.max(...options.map(([name, option]) => flagOf(name, option).length));
  const rows = options.map(
    ([name, option]) => `  ${flagOf(name, option).padEnd(width)}  ${option.description}`,
  );
  const usage = ["hermes-observer", command.name, command.positionals, "[OPTIONS]"];
  return [
    command.summary,
    ...(command.details === undefined ? [] : ["", command.details]),
    "",
    `Usage: ${usage.filter((part) => part !== "").join(" ")}`,
    "",
    "Options:",
    ...rows,
    "",
    command.examples.length === 1 ? "Example:" : "Examples:",
    ...command.examples.map((example) => `  ${example}`),
    "",
    "Exit codes:",
    `  ${exitCodeText}`,
  ].join("\n");
}

function flagOf(name: string, option: OptionHelp): string {
  return option.type === "boolean" ? `--${name}` : `--${name} ${option.value ?? "VALUE"}`;
}
