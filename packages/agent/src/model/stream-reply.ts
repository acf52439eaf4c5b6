import type { LanguageModelV4StreamPart, SharedV4ProviderMetadata } from "@ai-sdk/provider";

import { StreamFailure } from "./model-failure.ts";
import { finishReasonText, knownUsage, toolCallPart } from "./reply.ts";
import type { AssistantPart, ModelReply, RequestedToolCall } from "./reply.ts";

/** A text or reasoning part that is still growing. */
interface OpenPart {
  readonly type: "text" | "reasoning";
  text: string;
  metadata: SharedV4ProviderMetadata | undefined;
}

/** Which part each of these stream parts belongs to. */
const growing = {
  "text-start": "text",
  "text-delta": "text",
  "text-end": "text",
  "reasoning-start": "reasoning",
  "reasoning-delta": "reasoning",
  "reasoning-end": "reasoning",
} as const;

type GrowingPart = Extract<LanguageModelV4StreamPart, { type: keyof typeof growing }>;
type Finish = Extract<LanguageModelV4StreamPart, { type: "finish" }>;

/**
 * Puts a streamed answer together.
 *
 * **Contract:** `add` throws a `StreamFailure` on an error inside the stream; `reply` throws one when the stream
 * stopped before the model said that it was done.
 */
export class StreamReply {
  readonly #open = new Map<string, OpenPart>();
  /** In order of beginning. */
  readonly #content: (OpenPart | AssistantPart)[] = [];
  readonly #toolCalls: RequestedToolCall[] = [];
  #text = "";
  #responseModel: string | null = null;
  #finish: Finish | undefined;

  get text(): string {
    return this.#text;
  }

  /** Takes one part and gives the text that it adds to the answer. */
  add(part: LanguageModelV4StreamPart): string {
    if (isGrowing(part)) return this.#grow(part);
    if (part.type === "error") {
      throw new StreamFailure("error_event", describe(part.error), part.error);
    }
    if (part.type === "finish") this.#finish = part;
    if (part.type === "response-metadata") {
      this.#responseModel = part.modelId ?? this.#responseModel;
    }
    if (part.type === "tool-call") {
      this.#content.push(toolCallPart(part));
      this.#toolCalls.push({ id: part.toolCallId, name: part.toolName, input: part.input });
    }
    return "";
  }

  /** The answer, after the stream has ended. */
  reply(): ModelReply {
    const finish = this.#finish;
    if (finish === undefined || finish.finishReason.unified === "interrupted") {
      throw new StreamFailure("cut", "the stream ended before the answer was complete");
    }
    return {
      content: this.#content.flatMap(closed),
      text: this.#text,
      toolCalls: this.#toolCalls,
      finishReason: finishReasonText(finish.finishReason),
      usage: knownUsage(finish.usage),
      responseModel: this.#responseModel,
    };
  }

  #grow(part: GrowingPart): string {
    const type = growing[part.type];
    const key = `${type} ${part.id}`;
    const isStart = part.type === "text-start" || part.type === "reasoning-start";
    // Ids come again within one answer: a start always opens a new part.
    const open = (isStart ? undefined : this.#open.get(key)) ?? this.#begin(type, key);
    // Signatures come with whichever part a provider likes, often the last.
    if (part.providerMetadata !== undefined) {
      open.metadata = { ...open.metadata, ...part.providerMetadata };
    }
    if (!("delta" in part)) return "";
    open.text += part.delta;
    if (type === "reasoning") return "";
    this.#text += part.delta;
    return part.delta;
  }

  #begin(type: OpenPart["type"], key: string): OpenPart {
    const open: OpenPart = { type, text: "", metadata: undefined };
    this.#open.set(key, open);
    this.#content.push(open);
    return open;
  }
}

function isGrowing(part: LanguageModelV4StreamPart): part is GrowingPart {
  return part.type in growing;
}

function closed(part: OpenPart | AssistantPart): AssistantPart[] {
  if (!("metadata" in part)) return [part];
  if (part.text === "" && part.metadata === undefined) return [];
  const { type, text, metadata } = part;
  return [{ type, text, ...(metadata === undefined ? {} : { providerOptions: metadata }) }];
}

function describe(error: unknown): string {
  if (error instanceof Error) return error.message;
  if (typeof error === "object" && error !== null && "message" in error) {
    return String(error.message);
  }
  return typeof error === "string" ? error : "the provider sent an error inside the stream";
}
