import { readFileSync } from "node:fs";

import { AgentError } from "../agent-error.ts";

/** What the model server answers: any number of conversations, each a list of steps taken in order. Plain JSON. */
export interface ModelScript {
  /** Names that `GET /v1/models` lists. Default: `["scripted"]`. */
  readonly models?: readonly string[];
  readonly conversations: readonly ScriptedConversation[];
}

/** The answers to one line of requests: a parent agent's, or one child's. The first that matches a request serves it. */
export interface ScriptedConversation {
  readonly name: string;
  /** Texts that the request must contain; without `match` every request fits. */
  readonly match?: {
    /** Part of a system message. */
    readonly system?: string;
    /** Part of the last user message. */
    readonly user?: string;
  };
  readonly steps: readonly ScriptStep[];
}

/** One answer of the model, or one failure instead of it. */
export interface ScriptStep {
  /** Text that the last message of the request must contain; another one is a mismatch. */
  readonly expect?: string;
  /** The answer's text; a list is streamed as one delta each. */
  readonly text?: string | readonly string[];
  readonly reasoning?: string | readonly string[];
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** Default: `tool_calls` when there are any, else `stop`. */
  readonly finishReason?: string;
  /** The provider's usage object, cached and reasoning details included; left out or null = none is sent. */
  readonly usage?: Readonly<Record<string, unknown>> | null;
  /** Sends `usage` with every chunk, as some servers do, and not only at the end. */
  readonly usageEveryChunk?: boolean;
  /** Name of the model that answers. Default: the one that was asked for. */
  readonly model?: string;
  /** Wait before the answer begins, in milliseconds. */
  readonly delayMs?: number;
  /** Wait before each chunk, in milliseconds. */
  readonly chunkDelayMs?: number;
  /** Writes the stream in pieces of this many bytes, so that frames and characters arrive in halves. */
  readonly splitBytes?: number;
  readonly fault?: ScriptedFault;
}

/** A tool call of the model. `arguments` that are a string are sent as they are, valid JSON or not. */
export interface ScriptedToolCall {
  /** Default: `call_<conversation>_<number>`. */
  readonly id?: string;
  readonly name: string;
  readonly arguments: string | Readonly<Record<string, unknown>>;
}

/**
 * A failure. `afterChunks` counts the chunks of the answer that are sent before it; without it nothing is sent, not
 * even a status line (`drop`, `hang`), or only that (`error_event`, `cut`, `malformed`).
 */
export type ScriptedFault =
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
    }
  | { readonly kind: "hang"; readonly afterChunks?: number }
  | { readonly kind: "drop"; readonly afterChunks?: number }
  | { readonly kind: "cut"; readonly afterChunks?: number }
  | { readonly kind: "error_event"; readonly error: unknown; readonly afterChunks?: number }
  | { readonly kind: "malformed"; readonly data?: string; readonly afterChunks?: number };

const stepFields = new Set([
  "expect",
  "text",
  "reasoning",
  "toolCalls",
  "finishReason",
  "usage",
  "usageEveryChunk",
  "model",
  "delayMs",
  "chunkDelayMs",
  "splitBytes",
  "fault",
]);
const faultKinds = new Set(["status", "hang", "drop", "cut", "error_event", "malformed"]);

/**
 * Takes parsed JSON for a script.
 *
 * @throws AgentError `AGENT_INVALID_SCRIPT`, which names the place and what was expected there
 */
export function parseModelScript(value: unknown): ModelScript {
  if (!isRecord(value) || !Array.isArray(value["conversations"])) {
    throw invalid("the script", "an object with a list of conversations");
  }
  for (const [index, conversation] of (value["conversations"] as unknown[]).entries()) {
    const place = `conversations[${index}]`;
    if (!isRecord(conversation) || typeof conversation["name"] !== "string") {
      throw invalid(place, "an object with a name");
    }
    if (!Array.isArray(conversation["steps"])) throw invalid(`${place}.steps`, "a list of steps");
    for (const [number, step] of (conversation["steps"] as unknown[]).entries()) {
      checkStep(step, `${place}.steps[${number}]`);
    }
  }
  // Checked above down to the names of a step's fields; what they hold is used as it is.
  return value as unknown as ModelScript;
}

/** Reads a script from a JSON file. Throws as `parseModelScript` does, and when the file cannot be read. */
export function readModelScript(path: string | URL): ModelScript {
  const text = readFileSync(path, "utf8");
  try {
    return parseModelScript(JSON.parse(text));
  } catch (error) {
    if (AgentError.isInstance(error)) throw error;
    throw new AgentError("AGENT_INVALID_SCRIPT", `${String(path)} is not JSON`, { cause: error });
  }
}

function checkStep(step: unknown, place: string): void {
  if (!isRecord(step)) throw invalid(place, "an object");
  const unknownField = Object.keys(step).find((field) => !stepFields.has(field));
  if (unknownField !== undefined) {
    throw invalid(`${place}.${unknownField}`, `one of the fields ${[...stepFields].join(", ")}`);
  }
  const { fault } = step;
  if (fault !== undefined && (!isRecord(fault) || !faultKinds.has(String(fault["kind"])))) {
    throw invalid(`${place}.fault`, `an object whose kind is one of ${[...faultKinds].join(", ")}`);
  }
}

function invalid(place: string, expected: string): AgentError {
  return new AgentError("AGENT_INVALID_SCRIPT", `${place}: expected ${expected}`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
