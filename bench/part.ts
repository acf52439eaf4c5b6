import { recordingRows } from "../packages/journal/bench/recording.bench.ts";
import { rows as builderRows } from "../packages/trajectory/bench/builder.bench.ts";
import { sanitizeRows } from "../packages/core/bench/sanitize.bench.ts";
import { dispatchRows } from "./dispatch-rows.ts";
import type { Row } from "./row.ts";

// One part in a process of its own, so that none runs on what another one made the compiler think.
const parts: Readonly<Record<string, () => readonly Row[] | Promise<readonly Row[]>>> = {
  dispatch: dispatchRows,
  sanitize: sanitizeRows,
  recording: recordingRows,
  trajectory: builderRows,
};
const part = parts[process.argv[2] ?? ""];
if (part === undefined) throw new Error(`part.ts takes one of ${Object.keys(parts).join(", ")}`);
process.stdout.write(JSON.stringify(await part()));
