// Run under a soft limit of the file size: records until the system refuses, lifts the limit, records on.
import { execFileSync } from "node:child_process";
import { createRecorder } from "../../src/index.ts";

const faults: string[] = [];
const recorder = createRecorder({
  directory: process.argv[2] ?? "",
  producer: { name: "child", version: "1" },
  onFault: ({ code, reason }) => faults.push(`${code} ${reason}`),
});
const written: string[] = [];
const lost: string[] = [];
const record = (n: number): void => {
  const text = `${n} `.repeat(700);
  const isWritten = recorder.append({
    id: `c:${n}`,
    at: n,
    hook: "post_tool_call",
    payload: { session_id: "s1", n, text },
  });
  (isWritten ? written : lost).push(`c:${n}`);
};

let next = 1;
while (lost.length < 20) record(next++);
execFileSync("prlimit", ["--fsize=unlimited", "--pid", String(process.pid)]);
for (let more = 0; more < 5; more++) record(next++);
await recorder.close(1000);
process.stdout.write(JSON.stringify({ written, lost, faults }));
