import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider";

import type { AssistantPart, ModelReply } from "../model/reply.ts";

/** A request in the shape of the chat-completions wire, whichever wire carries it: one shape for every reader. */
export function describeRequest(request: {
  readonly model: string;
  readonly messages: readonly LanguageModelV4Message[];
  readonly tools: readonly LanguageModelV4FunctionTool[];
  readonly maxTokens: number | null;
  readonly isStreaming: boolean;
}): object {
  const { model, messages, tools, maxTokens, isStreaming } = request;
  return {
    method: "POST",
    body: {
      model,
      messages: messages.flatMap(describeMessage),
      ...(tools.length === 0 ? {} : { tools: tools.map(describeTool) }),
      ...(maxTokens === null ? {} : { max_tokens: maxTokens }),
      stream: isStreaming,
    },
  };
}

/** A response as `post_api_request.response` holds it. */
export function describeResponse(reply: ModelReply): object {
  return {
    model: reply.responseModel,
    finish_reason: reply.finishReason,
    assistant_message: describeAssistant(reply.content),
    usage: reply.usage,
  };
}

function describeMessage(message: LanguageModelV4Message): object[] {
  switch (message.role) {
    case "system":
      return [{ role: "system", content: message.content }];
    case "user":
      return [{ role: "user", content: message.content.map((part) => textOf(part)).join("") }];
    case "assistant":
      return [describeAssistant(message.content)];
    case "tool":
      return message.content.flatMap((part) =>
        part.type === "tool-result"
          ? [{ role: "tool", tool_call_id: part.toolCallId, content: outputText(part.output) }]
          : [],
      );
  }
}

function describeAssistant(content: readonly AssistantPart[]): object {
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  const reasoning = content.map((part) => (part.type === "reasoning" ? part.text : "")).join("");
  const calls = content.flatMap((part) =>
    part.type === "tool-call"
      ? [
          {
            id: part.toolCallId,
            type: "function",
            function: { name: part.toolName, arguments: JSON.stringify(part.input) },
          },
        ]
      : [],
  );
  return {
    role: "assistant",
    content: text === "" ? null : text,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function describeTool(tool: LanguageModelV4FunctionTool): object {
  const { name, description, inputSchema } = tool;
  return { type: "function", function: { name, description, parameters: inputSchema } };
}

function textOf(part: { readonly type: string; readonly text?: string }): string {
  return part.text ?? `[${part.type}]`;
}

function outputText(output: LanguageModelV4ToolResultOutput): string {
  return output.type === "text" || output.type === "error-text"
    ? output.value
    : JSON.stringify(output);
}
