import { runCli } from "./run-cli.ts";
import { lastWords, processOutput } from "./output.ts";

const output = processOutput(process.env);
const exitCode = await runCli(process.argv.slice(2), { output, env: process.env }).catch(
  (error: unknown) => {
    lastWords(
      `hermes-observer: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    return 1;
  },
);
await output.drained();
// A plugin may have left timers and sockets behind; the command is done all the same.
process.exit(exitCode);
