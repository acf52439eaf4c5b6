import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { hookNames } from "@hermes-observer/core";
import { createIngestWriter } from "@hermes-observer/journal";
import type { IngestWriter } from "@hermes-observer/journal";
import { cleanText } from "@hermes-observer/trajectory";
import { CliError } from "../cli-error.ts";
import type { Arguments, CommandContext } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { IngestReport } from "../ingest/report.ts";
import { readWireLine, WireReader } from "../ingest/wire-line.ts";
import { splitLines } from "../ingest/split-lines.ts";
import { takeSignals } from "../interruption.ts";
import { journalFolder } from "../journal-folder.ts";
import { version } from "../version.ts";

const CLOSE_TIMEOUT_MS = 5000;

/** `ingest [FILE|-]`: records events from a file or a pipe, each once. */
export async function ingest(args: Arguments, context: CommandContext): Promise<number> {
  const { output } = context;
  const file = args.positionals[0] ?? "-";
  const writer = createIngestWriter({
    directory: journalFolder(args, context),
    producer: { name: "hermes-observer ingest", version },
    knownHooks: hookNames,
    onFault: ({ message }) => output.note(`recorder: ${cleanText(message)}`),
  });
  const report = new IngestReport(output);
  using interruption = takeSignals();
  const input = open(file);
  interruption.signal.addEventListener("abort", () => input.destroy());
  try {
    await takeAll(input, { writer, report, isAcking: args.flag("ack"), context });
  } catch (error) {
    if (!interruption.signal.aborted) throw unreadable(file, error);
  }
  const { isDrained } = await writer.close(CLOSE_TIMEOUT_MS);
  report.finish(writer.counts, args.flag("json"));
  if (interruption.exitCode !== undefined) return interruption.exitCode;
  return report.badLines === 0 && writer.counts.lost === 0 && isDrained
    ? exitCodes.ok
    : exitCodes.failed;
}

interface Intake {
  readonly writer: IngestWriter;
  readonly report: IngestReport;
  readonly isAcking: boolean;
  readonly context: CommandContext;
}

async function takeAll(input: Readable, intake: Intake): Promise<void> {
  const { writer, report, isAcking, context } = intake;
  const reader = new WireReader(writer.writer);
  for await (const lines of splitLines(input)) {
    const acknowledged: string[] = [];
    for (const line of lines) {
      const taken = readWireLine(reader, line);
      if (taken.kind === "blank") continue;
      if (taken.kind === "bad") {
        report.bad(line.number, taken.reason);
        continue;
      }
      const result = writer.append(taken.event, taken.isAtMade);
      report.took(line.number, result, taken);
      if (isAcking && result !== "lost") acknowledged.push(taken.event.id);
    }
    for (const id of acknowledged) context.output.line(cleanAck(id));
    report.progress(writer.counts);
    if (isAcking) await context.output.drained();
  }
}

/** An id as it is acknowledged: on one line, whatever it holds. */
function cleanAck(id: string): string {
  return /^[\u0021-\u007E]+$/.test(id) ? id : JSON.stringify(id);
}

function open(file: string): Readable {
  return file === "-" ? process.stdin : createReadStream(file);
}

function unreadable(file: string, error: unknown): CliError {
  const reason = error instanceof Error ? error.message : String(error);
  return new CliError(`"${file}" cannot be read: ${reason}`, exitCodes.notFound);
}
