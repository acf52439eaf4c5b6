/** What went wrong. `late_close` and `host` faults are the host's own; the others are a plugin's. */
export type FaultKind =
  | "threw"
  | "rejected"
  | "timeout"
  | "invalid_decision"
  | "decision_ignored"
  | "recursion"
  | "switched_off"
  | "late_close"
  | "host"
  | "other";

/** One fault, as the fault sink gets it. */
export interface Fault {
  readonly plugin: string;
  readonly hook: string;
  readonly kind: FaultKind;
  readonly error: unknown;
  /** How often this plugin had this kind of fault on this hook so far, this one included. */
  readonly count: number;
}

/**
 * Where faults go.
 *
 * **Contract:** called at the 1st, 2nd, 4th, 8th … fault of a kind, so a flood stays readable. What it throws is
 * dropped; faults that arise while it runs are counted but not reported, so it cannot recurse.
 */
export type FaultSink = (fault: Fault) => void;

/** Counts faults by plugin, hook and kind and passes on the ones worth a line. */
export class FaultLog {
  /** Faults so far, of every plugin, hook and kind. */
  total = 0;
  readonly #counts = new Map<string, number>();
  readonly #sink: FaultSink | undefined;
  #isReporting = false;

  constructor(sink: FaultSink | undefined) {
    this.#sink = sink;
  }

  report(plugin: string, hook: string, kind: FaultKind, error: unknown): void {
    const key = `${kind} ${hook} ${plugin}`;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    this.total += 1;
    if (this.#isReporting || this.#sink === undefined || (count & (count - 1)) !== 0) return;
    this.#isReporting = true;
    try {
      this.#sink({ plugin, hook, kind, error, count });
    } catch {
      // A fault sink that throws has nobody left to tell.
    } finally {
      this.#isReporting = false;
    }
  }
}
