import type { ToolHandle } from "@hermes-observer/core";

import { raceAbort } from "../abort.ts";
import type { AgentUi, ApprovalChoice, ApprovalRequest } from "../agent-ui.ts";

/** How the gate asks. */
export interface ApprovalGateOptions {
  readonly ui: AgentUi;
  /** `surface` of the approval hooks: `cli`, `gateway`, … */
  readonly surface: string;
  /** How long an answer is waited for, in milliseconds. */
  readonly timeoutMs: number;
  /** Routing key of the surface: the session that the user talks to. */
  readonly sessionKey: string;
}

/** How an approval ended, as `post_approval_response.choice` says it; `unattended` when nobody could be asked. */
export type ApprovalVerdict = ApprovalChoice | "timeout" | "notify_failed" | "unattended";

const choices: ReadonlySet<unknown> = new Set(["once", "session", "always", "deny", "cancelled"]);

/** True when the call may run. */
export function isGranted(verdict: ApprovalVerdict): boolean {
  return verdict === "once" || verdict === "session" || verdict === "always";
}

/**
 * Asks a human before something dangerous runs, and remembers what was granted for longer. A session and the children
 * that it delegates to share one gate.
 *
 * **Contract:** one question at a time. Per question: human request, approval request, wait, approval response, human
 * resolved; each closes on every path. A standing grant, and an agent that nobody watches, fire nothing.
 */
export class ApprovalGate {
  readonly #options: ApprovalGateOptions;
  readonly #granted = new Set<string>();
  #queue: Promise<void> = Promise.resolve();

  constructor(options: ApprovalGateOptions) {
    this.#options = options;
  }

  async ask(
    tool: ToolHandle,
    request: ApprovalRequest,
    signal: AbortSignal,
  ): Promise<ApprovalVerdict> {
    if (this.#covers(request)) return "session";
    if (this.#options.ui.askApproval === undefined) return "unattended";
    const before = this.#queue;
    let release = (): void => {};
    const mine = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#queue = before.then(() => mine);
    try {
      await raceAbort(signal, before);
      // Whoever was asked before may have granted this as well.
      return this.#covers(request) ? "session" : await this.#question(tool, request, signal);
    } catch (error) {
      if (signal.aborted) return "cancelled";
      throw error;
    } finally {
      release();
    }
  }

  async #question(
    tool: ToolHandle,
    request: ApprovalRequest,
    signal: AbortSignal,
  ): Promise<ApprovalVerdict> {
    const { sessionKey: session_key, surface } = this.#options;
    const { command, description, patternKeys } = request;
    using human = tool.requestHumanInput({
      kind: "approval",
      prompt: `${request.toolName}: ${command} (${description})`,
      session_key,
    });
    using approval = human.requestApproval({
      command,
      description,
      pattern_key: patternKeys[0] ?? "",
      pattern_keys: patternKeys,
      surface,
      session_key,
    });
    const verdict = await this.#answer(request, signal);
    if (verdict === "session" || verdict === "always") {
      for (const key of patternKeys) this.#granted.add(key);
    }
    approval.respond(verdict);
    human.resolve(verdict);
    return verdict;
  }

  async #answer(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalVerdict> {
    const { ui, timeoutMs } = this.#options;
    const over = new AbortController();
    let isLate = false;
    const onAbort = (): void => over.abort(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    const timer = setTimeout(() => {
      isLate = true;
      over.abort(new Error("nobody answered in time"));
    }, timeoutMs);
    try {
      const asked = Promise.resolve(ui.askApproval?.(request, over.signal));
      const answer = await raceAbort(over.signal, asked);
      // A surface is the caller's code: what it answers is believed only if it is one of the choices.
      return answer !== undefined && choices.has(answer) ? answer : "deny";
    } catch {
      // Whatever went wrong with the question, the outcome names it and the command does not run.
      if (signal.aborted) return "cancelled";
      return isLate ? "timeout" : "notify_failed";
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    }
  }

  #covers(request: ApprovalRequest): boolean {
    return (
      request.patternKeys.length > 0 && request.patternKeys.every((key) => this.#granted.has(key))
    );
  }
}
