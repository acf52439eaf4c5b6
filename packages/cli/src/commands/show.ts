import { renderTree } from "@hermes-observer/trajectory";
import type { Arguments, CommandContext } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { findSession } from "../journal-folder.ts";
import { loadSession } from "../load-session.ts";
import type { LoadedSession } from "../load-session.ts";
import type { Output } from "../output.ts";
import { priceTable } from "../prices.ts";

/** `show SESSION`: the tree of a session. */
export async function show(args: Arguments, context: CommandContext): Promise<number> {
  const { journal, summary, sessionId } = findSession(args, context);
  const loaded = loadSession(journal, sessionId, { summary, prices: priceTable(args, context) });
  if (args.flag("json")) context.output.json(jsonOf(loaded));
  else printTree(context.output, loaded);
  return exitCodes.ok;
}

/** The session as plain data. */
export function jsonOf(loaded: LoadedSession): object {
  const { sessionId, trajectory, verdict, problems } = loaded;
  return {
    session_id: sessionId,
    verdict,
    problems,
    currency: trajectory.currency,
    totals: trajectory.totals,
    counters: trajectory.counters,
    roots: trajectory.roots,
  };
}

/** The session as a picture for people. */
export function printTree(output: Output, loaded: LoadedSession): void {
  const { trajectory, verdict } = loaded;
  const options = { width: output.width, color: output.hasColor, verdict };
  output.write(`${renderTree(trajectory, options).trimEnd()}\n`);
}
