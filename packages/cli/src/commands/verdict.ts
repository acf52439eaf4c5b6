import { cleanText } from "@hermes-observer/trajectory";
import type { Verdict } from "@hermes-observer/trajectory";
import type { Arguments, CommandContext } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { findSession } from "../journal-folder.ts";
import { loadSession } from "../load-session.ts";
import { priceTable } from "../prices.ts";

const codes: Readonly<Record<Verdict["verdict"], number>> = {
  complete: exitCodes.ok,
  incomplete: exitCodes.failed,
  running: exitCodes.running,
};

const sentences: Readonly<Record<Verdict["verdict"], string>> = {
  complete: "complete: everything that was opened was closed, and nothing is missing",
  incomplete: "incomplete:",
  running: "running: the writer lives and something is open",
};

/** `verdict SESSION`: whether the record is complete, and what is missing. */
export async function verdictOf(args: Arguments, context: CommandContext): Promise<number> {
  const { output } = context;
  const { journal, summary, sessionId } = findSession(args, context);
  const { verdict } = loadSession(journal, sessionId, {
    summary,
    prices: priceTable(args, context),
  });
  if (args.flag("json")) {
    output.json({ session_id: sessionId, ...verdict });
    return codes[verdict.verdict];
  }
  output.line(`${cleanText(sessionId)}: ${sentences[verdict.verdict]}`);
  for (const { code, message, event_id: event } of verdict.reasons) {
    output.line(
      `  ${code}: ${cleanText(message)}${event === undefined ? "" : ` (event ${cleanText(event)})`}`,
    );
  }
  for (const { code, message } of verdict.notices)
    output.line(`  notice ${code}: ${cleanText(message)}`);
  return codes[verdict.verdict];
}
