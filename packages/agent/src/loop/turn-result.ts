import type { LanguageModelV4Usage } from "@ai-sdk/provider";

import type { FailureReason } from "../model/model-failure.ts";

/** How a turn ended. */
export interface TurnResult {
  readonly sessionId: string;
  readonly turnId: string;
  /** The final answer; `""` when there is none. */
  readonly text: string;
  /**
   * `turn_exit_reason` of the session's end: `text_response(finish_reason=…)`, `max_iterations_reached(n/m)`,
   * `interrupted_by_user`, `interrupted_during_api_call`, `api_error(<reason>)`, `empty_response`, `error(<name>)`.
   */
  readonly exitReason: string;
  readonly completed: boolean;
  readonly failed: boolean;
  readonly interrupted: boolean;
  /** Requests that were made, retries not counted. */
  readonly steps: number;
  /** Sum over the attempts of this turn, children not included; null when no provider reported any. */
  readonly usage: LanguageModelV4Usage | null;
  /** Why the last attempt failed, when the turn failed because of it. */
  readonly failure?: TurnFailure;
}

/** A failure of the model that ended a turn. */
export interface TurnFailure {
  readonly reason: FailureReason;
  readonly message: string;
  readonly statusCode: number | null;
}
