import { hookNames } from "../contract/events.ts";
import type { HookName } from "../contract/events.ts";
import { runAll, within } from "./closing.ts";
import type { FlushReport } from "./closing.ts";
import { Dispatcher } from "./dispatcher.ts";
import type { DispatcherOptions } from "./dispatcher.ts";
import type { Entry, PluginState } from "./entry.ts";
import { ObserverError } from "./errors.ts";
import type { DeciderOptions, Plugin, PluginContext, Registration } from "./plugin.ts";
import { checkCallback, checkHook, checkPlugin, describe, fail } from "./registration.ts";
import { looksLikeDecision } from "./returned.ts";
import { isThenable } from "./thenable.ts";

/** How `Hooks` is set up; every field has a default. */
export interface HooksOptions extends DispatcherOptions {
  /** Hooks that this host fires beside those of the contract. */
  readonly extraHooks?: readonly string[];
}

/**
 * The dispatcher with its plugins: a host owns one, registers plugins in it and emits into it.
 *
 * **Contract:** registering fails loudly, with a coded error; emitting never fails. See `Dispatcher`.
 */
export class Hooks extends Dispatcher {
  readonly #known: ReadonlySet<string>;
  readonly #plugins = new Map<string, PluginState>();
  #closing: Promise<FlushReport> | undefined;
  #waiting: (() => void)[] = [];

  constructor(options: HooksOptions = {}) {
    super(options);
    this.#known = new Set([...hookNames, "*", ...(options.extraHooks ?? [])]);
  }

  /** Faults so far, of all plugins. */
  get faultCount(): number {
    return this.faults.total;
  }

  /** Promises that observers returned and that have not settled. */
  get pendingCount(): number {
    return this.pending;
  }

  /** True when somebody answers this hook (see `decideToolCall`, `decideContext`, `decideText`). */
  hasDeciders(name: HookName): boolean {
    return this.entries.length > 0 && this.decidersOf(name).length > 0;
  }

  /** @internal */
  decidersOf(name: HookName): Entry[] {
    return this.entries.filter((entry) => entry.hook === name && entry.options !== undefined);
  }

  /**
   * Puts a plugin in place.
   *
   * @throws ObserverError when the plugin is malformed, its name is taken, or its `register` throws
   */
  register(plugin: Plugin): Registration {
    checkPlugin(plugin, (name) => this.#plugins.has(name));
    const { name } = plugin;
    const state: PluginState = { name, onFlush: [], onClose: [], faultsInARow: 0 };
    this.#plugins.set(name, state);
    try {
      const returned: unknown = plugin.register(this.#contextOf(state));
      if (isThenable(returned)) {
        returned.then(undefined, () => {});
        fail("OBS_INVALID_PLUGIN", `register of "${name}" returned a promise; make it synchronous`);
      }
    } catch (error) {
      this.#remove(state);
      if (ObserverError.isInstance(error)) throw error;
      fail("OBS_PLUGIN_FAILED", `register of "${name}" threw: ${describe(error)}`, error);
    }
    return { pluginName: name, unregister: () => this.#remove(state) };
  }

  /** Waits until plugins have flushed and promises of observers have settled, `timeoutMs` at most. Never rejects. */
  async flush(timeoutMs: number): Promise<FlushReport> {
    const [plugins, isIdle] = await Promise.all([
      runAll(this.#plugins.values(), "onFlush", timeoutMs),
      within(this.#whenIdle(), timeoutMs),
    ]);
    return { isComplete: isIdle && isEveryOk(plugins), pending: this.pending, plugins };
  }

  /** Flushes, closes and removes every plugin; each half takes `timeoutMs` at most. A second call waits for the first. */
  close(timeoutMs: number): Promise<FlushReport> {
    this.#closing ??= this.flush(timeoutMs).then(async (flushed) => {
      const plugins = await runAll(this.#plugins.values(), "onClose", timeoutMs);
      for (const plugin of this.#plugins.values()) this.#remove(plugin);
      if (isEveryOk(plugins)) return flushed;
      return { isComplete: false, pending: flushed.pending, plugins };
    });
    return this.#closing;
  }

  protected override settled(): void {
    if (this.pending === 0) for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #whenIdle(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.settled();
    });
  }

  /** A decision from a callback that only observes: a guard written without the option is noticed at its first call. */
  protected override ignore(entry: Entry, hook: string, returned: unknown): void {
    if (!looksLikeDecision(hook, returned)) return;
    const message = `the decision is ignored; register "${hook}" with { decides: true } to have it honoured`;
    this.report(entry.plugin.name, hook, "decision_ignored", message);
  }

  #contextOf(plugin: PluginState): PluginContext {
    return {
      pluginName: plugin.name,
      registerHook: (hook: string, callback: Entry["callback"], options?: DeciderOptions) => {
        checkHook(hook, this.#known);
        checkCallback(hook, callback, options);
        const entry: Entry = { plugin, hook, callback, options, isActive: true };
        const isInPlace = this.#plugins.get(plugin.name) === plugin;
        if (isInPlace) this.setEntries([...this.entries, entry]);
        return () => this.removeEntries((other) => other === entry);
      },
      onFlush: (flush) => void plugin.onFlush.push(flush),
      onClose: (close) => void plugin.onClose.push(close),
    };
  }

  #remove(plugin: PluginState): void {
    if (this.#plugins.get(plugin.name) === plugin) this.#plugins.delete(plugin.name);
    this.removeEntries((entry) => entry.plugin === plugin);
  }
}

function isEveryOk(outcomes: Readonly<Record<string, string>>): boolean {
  return Object.values(outcomes).every((outcome) => outcome === "ok");
}
