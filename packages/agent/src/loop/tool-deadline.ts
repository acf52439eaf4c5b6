/** How long a tool gets to stop after it was told to, before it is left behind. */
const STOP_GRACE_MS = 2_000;

/**
 * The two signals of a running tool: `signal` tells it to stop, at an interrupt or when its time is over;
 * `leftBehind` fires a while later, for a tool that does not.
 *
 * **Contract:** disposing it takes its listener off the turn's signal and stops its timers.
 */
export class ToolDeadline implements Disposable {
  readonly #stop = new AbortController();
  readonly #leave = new AbortController();
  readonly #parent: AbortSignal;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #grace: ReturnType<typeof setTimeout> | undefined;
  #isTimeout = false;

  constructor(parent: AbortSignal, limitMs: number | undefined) {
    this.#parent = parent;
    if (limitMs !== undefined) {
      this.#timer = setTimeout(() => {
        this.#isTimeout = true;
        this.#end(new Error("the tool's time is over"));
      }, limitMs);
    }
    if (parent.aborted) this.#onAbort();
    else parent.addEventListener("abort", this.#onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get leftBehind(): AbortSignal {
    return this.#leave.signal;
  }

  get isTimeout(): boolean {
    return this.#isTimeout;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#grace);
    this.#parent.removeEventListener("abort", this.#onAbort);
  }

  readonly #onAbort = (): void => this.#end(this.#parent.reason);

  #end(reason: unknown): void {
    if (this.#stop.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#grace = setTimeout(() => this.#leave.abort(reason), STOP_GRACE_MS);
    this.#stop.abort(reason);
  }
}
