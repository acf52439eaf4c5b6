/** How much all sessions together remember. */
export interface RecentBudget {
  used: number;
}

/**
 * What a session remembers of its recently closed nodes, by key: enough to know late and second ends for what they
 * are. Two generations of half the capacity, so that at least the last half is there and never more than all; a whole
 * generation is dropped at once, which is cheaper than one key per event.
 */
export class Recent<Remembered> {
  #young: Map<string, Remembered> = new Map();
  #old: Map<string, Remembered> = new Map();
  readonly #half: number;
  readonly #budget: RecentBudget;

  constructor(capacity: number, budget: RecentBudget) {
    this.#half = Math.max(1, capacity >> 1);
    this.#budget = budget;
  }

  get(key: string): Remembered | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  set(key: string, remembered: Remembered): void {
    const before = this.#young.size;
    this.#young.set(key, remembered);
    this.#budget.used += this.#young.size - before;
    if (this.#young.size < this.#half) return;
    this.#budget.used -= this.#old.size;
    this.#old = this.#young;
    this.#young = new Map();
  }

  /** The session is over: the last quarter is enough from now on. */
  retire(): void {
    const kept = [...this.#old, ...this.#young].slice(-Math.max(1, this.#half >> 1));
    this.clear();
    for (const [key, remembered] of kept) this.#old.set(key, remembered);
    this.#budget.used += this.#old.size;
  }

  clear(): void {
    this.#budget.used -= this.#young.size + this.#old.size;
    this.#young = new Map();
    this.#old = new Map();
  }
}
