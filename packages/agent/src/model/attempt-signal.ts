import { AttemptTimeout } from "./model-failure.ts";

/**
 * The signal of one attempt: aborts with the turn's signal, and when no part of the answer came for a while.
 *
 * **Contract:** disposing it takes its listener off the turn's signal and stops its timer, so that one signal serves
 * any number of attempts.
 */
export class AttemptSignal implements Disposable {
  readonly #controller = new AbortController();
  readonly #parent: AbortSignal;
  readonly #idleTimeoutMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #timeout: AttemptTimeout | undefined;

  constructor(parent: AbortSignal, idleTimeoutMs: number) {
    this.#parent = parent;
    this.#idleTimeoutMs = idleTimeoutMs;
    if (parent.aborted) this.#abort();
    else parent.addEventListener("abort", this.#abort, { once: true });
    this.touch();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Set when it was the waiting that ended the attempt. */
  get timeout(): AttemptTimeout | undefined {
    return this.#timeout;
  }

  /** Something came: the waiting begins anew. */
  touch(): void {
    clearTimeout(this.#timer);
    if (this.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#timeout = new AttemptTimeout(this.#idleTimeoutMs);
      this.#controller.abort(this.#timeout);
    }, this.#idleTimeoutMs);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#parent.removeEventListener("abort", this.#abort);
  }

  readonly #abort = (): void => {
    this.#controller.abort(this.#parent.reason);
  };
}
