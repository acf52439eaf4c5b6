/**
 * Where times come from: wall time for stamps, monotonic time for durations.
 *
 * **Contract:** `monotonic` never goes back within one process; its zero has no meaning.
 */
export interface Clock {
  /** Wall clock, epoch seconds. */
  now(): number;
  /** Monotonic clock, seconds. */
  monotonic(): number;
}

/** The clocks of the machine. */
export const systemClock: Clock = {
  now: () => Date.now() / 1000,
  monotonic: () => performance.now() / 1000,
};

/** A clock that stands still, so that a run can be repeated to the byte. `at` is epoch seconds. */
export function fixedClock(at: number): Clock {
  return { now: () => at, monotonic: () => 0 };
}
