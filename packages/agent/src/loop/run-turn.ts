import type { TurnHandle, TurnOptions } from "@hermes-observer/core";

import type { ModelFailure } from "../model/model-failure.ts";
import { requestWithRetries } from "./request-with-retries.ts";
import { runTools } from "./run-tools.ts";
import type { TurnResult } from "./turn-result.ts";
import type { SessionScope, TurnScope } from "./turn-scope.ts";
import { UsageTotal } from "./usage-total.ts";

/** How the loop of a turn ended. */
type LoopEnd =
  | { readonly kind: "answer"; readonly text: string; readonly finishReason: string }
  | { readonly kind: "max_steps" }
  | { readonly kind: "interrupted"; readonly exitReason: string }
  | { readonly kind: "failed"; readonly failure: ModelFailure };

/** What of a result does not depend on the turn. */
type Ending = Pick<TurnResult, "text" | "exitReason"> &
  Partial<Pick<TurnResult, "completed" | "failed" | "interrupted" | "failure">>;

/**
 * Runs one turn: asks the model, runs the tools that it asks for, until it has an answer.
 *
 * **Contract:** a model that fails, an interrupt and too many steps are results, not exceptions. On every way out
 * everything that was opened is closed, and `on_session_end` fires once.
 */
export async function runTurn(
  session: SessionScope,
  turn: TurnHandle,
  message: TurnOptions["user_message"] & string,
  signal: AbortSignal,
): Promise<TurnResult> {
  using _ = turn;
  const usage = new UsageTotal();
  const scope: TurnScope = { ...session, turn, signal, usage };
  const steps = { count: 0 };
  try {
    session.conversation.addUser(message, turn.context);
    const ending = await endingOf(scope, await loop(scope, steps));
    turn.end({
      completed: ending.completed ?? false,
      failed: ending.failed ?? false,
      interrupted: ending.interrupted ?? false,
      turn_exit_reason: ending.exitReason,
      ...(ending.text === "" ? {} : { assistant_response: ending.text }),
    });
    return {
      sessionId: turn.session_id,
      turnId: turn.turn_id,
      completed: false,
      failed: false,
      interrupted: false,
      ...ending,
      steps: steps.count,
      usage: usage.total,
    };
  } catch (error) {
    const name = error instanceof Error ? error.name : typeof error;
    turn.end({ failed: true, turn_exit_reason: `error(${name})` });
    throw error;
  }
}

async function loop(scope: TurnScope, steps: { count: number }): Promise<LoopEnd> {
  const { conversation, signal } = scope;
  while (steps.count < scope.settings.limits.maxSteps) {
    if (signal.aborted) return { kind: "interrupted", exitReason: "interrupted_by_user" };
    steps.count += 1;
    const outcome = await requestWithRetries(scope);
    if (outcome.kind === "interrupted") {
      return { kind: "interrupted", exitReason: "interrupted_during_api_call" };
    }
    if (outcome.kind === "failed") return outcome;
    const { reply } = outcome;
    if (reply.content.length > 0) conversation.add({ role: "assistant", content: reply.content });
    if (reply.toolCalls.length === 0) {
      return { kind: "answer", text: reply.text, finishReason: reply.finishReason };
    }
    await runTools(scope, reply.toolCalls, outcome.api_request_id);
  }
  return signal.aborted
    ? { kind: "interrupted", exitReason: "interrupted_by_user" }
    : { kind: "max_steps" };
}

async function endingOf(scope: TurnScope, end: LoopEnd): Promise<Ending> {
  const { turn, settings } = scope;
  switch (end.kind) {
    case "answer": {
      if (end.text === "") return { text: "", exitReason: "empty_response", failed: true };
      const text = await turn.transformOutput(end.text);
      return {
        text,
        exitReason: `text_response(finish_reason=${end.finishReason})`,
        completed: true,
      };
    }
    case "max_steps": {
      const { maxSteps } = settings.limits;
      return { text: "", exitReason: `max_iterations_reached(${maxSteps}/${maxSteps})` };
    }
    case "interrupted":
      return { text: "", exitReason: end.exitReason, interrupted: true };
    case "failed": {
      const { reason, message, statusCode } = end.failure;
      return {
        text: "",
        exitReason: `api_error(${reason})`,
        failed: true,
        failure: { reason, message, statusCode },
      };
    }
  }
}
