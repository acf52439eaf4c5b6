import type { ServerResponse } from "node:http";

import { completionBody, streamChunks } from "./chat-wire.ts";
import type { AnswerIdentity } from "./chat-wire.ts";
import type { ScriptedFault, ScriptStep } from "./model-script.ts";

/** A failure that belongs into the answer; a plain status is answered before. */
type BodyFault = Exclude<ScriptedFault, { readonly kind: "status" }>;

/** Time between the last chunk and the failure that follows it. */
const READ_MS = 20;

/** Writes one answer, with its delays and its failure. Resolves when nothing more will be written. */
export async function writeAnswer(
  response: ServerResponse,
  step: ScriptStep,
  identity: AnswerIdentity,
  isStream: boolean,
): Promise<void> {
  if (step.delayMs !== undefined) await pause(step.delayMs);
  const { fault } = step;
  if (fault?.kind === "status") {
    writeStatus(response, fault);
  } else if (fault !== undefined && isSilent(fault)) {
    if (fault.kind === "drop") response.destroy();
  } else if (isStream) {
    await writeStream(response, step, identity, fault);
  } else {
    writeWhole(response, completionBody(step, identity), fault);
  }
}

/** Answers with a JSON body. */
export function writeJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

function isSilent(fault: BodyFault): boolean {
  return (fault.kind === "drop" || fault.kind === "hang") && fault.afterChunks === undefined;
}

function writeStatus(
  response: ServerResponse,
  fault: Extract<ScriptedFault, { kind: "status" }>,
): void {
  const body = fault.body ?? {
    error: { message: `scripted status ${fault.status}`, type: "scripted" },
  };
  writeJson(response, fault.status, body, fault.headers);
}

async function writeStream(
  response: ServerResponse,
  step: ScriptStep,
  identity: AnswerIdentity,
  fault: BodyFault | undefined,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  response.flushHeaders();
  const chunks = streamChunks(step, identity);
  const sent = fault === undefined ? chunks : chunks.slice(0, fault.afterChunks ?? 0);
  for (const chunk of sent) {
    if (step.chunkDelayMs !== undefined) await pause(step.chunkDelayMs);
    if (!(await writeFrame(response, chunk, step.splitBytes))) return;
  }
  if (fault !== undefined) {
    await writeFault(response, fault);
    return;
  }
  await writeFrame(response, "[DONE]", step.splitBytes);
  response.end();
}

async function writeFault(response: ServerResponse, fault: BodyFault): Promise<void> {
  // A client throws away what it has received and not read when the connection breaks: it gets time to read.
  await pause(READ_MS);
  switch (fault.kind) {
    case "hang":
      return;
    case "drop":
      response.destroy();
      return;
    case "cut":
      response.end();
      return;
    case "error_event":
      await writeFrame(response, JSON.stringify({ error: fault.error }), undefined);
      response.end();
      return;
    case "malformed":
      await writeFrame(response, fault.data ?? '{"choices":[{"delta":', undefined);
      response.end();
  }
}

function writeWhole(response: ServerResponse, body: string, fault: BodyFault | undefined): void {
  const half = body.slice(0, body.length / 2);
  if (fault?.kind === "error_event") {
    writeJson(response, 200, { error: fault.error });
    return;
  }
  response.writeHead(200, { "content-type": "application/json" });
  if (fault === undefined) {
    response.end(body);
  } else if (fault.kind === "malformed") {
    response.end(fault.data ?? half);
  } else if (fault.kind === "cut") {
    response.end(half);
  } else {
    response.write(half, () => {
      if (fault.kind === "drop") response.destroy();
    });
  }
}

/** False when the other side has gone. */
async function writeFrame(
  response: ServerResponse,
  data: string,
  splitBytes: number | undefined,
): Promise<boolean> {
  const frame = Buffer.from(`data: ${data}\n\n`);
  const size = splitBytes ?? frame.length;
  for (let from = 0; from < frame.length; from += size) {
    if (response.destroyed) return false;
    response.write(frame.subarray(from, from + size));
    // One turn of the event loop between pieces, so that they leave as pieces.
    if (splitBytes !== undefined) await new Promise(setImmediate);
  }
  return true;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
