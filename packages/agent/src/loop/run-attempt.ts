import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { AttemptHandle, RequestHandle } from "@hermes-observer/core";

import { AttemptSignal } from "../model/attempt-signal.ts";
import { raceAbort } from "../abort.ts";
import { generatedReply } from "../model/generated-reply.ts";
import { classifyFailure } from "../model/model-failure.ts";
import type { ModelFailure } from "../model/model-failure.ts";
import type { ModelReply } from "../model/reply.ts";
import { StreamReply } from "../model/stream-reply.ts";
import { UsageWatch } from "../model/usage-watch.ts";
import { describeRequest, describeResponse } from "./describe-exchange.ts";
import type { TurnScope } from "./turn-scope.ts";

/** How one attempt ended. */
export type AttemptOutcome =
  | { readonly kind: "reply"; readonly reply: ModelReply }
  | { readonly kind: "interrupted" }
  | { readonly kind: "failed"; readonly failure: ModelFailure; readonly hasShownText: boolean };

/** Makes one attempt at a request: one call over the wire, one pair of API hooks, whatever happens. */
export async function runAttempt(
  scope: TurnScope,
  request: RequestHandle,
  retryCount: number,
): Promise<AttemptOutcome> {
  const { limits, retry } = scope.settings;
  using attempt = startAttempt(scope, request, retryCount);
  using deadline = new AttemptSignal(scope.signal, limits.idleTimeoutMs);
  const watch = new UsageWatch();
  const stream = new StreamReply();
  try {
    const call = callOptions(scope, deadline.signal);
    const reply = scope.settings.isStreaming
      ? await streamed(scope, call, { attempt, deadline, watch, stream })
      : generatedReply(
          await raceAbort(deadline.signal, scope.settings.model.port.doGenerate(call)),
        );
    scope.usage.add(reply.usage);
    attempt.ok({
      finish_reason: reply.finishReason,
      response_model: reply.responseModel,
      usage: reply.usage,
      assistant_content_chars: reply.text.length,
      assistant_tool_call_count: reply.toolCalls.length,
      response: () => describeResponse(reply),
    });
    return { kind: "reply", reply };
  } catch (error) {
    scope.usage.add(watch.usage);
    if (scope.signal.aborted) {
      attempt.interrupted(watch.usage);
      return { kind: "interrupted" };
    }
    const failure = classifyFailure(deadline.timeout ?? error);
    attempt.error({
      error: { name: failure.errorType, message: failure.message },
      status_code: failure.statusCode,
      max_retries: retry.maxRetries,
      retryable: failure.retryable,
      reason: failure.reason,
      ...(watch.usage === undefined ? {} : { usage: watch.usage }),
    });
    return { kind: "failed", failure, hasShownText: stream.text !== "" };
  }
}

interface StreamParts {
  readonly attempt: AttemptHandle;
  readonly deadline: AttemptSignal;
  readonly watch: UsageWatch;
  readonly stream: StreamReply;
}

async function streamed(
  { settings, speaker }: TurnScope,
  call: LanguageModelV4CallOptions,
  { attempt, deadline, watch, stream }: StreamParts,
): Promise<ModelReply> {
  const { signal } = deadline;
  const answer = await raceAbort(
    signal,
    settings.model.port.doStream({ ...call, includeRawChunks: true }),
  );
  const reader = answer.stream.getReader();
  try {
    for (;;) {
      const { done, value } = await raceAbort(signal, reader.read());
      if (done) return stream.reply();
      deadline.touch();
      // The package's own opening part comes before anything did over the wire.
      if (value.type !== "stream-start") attempt.firstChunk();
      watch.look(value);
      const delta = stream.add(value);
      if (delta !== "") settings.ui.onText?.(delta, speaker);
    }
  } finally {
    reader.cancel().catch(() => {}); // the stream has ended or is of no interest any more
  }
}

function startAttempt(scope: TurnScope, request: RequestHandle, retryCount: number): AttemptHandle {
  const { settings, conversation, toolDefinitions } = scope;
  return request.startAttempt({
    retry_count: retryCount,
    message_count: conversation.messageCount,
    tool_count: toolDefinitions.length,
    max_tokens: settings.limits.maxOutputTokens,
    // Counted only when the event is built, that is when somebody listens.
    get request_char_count() {
      return conversation.charCount;
    },
    get approx_input_tokens() {
      return Math.ceil(conversation.charCount / 4);
    },
    request: () =>
      describeRequest({
        model: settings.model.model,
        messages: conversation.prompt(),
        tools: toolDefinitions,
        maxTokens: settings.limits.maxOutputTokens,
        isStreaming: settings.isStreaming,
      }),
  });
}

function callOptions(scope: TurnScope, abortSignal: AbortSignal): LanguageModelV4CallOptions {
  const { limits } = scope.settings;
  return {
    prompt: scope.conversation.prompt(),
    abortSignal,
    ...(scope.toolDefinitions.length === 0 ? {} : { tools: [...scope.toolDefinitions] }),
    ...(limits.maxOutputTokens === null ? {} : { maxOutputTokens: limits.maxOutputTokens }),
  };
}
