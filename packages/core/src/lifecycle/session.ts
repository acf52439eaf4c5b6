import { Handle } from "./handle.ts";
import type { LifecycleContext } from "./context.ts";
import { TurnHandle } from "./turn.ts";
import type { TurnOptions } from "./turn.ts";

/** A conversation to be opened. */
export interface SessionOptions {
  /** Default: a new id. */
  readonly session_id?: string;
  readonly model: string;
  readonly platform?: string;
  /** True for a conversation that had its `on_session_start` in an earlier process. */
  readonly resumed?: boolean;
}

/** One conversation identity. `using` finalises it. */
export class SessionHandle extends Handle {
  readonly session_id: string;
  readonly model: string;
  readonly platform: string;
  #isStarted: boolean;

  constructor(lifecycle: LifecycleContext, options: SessionOptions) {
    super(lifecycle, undefined);
    this.session_id = options.session_id ?? lifecycle.ids.session();
    this.model = options.model;
    this.platform = options.platform ?? lifecycle.platform;
    this.#isStarted = options.resumed === true;
  }

  /**
   * Opens a turn: `on_session_start` if this is the first one, then the deciders of `pre_llm_call`, then
   * `pre_llm_call` itself. Never rejects.
   */
  async startTurn(options: TurnOptions): Promise<TurnHandle> {
    this.#start();
    const turn = new TurnHandle(this.lifecycle, this, options);
    await turn.open();
    return turn;
  }

  /** The conversation is over: what is open is closed, then `on_session_finalize` fires. `reason`: why. */
  finalize(reason?: string): void {
    this.#finalize(reason, undefined);
  }

  /**
   * Leaves this conversation for a new one: `on_session_finalize` of this, then `on_session_reset` of the new one,
   * whose `on_session_start` fires with its first turn.
   */
  reset(
    options: { readonly new_session_id?: string; readonly reason?: string } = {},
  ): SessionHandle {
    const { lifecycle, model, platform } = this;
    const session_id = options.new_session_id ?? lifecycle.ids.session();
    this.#finalize(options.reason, session_id);
    if (lifecycle.hooks.has("on_session_reset")) {
      this.emit("on_session_reset", () => ({
        session_id,
        platform,
        ...(options.reason === undefined ? {} : { reason: options.reason }),
        old_session_id: this.session_id,
        new_session_id: session_id,
      }));
    }
    return new SessionHandle(lifecycle, { session_id, model, platform });
  }

  protected abandon(): void {
    this.finalize("disposed");
  }

  #start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    if (!this.lifecycle.hooks.has("on_session_start")) return;
    this.emit("on_session_start", () => ({
      session_id: this.session_id,
      model: this.model,
      platform: this.platform,
      producer: this.lifecycle.producer,
    }));
  }

  #finalize(reason: string | undefined, newSessionId: string | undefined): void {
    if (!this.close("on_session_finalize") || !this.lifecycle.hooks.has("on_session_finalize"))
      return;
    this.emit("on_session_finalize", () => ({
      session_id: this.session_id,
      platform: this.platform,
      ...(reason === undefined ? {} : { reason }),
      ...(newSessionId === undefined
        ? {}
        : { old_session_id: this.session_id, new_session_id: newSessionId }),
    }));
  }
}
