/** Why something was not recorded, in a form for a person's log. */
export interface JournalFault {
  /**
   * `OBS_JOURNAL_WRITE`: the system refused (disk full, permissions, …); `OBS_JOURNAL_UNRECORDABLE`: a payload was
   * no JSON and stands in the journal as a marker; `OBS_JOURNAL_CLOSED`: an event came after `close`;
   * `OBS_JOURNAL_WORKER`: the writing thread failed or its queue is full; `OBS_JOURNAL_INTERNAL`: anything else.
   */
  readonly code:
    | "OBS_JOURNAL_WRITE"
    | "OBS_JOURNAL_UNRECORDABLE"
    | "OBS_JOURNAL_CLOSED"
    | "OBS_JOURNAL_WORKER"
    | "OBS_JOURNAL_INTERNAL";
  /** The system's code, such as `ENOSPC`, or the name of the error. */
  readonly reason: string;
  readonly message: string;
}

const quietSeconds = 60;

/** Passes on the first fault of a kind and then one a minute: a full disk is one message, not one per event. */
export class FaultReporter {
  readonly #onFault: ((fault: JournalFault) => void) | undefined;
  readonly #lastAt = new Map<string, number>();

  constructor(onFault: ((fault: JournalFault) => void) | undefined) {
    this.#onFault = onFault;
  }

  report(fault: JournalFault): void {
    const key = `${fault.code} ${fault.reason}`;
    const seconds = performance.now() / 1000;
    const last = this.#lastAt.get(key);
    if (last !== undefined && seconds - last < quietSeconds) return;
    this.#lastAt.set(key, seconds);
    try {
      this.#onFault?.(fault);
    } catch {
      // A fault sink that throws has nowhere left to be reported; the host must not notice.
    }
  }
}

/** Says that a payload was no JSON. */
export function unrecordableFault(hook: string): JournalFault {
  return {
    code: "OBS_JOURNAL_UNRECORDABLE",
    reason: hook,
    message: `The payload of a ${hook} event was no JSON; what could be kept of it is in the journal.`,
  };
}

/** The system's code of an error, else its name. */
export function reasonOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null | undefined)?.code;
  if (typeof code === "string") return code;
  return error instanceof Error ? error.name : "unknown";
}
