import type { ToolCallIds, ToolOutcome } from "../contract/tool.ts";
import { decideText, decideToolCall } from "../hooks/deciding.ts";
import type { ToolDecision } from "../hooks/deciding.ts";
import { Handle } from "./handle.ts";
import { ApprovalHandle, HumanInputHandle } from "./human-input.ts";
import type { ApprovalOptions, HumanInputOptions } from "./human-input.ts";
import type { LifecycleContext, TurnScope } from "./context.ts";
import { SubagentHandle } from "./subagent.ts";
import type { SubagentOptions } from "./subagent.ts";

/** A call that the model asked for. */
export interface ToolCallOptions {
  readonly tool_name: string;
  readonly args: Record<string, unknown>;
  /** The provider's id; `""` when it gave none. */
  readonly tool_call_id: string;
  readonly api_request_id?: string;
}

/** How a call ended. */
export interface ToolEnd {
  readonly status: "ok" | "error" | "blocked" | "cancelled" | "timeout";
  readonly result?: unknown;
  readonly error_type?: string | null;
  readonly error_message?: string | null;
}

/** A call that never ran. */
export interface RejectedToolCall extends ToolCallOptions, ToolEnd {}

/** Why a call brought no result. */
export interface ToolFailure {
  readonly message?: string;
  readonly error_type?: string;
  readonly result?: unknown;
}

/** One tool call. `using` closes it as cancelled. */
export class ToolHandle extends Handle {
  readonly turn: TurnScope;
  readonly tool_name: string;
  readonly tool_call_id: string;
  readonly #options: ToolCallOptions;
  #decision: ToolDecision;
  #startedMonotonic: number;
  #outcome: ToolOutcome | undefined;

  constructor(lifecycle: LifecycleContext, turn: TurnScope & Handle, options: ToolCallOptions) {
    super(lifecycle, turn);
    this.turn = turn;
    this.tool_name = options.tool_name;
    this.tool_call_id = options.tool_call_id;
    this.#options = options;
    this.#decision = { action: "run", args: options.args };
    this.#startedMonotonic = lifecycle.clock.monotonic();
  }

  /** What the deciders said. With `run` and `approve`, `args` are the arguments to run with. */
  get decision(): ToolDecision {
    return this.#decision;
  }

  /** @internal */
  async open(): Promise<void> {
    const { hooks, clock } = this.lifecycle;
    if (hooks.hasDeciders("pre_tool_call")) {
      const call = { ...this.#ids((args) => args), args: this.#options.args };
      this.#decision = await decideToolCall(hooks, call);
    }
    this.announce();
    this.#startedMonotonic = clock.monotonic();
  }

  /** @internal Fires `pre_tool_call`. */
  announce(): void {
    if (!this.isOpen || !this.lifecycle.hooks.has("pre_tool_call")) return;
    this.emit("pre_tool_call", () => this.#ids((args) => this.lifecycle.clean(args)));
  }

  ok(result: unknown): void {
    this.finish({ status: "ok", result });
  }

  error(failure: ToolFailure): void {
    this.#fail("error", failure, "tool_error");
  }

  /** The call was not allowed to run: by a plugin, a rule, or a human. */
  blocked(failure: ToolFailure): void {
    this.#fail("blocked", failure, "plugin_block");
  }

  cancelled(failure: ToolFailure = {}): void {
    this.#fail("cancelled", failure, "user_interrupt");
  }

  timeout(failure: ToolFailure = {}): void {
    this.#fail("timeout", failure, "tool_timeout");
  }

  /** Closes with whatever outcome, then fires `post_tool_call`. */
  finish(end: ToolEnd): void {
    if (!this.close("post_tool_call")) return;
    const elapsed = this.lifecycle.clock.monotonic() - this.#startedMonotonic;
    this.#outcome = {
      result: end.result ?? null,
      duration_ms: Math.round(elapsed * 1000),
      status: end.status,
      error_type: end.error_type ?? null,
      error_message: end.error_message ?? null,
    };
    if (!this.lifecycle.hooks.has("post_tool_call")) return;
    const outcome = this.#outcome;
    this.emit("post_tool_call", () => this.#post(outcome));
  }

  /**
   * The result as the deciders of `transform_tool_result` want the model to see it. To be called after the call
   * was closed. Observers then see what it became. Never rejects.
   */
  async transformResult(result: string): Promise<string> {
    const { hooks } = this.lifecycle;
    const outcome = this.#outcome;
    if (outcome === undefined) return result;
    let effective = result;
    if (hooks.hasDeciders("transform_tool_result")) {
      const event = { ...this.#ids((args) => args), ...outcome, result };
      effective = (await decideText(hooks, "transform_tool_result", event)) ?? result;
    }
    if (hooks.has("transform_tool_result")) {
      this.emit("transform_tool_result", () => this.#post({ ...outcome, result: effective }));
    }
    return effective;
  }

  requestHumanInput(options: HumanInputOptions): HumanInputHandle {
    const { turn, tool_call_id } = this;
    return new HumanInputHandle(this.lifecycle, { parent: this, turn, tool_call_id }, options);
  }

  /** An approval that no human is asked for (an auxiliary model decides): approval hooks only. */
  requestApproval(options: ApprovalOptions): ApprovalHandle {
    const { turn, tool_call_id } = this;
    return new ApprovalHandle(this.lifecycle, { parent: this, turn, tool_call_id }, options);
  }

  startSubagent(options: SubagentOptions): SubagentHandle {
    const { turn, tool_call_id } = this;
    return new SubagentHandle(this.lifecycle, { parent: this, turn, tool_call_id }, options);
  }

  protected abandon(): void {
    this.cancelled({
      message: "the call was left without a result",
      error_type: "tool_interrupted",
    });
  }

  #fail(
    status: "error" | "blocked" | "cancelled" | "timeout",
    failure: ToolFailure,
    type: string,
  ): void {
    this.finish({
      status,
      result: failure.result,
      error_type: failure.error_type ?? type,
      error_message: failure.message ?? null,
    });
  }

  #post(outcome: ToolOutcome): ToolCallIds & ToolOutcome {
    const { error_message } = outcome;
    return {
      ...this.#ids((args) => this.lifecycle.clean(args)),
      ...outcome,
      result: this.lifecycle.clean(outcome.result),
      error_message: error_message === null ? null : this.lifecycle.cleanText(error_message),
    };
  }

  #ids(clean: (args: Record<string, unknown>) => Record<string, unknown>): ToolCallIds {
    const { turn } = this;
    const args = this.#decision.action === "block" ? this.#options.args : this.#decision.args;
    return {
      tool_name: this.tool_name,
      args: clean(args),
      task_id: turn.task_id,
      session_id: turn.session_id,
      tool_call_id: this.tool_call_id,
      turn_id: turn.turn_id,
      api_request_id: this.#options.api_request_id ?? "",
    };
  }
}
