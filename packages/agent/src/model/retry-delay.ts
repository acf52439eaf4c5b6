import type { ModelFailure } from "./model-failure.ts";

/** How failed attempts are tried again. */
export interface RetryPolicy {
  /** Retries after the first attempt. Default 3. */
  readonly maxRetries: number;
  /** First wait; each further one doubles. Milliseconds, default 500. */
  readonly baseDelayMs: number;
  /** Longest wait of our own choosing. Milliseconds, default 30,000. */
  readonly maxDelayMs: number;
  /** Longest wait that a server may ask for; a longer one ends the turn instead. Milliseconds, default 60,000. */
  readonly maxRetryAfterMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  maxRetries: 3,
  baseDelayMs: 500,
  maxDelayMs: 30_000,
  maxRetryAfterMs: 60_000,
};

/**
 * How long to wait before the next attempt, in milliseconds; `undefined` when the server asks for more than the
 * policy allows. What the server says (`retry-after-ms`, `retry-after` in seconds or as a date) is taken as it is;
 * otherwise the wait doubles with each retry and its second half is left to chance, so that clients do not march
 * in step.
 *
 * @param now wall clock, epoch seconds
 * @param random numbers in [0, 1)
 */
export function retryDelay(
  failure: ModelFailure,
  retryCount: number,
  policy: RetryPolicy,
  source: { readonly now: number; readonly random: () => number },
): number | undefined {
  const asked = retryAfterMs(failure.headers, source.now);
  if (asked !== undefined) return asked <= policy.maxRetryAfterMs ? asked : undefined;
  const full = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** retryCount);
  return Math.round(full / 2 + (full / 2) * source.random());
}

/** What the headers ask for, in milliseconds; `undefined` when they say nothing that can be understood. */
export function retryAfterMs(
  headers: Readonly<Record<string, string>>,
  now: number,
): number | undefined {
  const milliseconds = numberIn(headers["retry-after-ms"]);
  if (milliseconds !== undefined) return milliseconds;
  const header = headers["retry-after"];
  const seconds = numberIn(header);
  if (seconds !== undefined) return seconds * 1000;
  // A date of HTTP begins with the day of the week; the parser would take "-1" for one too.
  const date = header !== undefined && /^\s*[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.round(date - now * 1000));
}

function numberIn(header: string | undefined): number | undefined {
  if (header === undefined || !/^\s*\d+(?:\.\d+)?\s*$/.test(header)) return undefined;
  return Number(header);
}
