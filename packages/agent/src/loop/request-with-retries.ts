import { retryDelay } from "../model/retry-delay.ts";
import type { ModelFailure } from "../model/model-failure.ts";
import type { ModelReply } from "../model/reply.ts";
import { runAttempt } from "./run-attempt.ts";
import type { TurnScope } from "./turn-scope.ts";

/** How a request ended, after all its attempts. */
export type RequestOutcome =
  | { readonly kind: "reply"; readonly reply: ModelReply; readonly api_request_id: string }
  | { readonly kind: "interrupted" }
  | { readonly kind: "failed"; readonly failure: ModelFailure };

/** Asks the model, and asks again as the retry policy says. */
export async function requestWithRetries(scope: TurnScope): Promise<RequestOutcome> {
  const { settings, signal, speaker } = scope;
  const { model, retry, lifecycle, random } = settings;
  const request = scope.turn.startRequest({
    provider: model.provider,
    model: model.model,
    base_url: model.baseUrl,
    api_mode: model.apiMode,
  });
  for (let retryCount = 0; ; retryCount += 1) {
    if (signal.aborted) return { kind: "interrupted" };
    const outcome = await runAttempt(scope, request, retryCount);
    if (outcome.kind === "reply") return { ...outcome, api_request_id: request.api_request_id };
    if (outcome.kind === "interrupted") return outcome;
    const { failure } = outcome;
    if (!failure.retryable || retryCount >= retry.maxRetries) return { kind: "failed", failure };
    const delayMs = retryDelay(failure, retryCount, retry, { now: lifecycle.clock.now(), random });
    if (delayMs === undefined) return { kind: "failed", failure };
    settings.ui.onRetry?.(
      {
        reason: failure.reason,
        message: failure.message,
        statusCode: failure.statusCode,
        retry: retryCount + 1,
        maxRetries: retry.maxRetries,
        delayMs,
        discardsText: outcome.hasShownText,
      },
      speaker,
    );
    await settings.sleep(delayMs, signal);
  }
}
