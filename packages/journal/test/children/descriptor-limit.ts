// Run under a low limit of descriptors: takes them all, records, gives them back, records on.
import { closeSync, openSync } from "node:fs";
import { createRecorder } from "../../src/index.ts";

const faults: string[] = [];
const recorder = createRecorder({
  directory: process.argv[2] ?? "",
  producer: { name: "child", version: "1" },
  onFault: ({ code, reason }) => faults.push(`${code} ${reason}`),
});
const record = (n: number): boolean =>
  recorder.append({
    id: `c:${n}`,
    at: n,
    hook: "post_tool_call",
    payload: { session_id: "s1", n },
  });
const taken: number[] = [];
try {
  for (;;) taken.push(openSync("/dev/null", "r"));
} catch {
  // EMFILE: as wanted.
}

const whileFull = [record(1), record(2), record(3)];
for (const fd of taken) closeSync(fd);
const afterwards = [record(4)];
await recorder.close(1000);
process.stdout.write(JSON.stringify({ whileFull, afterwards, faults }));
