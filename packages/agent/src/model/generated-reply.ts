import type { LanguageModelV4GenerateResult } from "@ai-sdk/provider";

import { finishReasonText, knownUsage, toolCallPart } from "./reply.ts";
import type { AssistantPart, ModelReply, RequestedToolCall } from "./reply.ts";

/** An answer that came in one piece. */
export function generatedReply(result: LanguageModelV4GenerateResult): ModelReply {
  const content: AssistantPart[] = [];
  const toolCalls: RequestedToolCall[] = [];
  let text = "";
  for (const part of result.content) {
    if (part.type === "tool-call") {
      content.push(toolCallPart(part));
      toolCalls.push({ id: part.toolCallId, name: part.toolName, input: part.input });
    } else if (part.type === "text" || part.type === "reasoning") {
      const { type, text: piece, providerMetadata } = part;
      content.push({
        type,
        text: piece,
        ...(providerMetadata === undefined ? {} : { providerOptions: providerMetadata }),
      });
      if (type === "text") text += piece;
    }
  }
  return {
    content,
    text,
    toolCalls,
    finishReason: finishReasonText(result.finishReason),
    usage: knownUsage(result.usage),
    responseModel: result.response?.modelId ?? null,
  };
}
