// Records until it is killed, and says each id after its append: what was said must be in the journal.
import { writeSync } from "node:fs";
import { createRecorder } from "../../src/index.ts";

const [, , directory = "", session = "s1", count = "1000000"] = process.argv;
const recorder = createRecorder({ directory, producer: { name: "child", version: "1" } });
const messages: { role: string; content: string }[] = [];

for (let n = 1; n <= Number(count); n++) {
  if (n % 50 === 0) messages.length = 0;
  messages.push({ role: "user", content: `${n} `.repeat(1 + ((n * 37) % 400)) });
  const payload = { session_id: session, n, request: { messages: structuredClone(messages) } };
  const id = `${process.pid}:${n}`;
  if (recorder.append({ id, at: n, hook: "pre_api_request", payload })) writeSync(1, `${id}\n`);
}
await recorder.close(10_000);
