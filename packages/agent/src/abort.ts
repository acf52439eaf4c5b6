/** Waits; comes back early, without throwing, when the signal aborts. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** Waits on the machine's timer. */
export const sleep: Sleep = (milliseconds, signal) => {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", done, { once: true });
  });
};

/**
 * `work`, or a rejection with the signal's reason as soon as it aborts, for work that does not heed the signal. The
 * listener is taken off again, so that one signal serves any number of calls.
 */
export async function raceAbort<Value>(
  signal: AbortSignal,
  work: PromiseLike<Value>,
): Promise<Value> {
  if (signal.aborted) {
    Promise.resolve(work).catch(() => {}); // given up on: nobody is left to hear how it failed
    throw signal.reason;
  }
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (onAbort !== undefined) signal.removeEventListener("abort", onAbort);
  }
}
