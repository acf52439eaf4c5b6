import { lastWords } from "./output.ts";

/** Signals that ask a running agent to stop. */
export interface Interruption extends Disposable {
  /** Aborts at the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** Exit code of the signal that came; undefined when none did. */
  readonly exitCode: number | undefined;
}

/**
 * Takes SIGINT and SIGTERM while an agent runs: the first one interrupts the turn, so that the record gets its end;
 * a second one ends the process at once.
 */
export function takeSignals(): Interruption {
  const controller = new AbortController();
  let exitCode: number | undefined;
  const onSignal = (code: number) => (): void => {
    if (exitCode !== undefined) {
      lastWords("hermes-observer: stopped at once; the record ends here");
      process.exit(code);
    }
    exitCode = code;
    lastWords("hermes-observer: interrupting; once more to stop at once");
    controller.abort();
  };
  const handlers = { SIGINT: onSignal(130), SIGTERM: onSignal(143) };
  process.on("SIGINT", handlers.SIGINT);
  process.on("SIGTERM", handlers.SIGTERM);
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
    [Symbol.dispose]: () => {
      process.off("SIGINT", handlers.SIGINT);
      process.off("SIGTERM", handlers.SIGTERM);
    },
  };
}

/**
 * Keeps the process alive when code outside of any hook throws while plugins are loaded: a plugin's timer must not
 * end the agent's run. Each such error is told once.
 */
export function guardAgainstPlugins(note: (text: string) => void): Disposable {
  const onError = (error: unknown): void => {
    const text = error instanceof Error ? error.message : String(error);
    note(`an error outside of any hook, of a plugin or of hermes-observer itself: ${text}`);
  };
  process.on("uncaughtException", onError);
  process.on("unhandledRejection", onError);
  return {
    [Symbol.dispose]: () => {
      process.off("uncaughtException", onError);
      process.off("unhandledRejection", onError);
    },
  };
}
