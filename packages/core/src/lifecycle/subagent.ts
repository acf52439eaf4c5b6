import type { SubagentStart, ToolCallHistoryItem } from "../contract/subagent.ts";
import type { Usage } from "../contract/usage.ts";
import { Handle } from "./handle.ts";
import type { LifecycleContext } from "./context.ts";
import type { Place } from "./place.ts";

/** A child agent to be started. It then opens its own session under `child_session_id`. */
export interface SubagentOptions {
  readonly child_goal: string;
  /** `leaf` (default) or `orchestrator`. */
  readonly child_role?: string;
  readonly child_session_id?: string;
  readonly child_subagent_id?: string;
}

/** How a child ended. */
export interface SubagentEnd {
  /** `completed`, `failed`, `interrupted`, `error`, `timeout`. */
  readonly child_status: string;
  readonly child_summary: string | null;
  readonly tool_call_history?: readonly ToolCallHistoryItem[];
  /** Sum over the child's own attempts. */
  readonly usage?: Usage | null;
  readonly child_exit_reason?: string;
}

/** One delegated child. `using` stops it as interrupted. */
export class SubagentHandle extends Handle {
  readonly child_session_id: string;
  readonly child_subagent_id: string;
  readonly #place: Place;
  readonly #options: SubagentOptions;
  readonly #startedMonotonic: number;

  constructor(lifecycle: LifecycleContext, place: Place, options: SubagentOptions) {
    super(lifecycle, place.parent);
    this.#place = place;
    this.#options = options;
    this.child_session_id = options.child_session_id ?? lifecycle.ids.session();
    this.child_subagent_id =
      options.child_subagent_id ?? lifecycle.ids.subagent(place.turn.nextSubagentIndex());
    this.#startedMonotonic = lifecycle.clock.monotonic();
    if (lifecycle.hooks.has("subagent_start")) this.emit("subagent_start", () => this.#start());
  }

  stop(end: SubagentEnd): void {
    if (!this.close("subagent_stop") || !this.lifecycle.hooks.has("subagent_stop")) return;
    const elapsed = this.lifecycle.clock.monotonic() - this.#startedMonotonic;
    this.emit("subagent_stop", () => ({
      ...this.#ids(),
      child_status: end.child_status,
      child_summary:
        end.child_summary === null ? null : this.lifecycle.cleanText(end.child_summary),
      duration_ms: Math.round(elapsed * 1000),
      tool_call_history: this.lifecycle.clean(end.tool_call_history ?? []),
      ...(end.usage === undefined ? {} : { usage: this.lifecycle.clean(end.usage) }),
      ...(end.child_exit_reason === undefined
        ? {}
        : { child_exit_reason: this.lifecycle.cleanText(end.child_exit_reason) }),
    }));
  }

  protected abandon(): void {
    this.stop({ child_status: "interrupted", child_summary: null });
  }

  #start(): SubagentStart {
    return { ...this.#ids(), child_goal: this.lifecycle.cleanText(this.#options.child_goal) };
  }

  #ids(): Omit<SubagentStart, "child_goal"> {
    const { turn, tool_call_id } = this.#place;
    return {
      parent_session_id: turn.session_id,
      parent_turn_id: turn.turn_id,
      parent_subagent_id: turn.parent_subagent_id,
      child_session_id: this.child_session_id,
      child_subagent_id: this.child_subagent_id,
      child_role: this.#options.child_role ?? "leaf",
      ...(tool_call_id === undefined ? {} : { parent_tool_call_id: tool_call_id }),
    };
  }
}
