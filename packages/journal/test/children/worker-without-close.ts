// Records in worker mode and then just ends: what was accepted must be written all the same.
import { createRecorder } from "../../src/index.ts";

const recorder = createRecorder({
  directory: process.argv[2] ?? "",
  producer: { name: "child", version: "1" },
  mode: "worker",
});
let accepted = 0;
for (let n = 0; n < 50; n++) {
  if (
    recorder.append({
      id: `c:${n}`,
      at: n,
      hook: "post_tool_call",
      payload: { session_id: "s1", n },
    })
  )
    accepted++;
}
process.stdout.write(JSON.stringify({ accepted }));
