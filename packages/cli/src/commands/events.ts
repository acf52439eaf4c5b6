import { cleanText } from "@hermes-observer/trajectory";
import type { Arguments, CommandContext } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { findSession } from "../journal-folder.ts";
import { escapeControls } from "../output.ts";
import { sessionEvents } from "../session-events.ts";

/**
 * `events SESSION`: the raw events as lines of the wire form; the same with `--json`, which they are already. Into a
 * pipe or file they go to the byte as they were recorded.
 */
export async function events(args: Arguments, context: CommandContext): Promise<number> {
  const { output } = context;
  const { journal, sessionId } = findSession(args, context);
  const found = sessionEvents(journal, sessionId, { own: args.flag("own") });
  let count = 0;
  for (const event of found) {
    output.line(output.isTerminal ? escapeControls(event.line) : event.line);
    count += 1;
    // A pipe takes what it can; letting it drain now and then keeps a long session out of memory.
    if (count % 256 === 0) await output.drained();
  }
  for (const { kind, detail, file, offset } of found.problems()) {
    output.note(`${kind} at byte ${offset} of ${cleanText(file)}: ${cleanText(detail)}`);
  }
  return exitCodes.ok;
}
