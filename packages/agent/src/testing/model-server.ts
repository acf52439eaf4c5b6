import { createServer } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { parseModelScript } from "./model-script.ts";
import type { ModelScript } from "./model-script.ts";
import { ScriptPosition } from "./script-position.ts";
import type { ChatRequestBody } from "./script-position.ts";
import { writeAnswer, writeJson } from "./write-answer.ts";

/** One chat request as it arrived. */
export interface ReceivedRequest {
  /** The exact text of the body. */
  readonly rawBody: string;
  /** The body, parsed. */
  readonly body: ChatRequestBody;
  /** Conversation and step that answered it; undefined when nothing in the script did. */
  readonly conversation: string | undefined;
  readonly step: number | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** How a model server is started. */
export interface ModelServerOptions {
  readonly script: ModelScript;
  /** Called with each chat request before it is answered. */
  readonly onRequest?: (request: ReceivedRequest) => void;
  /** Default: a free one. */
  readonly port?: number;
}

/** A running model server. */
export interface ModelServer extends AsyncDisposable {
  /** Base URL for an OpenAI-compatible client: `http://127.0.0.1:<port>/v1`. */
  readonly baseUrl: string;
  /** Chat requests so far, in order of arrival. */
  readonly requests: readonly ReceivedRequest[];
  /** Requests that the script had no answer for, and expectations that did not hold, in words. */
  readonly mismatches: readonly string[];
  /**
   * Checks that exactly the scripted requests came.
   *
   * @throws AgentError `AGENT_SCRIPT_MISMATCH`, with every unexpected request and every step that nobody asked for
   */
  assertConsumed(): void;
  /** Closes the port and every connection. */
  close(): Promise<void>;
}

/**
 * Starts a model that says what a script says, over real HTTP on the loopback interface: the OpenAI
 * chat-completions wire (`POST /v1/chat/completions`, streaming or not) and `GET /v1/models`.
 *
 * **Contract:** the same script and the same requests give the same bytes. A request without a scripted answer gets
 * status 400, which no client retries, and fails `assertConsumed`.
 */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const script = parseModelScript(options.script);
  const position = new ScriptPosition(script);
  const requests: ReceivedRequest[] = [];
  const keep = (request: ReceivedRequest): void => {
    requests.push(request);
    options.onRequest?.(request);
  };
  const server = createServer((request, response) => {
    // A client that went away in the middle is what half of the scripts are about.
    response.on("error", () => {});
    if (request.method === "POST" && request.url === "/v1/chat/completions") {
      answerChat(request, response, position, keep).catch((error: unknown) => {
        position.mismatches.push(`the server failed: ${String(error)}`);
        response.destroy();
      });
    } else if (request.method === "GET" && request.url === "/v1/models") {
      writeJson(response, 200, modelList(script.models ?? ["scripted"]));
    } else {
      const message = `no ${request.method} ${request.url}`;
      writeJson(response, 404, { error: { message, type: "not_found" } });
    }
  });
  const port = await listen(server, options.port ?? 0);
  const close = (): Promise<void> => closeServer(server);
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    mismatches: position.mismatches,
    assertConsumed: () => position.assertConsumed(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function answerChat(
  request: IncomingMessage,
  response: ServerResponse,
  position: ScriptPosition,
  keep: (request: ReceivedRequest) => void,
): Promise<void> {
  const rawBody = await readBody(request);
  const body = parseBody(rawBody);
  const answer = position.take(body);
  const { conversation, stepIndex: step } = answer;
  keep({ rawBody, body, conversation, step, headers: request.headers });
  if (answer.step === undefined) {
    const error = {
      message: answer.problem,
      type: "unexpected_request",
      code: "unexpected_request",
    };
    writeJson(response, 400, { error });
    return;
  }
  await writeAnswer(response, answer.step, answer.identity, body.stream === true);
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  // A server that listens on a port has an address of this kind.
  return (server.address() as AddressInfo).port;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function modelList(names: readonly string[]): object {
  const data = names.map((id) => ({ id, object: "model", created: 0, owned_by: "scripted" }));
  return { object: "list", data };
}

function parseBody(rawBody: string): ChatRequestBody {
  try {
    const body: unknown = JSON.parse(rawBody);
    // The wire is what an agent sends; every field of it is read as if it could be missing.
    return typeof body === "object" && body !== null ? (body as ChatRequestBody) : {};
  } catch {
    // Not JSON: it fits no conversation and is reported as such.
    return {};
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}
