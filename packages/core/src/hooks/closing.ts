import type { PluginState } from "./entry.ts";
import { describe } from "./registration.ts";

/** What became of a flush or close. */
export interface FlushReport {
  /** True when every plugin finished and no promise of an observer is pending. */
  readonly isComplete: boolean;
  /** Promises of observers that did not settle in time. */
  readonly pending: number;
  /** By plugin: `"ok"`, `"timeout"`, or what it failed with. */
  readonly plugins: Readonly<Record<string, string>>;
}

/** Runs `tasks` of every plugin side by side, none longer than `timeoutMs`. Never rejects. */
export async function runAll(
  plugins: Iterable<PluginState>,
  step: "onFlush" | "onClose",
  timeoutMs: number,
): Promise<Record<string, string>> {
  const outcomes = Object.create(null) as Record<string, string>;
  const runs = Array.from(plugins, async (plugin) => {
    outcomes[plugin.name] = "timeout";
    try {
      await Promise.all(plugin[step].map(async (task) => task(timeoutMs)));
      outcomes[plugin.name] = "ok";
    } catch (error) {
      outcomes[plugin.name] = describe(error);
    }
  });
  await within(Promise.all(runs), timeoutMs);
  return { ...outcomes };
}

/** Waits for `work`, but not longer than `timeoutMs`; true when it finished. */
export async function within(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, false);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
