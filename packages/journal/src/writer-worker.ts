import { parentPort, workerData } from "node:worker_threads";
import type { Payload } from "@hermes-observer/core";
import { FaultReporter } from "./recorder-fault.ts";
import { nodeFileCalls } from "./write/chained-file.ts";
import { JournalWriter } from "./write/journal-writer.ts";
import type { EventMessage, FromWorker, ToWorker, WorkerStart } from "./worker-protocol.ts";

// The other side of worker-client.ts, which is the only one that starts this file.
const start = workerData as WorkerStart;
const done = new Int32Array(start.done);
const faults = new FaultReporter((fault) => {
  tell({ type: "fault", fault });
});
let writer = new JournalWriter(start.writer, faults, nodeFileCalls);

parentPort?.on("message", (message: ToWorker) => {
  switch (message.type) {
    case "event":
      record(message);
      return;
    case "takeOver":
      writer = new JournalWriter(start.writer, faults, nodeFileCalls, message);
      return;
    case "lost":
      writer.lose(message.session, message.loss, message.now);
      return;
    case "ping":
      tell({ type: "answer", ticket: message.ticket, isDrained: true });
      return;
    case "flush":
      tell({ type: "answer", ticket: message.ticket, isDrained: writer.settle(message.now) === 0 });
      return;
    case "close":
      tell({
        type: "answer",
        ticket: message.ticket,
        isDrained: writer.close(message.now, performance.now() + message.timeoutMs) === 0,
      });
      parentPort?.close();
      return;
  }
});

function record(message: EventMessage): void {
  // Made by JSON.stringify of a payload on the other side.
  const payload = JSON.parse(message.payload) as Payload;
  writer.append({ ...message, payload }, message.now);
  Atomics.add(done, 0, message.kib);
}

function tell(message: FromWorker): void {
  parentPort?.postMessage(message);
}
