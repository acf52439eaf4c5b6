const mostNames = 32;
/** How many inputs are not compared after one that had little in common with the one before it. */
const pause = 8;

/** What came of comparing with the last result: most of it was the same, little was, or it was not tried. */
export type Compared = "usefully" | "in vain" | "not";

/** The last result for one set of root keys. */
interface Recent {
  readonly result: object;
  /** How many inputs are still not to be compared with it. */
  paused: number;
}

/**
 * The last result for each set of root keys: a request mostly repeats the one before it, and what is the same is then
 * found by comparing it, piece by piece, instead of being built again.
 *
 * **Contract:** holds results only, which are frozen and redacted, and only a few; comparing is by value.
 */
export class RecentResults {
  readonly #most: number;
  readonly #results = new Map<string, Recent>();

  constructor(most: number) {
    this.#most = most;
  }

  /** The last result whose input had these keys, if comparing with it promises something. */
  like(names: readonly string[]): object | undefined {
    const recent = names.length > mostNames ? undefined : this.#results.get(names.join("\n"));
    if (recent === undefined) return undefined;
    if (recent.paused === 0) return recent.result;
    recent.paused -= 1;
    return undefined;
  }

  /** Remembers a result for inputs with these keys; `compared` says whether comparing it was worth the time. */
  remember(names: readonly string[], result: object, compared: Compared): void {
    if (names.length > mostNames) return;
    const key = names.join("\n");
    const paused = compared === "in vain" ? pause : (this.#results.get(key)?.paused ?? 0);
    this.#results.delete(key);
    this.#results.set(key, { result, paused });
    if (this.#results.size <= this.#most) return;
    for (const oldest of this.#results.keys()) {
      this.#results.delete(oldest);
      return;
    }
  }
}
