import type { FailureReason } from "./model/model-failure.ts";
import type { ToolOutcome } from "./tools/tool.ts";

/** Which agent something is about: the one the user talks to (depth 0), or a child that it delegated to. */
export interface Speaker {
  readonly sessionId: string;
  readonly depth: number;
}

/** A tool call, as a surface shows it. */
export interface ToolCallView {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** An attempt failed and another one follows. */
export interface RetryView {
  readonly reason: FailureReason;
  readonly message: string;
  readonly statusCode: number | null;
  /** Number of the retry that follows, from 1. */
  readonly retry: number;
  readonly maxRetries: number;
  readonly delayMs: number;
  /** True when `onText` already showed a part of the answer, which comes again from its beginning. */
  readonly discardsText: boolean;
}

/** A dangerous command, as a human is asked about it. */
export interface ApprovalRequest {
  readonly toolName: string;
  readonly command: string;
  /** Why it is asked, in words. */
  readonly description: string;
  readonly patternKeys: readonly string[];
}

/** What a human may answer: `session` and `always` also cover the same kind of command later in this session. */
export type ApprovalChoice = "once" | "session" | "always" | "deny" | "cancelled";

/**
 * What a surface shows and asks. Every part is optional.
 *
 * **Contract:** `on…` callbacks are synchronous and must not throw; what one throws is taken for a failure of the
 * step that it reports. `askApproval` may take its time; when its signal aborts the question is over and whatever it
 * answers later is ignored. Without `askApproval` nobody can be asked, and what needs an approval is blocked.
 */
export interface AgentUi {
  onText?(delta: string, from: Speaker): void;
  onRetry?(retry: RetryView, from: Speaker): void;
  onToolStart?(call: ToolCallView, from: Speaker): void;
  onToolEnd?(call: ToolCallView, outcome: ToolOutcome, from: Speaker): void;
  askApproval?(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalChoice>;
}
