import {
  fixedClock,
  Hooks,
  Lifecycle,
  randomIds,
  seededIds,
  seededRandom,
  systemClock,
} from "@hermes-observer/core";
import type { Clock, Fault } from "@hermes-observer/core";
import { agentProducer } from "@hermes-observer/agent";
import { closeWithin, HostError, loadPlugin } from "@hermes-observer/host";
import { createRecorder } from "@hermes-observer/journal";
import { cleanText } from "@hermes-observer/trajectory";
import type { Arguments, CommandContext } from "./command.ts";
import { journalFolder } from "./journal-folder.ts";
import type { Output } from "./output.ts";
import { epochSeconds, wholeNumber } from "./parse.ts";

/** Everything around an agent run: the dispatcher with the recorder and the user's plugins in it. */
export interface Recording {
  readonly folder: string;
  readonly lifecycle: Lifecycle;
  /** For the jitter of retries. */
  readonly random: () => number;
  /** Flushes and closes the recorder and the plugins; bounded. */
  close(): Promise<void>;
}

const CLOSE_TIMEOUT_MS = 5000;

/** Opens a recording as the command line asks for it. A plugin that cannot be loaded is named and left out. */
export async function openRecording(args: Arguments, context: CommandContext): Promise<Recording> {
  const { output } = context;
  const folder = journalFolder(args, context);
  const seed = wholeNumber(args, "seed", 0);
  const at = epochSeconds(args, "clock");
  const clock: Clock = at === undefined ? systemClock : fixedClock(at);
  const ids = seed === undefined ? randomIds() : seededIds(seed);
  const recorder = createRecorder({
    directory: folder,
    producer: agentProducer,
    now: () => clock.now(),
    ...(seed === undefined ? {} : { writer: `seed${seed}` }),
    onFault: ({ message }) => output.note(`recorder: ${cleanText(message)}`),
  });
  const hooks = new Hooks({
    clock,
    writer: recorder.writer,
    onFault: (fault) => noteFault(output, fault),
  });
  hooks.register(recorder.plugin);
  await registerPlugins(hooks, args.texts("plugin"), output);
  return {
    folder,
    lifecycle: new Lifecycle(hooks, { producer: agentProducer, platform: "cli", ids }),
    random: seed === undefined ? Math.random : seededRandom(seed),
    close: async () => {
      const report = await closeWithin(hooks, CLOSE_TIMEOUT_MS);
      for (const [plugin, outcome] of Object.entries(report?.plugins ?? {})) {
        if (outcome !== "ok")
          output.note(`plugin "${cleanText(plugin)}" did not close: ${cleanText(outcome)}`);
      }
      if (recorder.stats.lost > 0)
        output.note(`recorder: ${recorder.stats.lost} events could not be written`);
    },
  };
}

async function registerPlugins(
  hooks: Hooks,
  specifiers: readonly string[],
  output: Output,
): Promise<void> {
  for (const specifier of specifiers) {
    try {
      hooks.register(await loadPlugin(specifier));
    } catch (error) {
      const isKnown = HostError.isInstance(error) || error instanceof Error;
      output.note(`plugin left out: ${cleanText(isKnown ? error.message : String(error))}`);
    }
  }
}

function noteFault(output: Output, { plugin, hook, kind, error, count }: Fault): void {
  const what = error instanceof Error ? error.message : String(error);
  const times = count === 1 ? "" : ` (${count} times)`;
  output.note(
    cleanText(`plugin "${plugin}" on ${hook}: ${kind.replaceAll("_", " ")}: ${what}${times}`),
  );
}
