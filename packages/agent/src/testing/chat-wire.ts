import type { ScriptStep, ScriptedToolCall } from "./model-script.ts";

/** Ids and names that one answer carries. Nothing in it depends on the time or on chance. */
export interface AnswerIdentity {
  readonly id: string;
  readonly model: string;
  /** Name of the conversation and how many tool calls it made before this answer, for ids that a script leaves out. */
  readonly conversation: string;
  readonly callsBefore: number;
}

/** The data of each server-sent event of a streamed answer, without the closing `[DONE]`. */
export function streamChunks(step: ScriptStep, identity: AnswerIdentity): string[] {
  const everyChunk = step.usageEveryChunk === true ? { usage: step.usage ?? null } : {};
  const head = {
    id: identity.id,
    object: "chat.completion.chunk",
    created: 0,
    model: identity.model,
  };
  const chunk = (delta: object, finishReason: string | null = null): string =>
    JSON.stringify({
      ...head,
      choices: [{ index: 0, delta, finish_reason: finishReason }],
      ...everyChunk,
    });

  const chunks = [chunk({ role: "assistant", content: "" })];
  for (const reasoning of deltas(step.reasoning))
    chunks.push(chunk({ reasoning_content: reasoning }));
  for (const content of deltas(step.text)) chunks.push(chunk({ content }));
  for (const [index, call] of toolCalls(step, identity).entries()) {
    const text = call.function.arguments;
    const half = Math.ceil(text.length / 2);
    const opening = { index, id: call.id, type: "function" };
    chunks.push(
      chunk({
        tool_calls: [{ ...opening, function: { name: call.function.name, arguments: "" } }],
      }),
      chunk({ tool_calls: [{ index, function: { arguments: text.slice(0, half) } }] }),
      chunk({ tool_calls: [{ index, function: { arguments: text.slice(half) } }] }),
    );
  }
  chunks.push(chunk({}, finishReasonOf(step)));
  if (step.usage !== undefined && step.usage !== null) {
    chunks.push(JSON.stringify({ ...head, choices: [], usage: step.usage }));
  }
  return chunks;
}

/** The body of an answer that is not streamed. */
export function completionBody(step: ScriptStep, identity: AnswerIdentity): string {
  const calls = toolCalls(step, identity);
  const text = deltas(step.text).join("");
  const reasoning = deltas(step.reasoning).join("");
  return JSON.stringify({
    id: identity.id,
    object: "chat.completion",
    created: 0,
    model: identity.model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: text === "" ? null : text,
          ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
          ...(calls.length === 0 ? {} : { tool_calls: calls }),
        },
        finish_reason: finishReasonOf(step),
      },
    ],
    usage: step.usage ?? undefined,
  });
}

function finishReasonOf(step: ScriptStep): string {
  return step.finishReason ?? ((step.toolCalls ?? []).length > 0 ? "tool_calls" : "stop");
}

function toolCalls(
  step: ScriptStep,
  identity: AnswerIdentity,
): { id: string; type: "function"; function: { name: string; arguments: string } }[] {
  return (step.toolCalls ?? []).map((call, index) => ({
    id: call.id ?? `call_${identity.conversation}_${identity.callsBefore + index}`,
    type: "function",
    function: { name: call.name, arguments: argumentsText(call) },
  }));
}

function argumentsText(call: ScriptedToolCall): string {
  return typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
}

function deltas(text: string | readonly string[] | undefined): readonly string[] {
  if (text === undefined) return [];
  return typeof text === "string" ? [text] : text;
}
