import type {
  LanguageModelV4FinishReason,
  LanguageModelV4Message,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";

type AssistantMessage = Extract<LanguageModelV4Message, { role: "assistant" }>;

/** One part of what the model said, as it is sent back with the next request. */
export type AssistantPart = AssistantMessage["content"][number];

/** A tool call as the model wrote it. */
export interface RequestedToolCall {
  /** The provider's id; `""` when it gave none. */
  readonly id: string;
  readonly name: string;
  /** The arguments as the model wrote them: JSON, if all went well. */
  readonly input: string;
}

/** A complete answer of the model. */
export interface ModelReply {
  /** What is sent back, provider metadata (signatures of reasoning, …) included. */
  readonly content: AssistantPart[];
  readonly text: string;
  readonly toolCalls: readonly RequestedToolCall[];
  /** The provider's own word where it has one (`stop`, `tool_calls`), else the provider package's. */
  readonly finishReason: string;
  /** As the provider package gives it, the provider's own object in `raw`; null when none was reported. */
  readonly usage: LanguageModelV4Usage | null;
  readonly responseModel: string | null;
}

/** The provider's own word for why the model stopped. */
export function finishReasonText(reason: LanguageModelV4FinishReason): string {
  return reason.raw ?? reason.unified;
}

/** `null` when the provider package says only that it knows nothing. */
export function knownUsage(usage: LanguageModelV4Usage): LanguageModelV4Usage | null {
  const isKnown =
    usage.raw !== undefined ||
    usage.inputTokens.total !== undefined ||
    usage.outputTokens.total !== undefined;
  return isKnown ? usage : null;
}

/**
 * The part that echoes a tool call. Arguments that are no JSON object are wrapped, because a provider refuses a
 * history in which they are not.
 */
export function toolCallPart(call: LanguageModelV4ToolCall): AssistantPart {
  const { toolCallId, toolName, input, providerMetadata } = call;
  return {
    type: "tool-call",
    toolCallId,
    toolName,
    input: parseObject(input) ?? { malformed_json: input },
    ...(providerMetadata === undefined ? {} : { providerOptions: providerMetadata }),
  };
}

/** The object that a text of JSON holds, if it holds one. No arguments at all is an empty object. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    // An object that is no array has string keys; that is all that is claimed.
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // Not JSON: the caller says so to the model.
  }
  return undefined;
}
