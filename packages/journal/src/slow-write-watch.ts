import type { SlowWritePolicy } from "./recorder-options.ts";

const windowWrites = 64;

/** Counts slow writes in windows of 64. */
export class SlowWriteWatch {
  readonly #thresholdMs: number;
  readonly #count: number;
  #writes = 0;
  #slow = 0;

  constructor(policy: SlowWritePolicy | false) {
    this.#thresholdMs = policy === false ? Number.POSITIVE_INFINITY : policy.slowWriteMs;
    this.#count = policy === false ? Number.POSITIVE_INFINITY : policy.count;
  }

  /** Takes the time of one write; true when writing has become slow. */
  isSlow(writeMs: number): boolean {
    if (++this.#writes > windowWrites) {
      this.#writes = 1;
      this.#slow = 0;
    }
    return writeMs > this.#thresholdMs && ++this.#slow >= this.#count;
  }
}
