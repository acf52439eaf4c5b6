import type { OnHumanInputRequest } from "../contract/human-input.ts";
import type { PreApprovalRequest } from "../contract/approval.ts";
import { Handle } from "./handle.ts";
import type { LifecycleContext } from "./context.ts";
import type { Place } from "./place.ts";

/** A question to a human. The answer itself is never told to anybody here. */
export interface HumanInputOptions {
  readonly kind: "sudo" | "clarify" | "approval";
  readonly prompt: string;
  /** Routing key of the surface; default: the session id. */
  readonly session_key?: string;
}

/** A dangerous command that needs a yes. */
export interface ApprovalOptions {
  readonly command: string;
  readonly description: string;
  readonly pattern_key: string;
  /** Default: just `pattern_key`. */
  readonly pattern_keys?: readonly string[];
  /** Which surface asks: `cli`, `gateway`, `smart`, … */
  readonly surface: string;
  readonly session_key?: string;
}

/** One wait for a human. `using` resolves it as `error`. */
export class HumanInputHandle extends Handle {
  readonly request_id: string;
  readonly #place: Place;
  readonly #options: HumanInputOptions;

  constructor(lifecycle: LifecycleContext, place: Place, options: HumanInputOptions) {
    super(lifecycle, place.parent);
    this.request_id = lifecycle.ids.humanInput();
    this.#place = place;
    this.#options = options;
    if (lifecycle.hooks.has("on_human_input_request")) {
      this.emit("on_human_input_request", () => this.#payload());
    }
  }

  /** The approval that this wait is about: nests inside it. */
  requestApproval(options: ApprovalOptions): ApprovalHandle {
    const place = { ...this.#place, parent: this, request_id: this.request_id };
    return new ApprovalHandle(this.lifecycle, place, options);
  }

  /** The wait is over. `outcome` says how, never what was answered. */
  resolve(outcome: string): void {
    if (!this.close("on_human_input_resolved")) return;
    if (!this.lifecycle.hooks.has("on_human_input_resolved")) return;
    this.emit("on_human_input_resolved", () => ({ ...this.#payload(), outcome }));
  }

  protected abandon(): void {
    this.resolve("error");
  }

  #payload(): OnHumanInputRequest {
    const { turn, tool_call_id } = this.#place;
    return {
      kind: this.#options.kind,
      request_id: this.request_id,
      session_id: turn.session_id,
      session_key: this.#options.session_key ?? turn.session_id,
      platform: turn.platform,
      prompt: this.lifecycle.cleanText(this.#options.prompt),
      turn_id: turn.turn_id,
      ...(tool_call_id === undefined ? {} : { tool_call_id }),
    };
  }
}

/** One approval. `using` answers it as `cancelled`. */
export class ApprovalHandle extends Handle {
  readonly #place: Place;
  readonly #options: ApprovalOptions;

  constructor(lifecycle: LifecycleContext, place: Place, options: ApprovalOptions) {
    super(lifecycle, place.parent);
    this.#place = place;
    this.#options = options;
    if (lifecycle.hooks.has("pre_approval_request")) {
      this.emit("pre_approval_request", () => this.#payload());
    }
  }

  /** `once`, `session`, `always`, `deny`, `timeout`, `cancelled`, `smart_approve`, … */
  respond(choice: string, by: { readonly decided_by?: string } = {}): void {
    if (!this.close("post_approval_response")) return;
    if (!this.lifecycle.hooks.has("post_approval_response")) return;
    this.emit("post_approval_response", () => ({ ...this.#payload(), choice, ...by }));
  }

  protected abandon(): void {
    this.respond("cancelled");
  }

  #payload(): PreApprovalRequest {
    const { turn, tool_call_id, request_id } = this.#place;
    const { command, description, pattern_key, surface } = this.#options;
    return {
      command: this.lifecycle.cleanText(command),
      description: this.lifecycle.cleanText(description),
      pattern_key,
      pattern_keys: [...(this.#options.pattern_keys ?? [pattern_key])],
      session_key: this.#options.session_key ?? turn.session_id,
      surface,
      session_id: turn.session_id,
      turn_id: turn.turn_id,
      ...(tool_call_id === undefined ? {} : { tool_call_id }),
      ...(request_id === undefined ? {} : { request_id }),
    };
  }
}
