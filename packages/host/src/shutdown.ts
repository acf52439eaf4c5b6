import type { FlushReport } from "@hermes-observer/core";

/** What can be closed within a time: `Hooks` is. */
export interface Closable {
  close(timeoutMs: number): Promise<FlushReport>;
}

/**
 * Flushes and closes a dispatcher on the way out, but never holds the process up for longer than `timeoutMs`.
 *
 * **Contract:** never rejects. The report says what finished; `undefined` means that closing itself failed or did
 * not come back, so that nothing is known. The caller decides when to call it: this package installs no handlers.
 */
export async function closeWithin(
  hooks: Closable,
  timeoutMs: number,
): Promise<FlushReport | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs + GRACE_MS);
  });
  try {
    return await Promise.race([closing(hooks, timeoutMs), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A dispatcher that keeps its own deadline gets this much longer to put its report together. */
const GRACE_MS = 50;

async function closing(hooks: Closable, timeoutMs: number): Promise<FlushReport | undefined> {
  try {
    return await hooks.close(timeoutMs);
  } catch {
    // Closing is the last thing a process does: there is nobody left to handle it but by "nothing is known".
    return undefined;
  }
}
