import { Agent } from "@hermes-observer/agent";
import type { AgentModel, AgentOptions, AgentUi, TurnResult } from "@hermes-observer/agent";
import { openJournal } from "@hermes-observer/journal";
import { cleanText } from "@hermes-observer/trajectory";
import type { Arguments, CommandContext } from "./command.ts";
import { jsonOf, printTree } from "./commands/show.ts";
import { exitCodes } from "./exit-code.ts";
import { guardAgainstPlugins, takeSignals } from "./interruption.ts";
import { loadSession } from "./load-session.ts";
import { priceTable } from "./prices.ts";
import { openRecording } from "./recording.ts";

/** One task for the agent. */
export interface AgentTask extends Partial<
  Omit<AgentOptions, "lifecycle" | "model" | "workspace" | "ui">
> {
  readonly task: string;
  readonly model: AgentModel;
  readonly workspace: string;
  readonly ui: AgentUi;
}

/** Lets the agent do a task, records it, and shows what was recorded, read back from the journal. */
export async function runAgent(
  task: AgentTask,
  args: Arguments,
  context: CommandContext,
): Promise<number> {
  const { output } = context;
  const prices = priceTable(args, context);
  const recording = await openRecording(args, context);
  const { lifecycle, random, folder } = recording;
  using interruption = takeSignals();
  using _guard = guardAgainstPlugins((text) => output.note(cleanText(text)));
  // Calls that run side by side end in whatever order; a run that is to repeat takes them one by one.
  const limits =
    args.text("seed") === undefined ? task.limits : { ...task.limits, maxParallelTools: 1 };
  const agent = new Agent({
    ...task,
    lifecycle,
    random,
    ...(limits === undefined ? {} : { limits }),
  });
  const session = agent.startSession();
  const sessionId = session.session_id;
  const result = await session.send(task.task, { signal: interruption.signal });
  session.finalize("shutdown");
  await recording.close();

  const journal = openJournal(folder);
  const found = journal.findSession(sessionId);
  if (found.kind !== "found") {
    output.note(`nothing was recorded in ${cleanText(folder)}; the lines above say why`);
    return exitCodes.failed;
  }
  const loaded = loadSession(journal, sessionId, { summary: found.summary, prices });
  if (args.flag("json")) {
    output.json({ ...jsonOf(loaded), answer: result.text, journal: folder });
  } else {
    output.line("");
    printTree(output, loaded);
    output.line("");
    output.line(`recorded in ${folder}`);
    output.line(`  ${nextCommand("show", sessionId, args)}`);
    output.line(`  ${nextCommand("events", sessionId, args)}`);
    output.line(`  ${nextCommand("verdict", sessionId, args)}`);
  }
  return interruption.exitCode ?? exitCodeOf(result);
}

function exitCodeOf(result: TurnResult): number {
  if (result.interrupted) return exitCodes.interrupted;
  return result.completed ? exitCodes.ok : exitCodes.failed;
}

/** A command that works as it stands, in this folder and with this journal. */
function nextCommand(name: string, sessionId: string, args: Arguments): string {
  const journal = args.text("journal");
  const where = journal === undefined ? "" : ` --journal ${quoted(journal)}`;
  return `npx hermes-observer ${name} ${quoted(sessionId)}${where}`;
}

function quoted(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
