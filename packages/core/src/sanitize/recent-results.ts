const mostNames = 32;

/**
 * The last result for each set of root keys: a request mostly repeats the one before it, and what is the same is then
 * found by comparing it, piece by piece, instead of being built again.
 *
 * **Contract:** holds results only, which are frozen and redacted, and only a few; comparing is by value.
 */
export class RecentResults {
  readonly #most: number;
  readonly #results = new Map<string, object>();

  constructor(most: number) {
    this.#most = most;
  }

  /** The last result whose input had these keys. */
  like(names: readonly string[]): object | undefined {
    return names.length > mostNames ? undefined : this.#results.get(names.join("\n"));
  }

  /** Remembers a result for inputs with these keys. */
  remember(names: readonly string[], result: object): void {
    if (names.length > mostNames) return;
    const key = names.join("\n");
    this.#results.delete(key);
    this.#results.set(key, result);
    if (this.#results.size <= this.#most) return;
    for (const oldest of this.#results.keys()) {
      this.#results.delete(oldest);
      return;
    }
  }
}
