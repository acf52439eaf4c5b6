import type { Envelope } from "../contract/envelope.ts";
import type { HookName, ObserverEvents } from "../contract/events.ts";
import type { DecisionReturns } from "../contract/decisions.ts";

/** Payload of a hook by its name; for `"*"`, any of them, unknown hooks of other producers included. */
export type PayloadOf<Name extends HookName | "*"> = Name extends HookName
  ? ObserverEvents[Name]
  : ObserverEvents[HookName];

/**
 * Watches one hook.
 *
 * **Contract:** called synchronously with a deep-frozen payload. Whatever it returns is ignored and a promise is
 * never awaited; what it throws or rejects with becomes a fault and reaches neither the host nor other observers.
 */
export type Observer<Name extends HookName | "*"> = (
  payload: PayloadOf<Name>,
  envelope: Envelope,
) => unknown;

/**
 * Answers one of the four hooks whose return value counts.
 *
 * **Contract:** gets a private copy of the real, unsanitised values and may take until its deadline.
 */
export type Decider<Name extends keyof DecisionReturns> = (
  payload: ObserverEvents[Name],
) =>
  | DecisionReturns[Name]
  | undefined
  | null
  | void
  | Promise<DecisionReturns[Name] | undefined | null | void>;

/** How a decider is registered. Without `decides` a callback only observes. */
export interface DeciderOptions {
  readonly decides: true;
  /** Deadline in milliseconds; default 30,000. */
  readonly timeoutMs?: number;
  /** What a throw, rejection, timeout or invalid answer of a `pre_tool_call` decider means; default `"allow"`. */
  readonly onFailure?: "allow" | "block";
}

/** What a plugin gets to register with; stays usable after `register` returned, until the plugin is removed. */
export interface PluginContext {
  /** Name under which faults of this plugin are reported. */
  readonly pluginName: string;
  /**
   * Registers a callback and returns the function that removes it again. The same callback may be registered
   * twice: it is then called twice, and each registration is removed on its own.
   *
   * @throws ObserverError `OBS_UNKNOWN_HOOK`, `OBS_INVALID_CALLBACK`, `OBS_NOT_A_DECIDING_HOOK`, `OBS_INVALID_OPTION`
   */
  registerHook<Name extends HookName | "*">(name: Name, callback: Observer<Name>): () => void;
  registerHook<Name extends keyof DecisionReturns>(
    name: Name,
    callback: Decider<Name>,
    options: DeciderOptions,
  ): () => void;
  /** Called by `Hooks.flush` with the milliseconds that are left. */
  onFlush(flush: (timeoutMs: number) => unknown): void;
  /** Called once by `Hooks.close`, after a flush, with the milliseconds that are left. */
  onClose(close: (timeoutMs: number) => unknown): void;
}

/**
 * A plugin: a name and the specification's `register(ctx)`.
 *
 * **Contract:** `register` is synchronous; if it throws, everything that it registered is taken back.
 */
export interface Plugin {
  readonly name: string;
  register(ctx: PluginContext): void;
}

/** A plugin in place. */
export interface Registration {
  readonly pluginName: string;
  /** Removes every callback of the plugin; a second call does nothing. */
  unregister(): void;
}
