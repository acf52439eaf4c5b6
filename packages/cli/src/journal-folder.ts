import { resolve } from "node:path";
import { journalDirectory } from "@hermes-observer/host";
import { openJournal } from "@hermes-observer/journal";
import type { Journal, SessionSummary } from "@hermes-observer/journal";
import { CliError } from "./cli-error.ts";
import type { Arguments, CommandContext } from "./command.ts";
import { exitCodes } from "./exit-code.ts";

/** The journal folder that the command line or the environment names. */
export function journalFolder(args: Arguments, context: CommandContext): string {
  const given = args.text("journal");
  if (given === "") throw new CliError('--journal takes a folder, got ""', exitCodes.usage);
  return given === undefined ? journalDirectory(context.env) : resolve(given);
}

/** A journal and one of its sessions, found by the id or its beginning. @throws CliError when there is none */
export function findSession(
  args: Arguments,
  context: CommandContext,
): { journal: Journal; summary: SessionSummary; sessionId: string } {
  const folder = journalFolder(args, context);
  const journal = openJournal(folder);
  const wanted = args.positionals[0] ?? "";
  const found = journal.findSession(wanted);
  if (found.kind === "found") {
    return { journal, summary: found.summary, sessionId: found.summary.sessionId ?? wanted };
  }
  if (found.kind === "ambiguous") {
    const ids = found.sessionIds.join(", ");
    throw new CliError(
      `"${wanted}" begins several sessions: ${ids}; give more of the id`,
      exitCodes.notFound,
    );
  }
  throw new CliError(
    `there is no session "${wanted}" in ${folder}; hermes-observer sessions lists what is there`,
    exitCodes.notFound,
  );
}
