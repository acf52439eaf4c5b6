import { cleanText } from "@hermes-observer/trajectory";
import { CliError } from "./cli-error.ts";
import type { CommandContext } from "./command.ts";
import { commands } from "./commands.ts";
import { exitCodes } from "./exit-code.ts";
import { commandHelp, programHelp } from "./help.ts";
import { parseArguments } from "./parse.ts";
import { version } from "./version.ts";

/** Runs one command line and resolves with its exit code. Errors meant for the user are printed, others reject. */
export async function runCli(argv: readonly string[], context: CommandContext): Promise<number> {
  const { output } = context;
  const [name, ...rest] = argv;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    const asked = commands.find((command) => command.name === rest[0]);
    output.line(asked === undefined ? programHelp(commands) : commandHelp(asked));
    return name === undefined ? exitCodes.usage : exitCodes.ok;
  }
  if (name === "--version") {
    output.line(version);
    return exitCodes.ok;
  }
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) {
    const names = commands.map((candidate) => candidate.name).join(", ");
    output.note(`hermes-observer: there is no command "${cleanText(name)}"; there are ${names}`);
    return exitCodes.usage;
  }
  try {
    const args = parseArguments(command, rest);
    if (args.flag("help")) {
      output.line(commandHelp(command));
      return exitCodes.ok;
    }
    return await command.run(args, context);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    output.note(`hermes-observer: ${cleanText(error.message)}`);
    return error.exitCode;
  }
}
