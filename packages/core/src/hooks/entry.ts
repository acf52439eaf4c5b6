import type { Envelope } from "../contract/envelope.ts";
import type { DeciderOptions } from "./plugin.ts";

/** A registered callback with the state of its plugin. */
export interface Entry {
  readonly plugin: PluginState;
  readonly hook: string;
  readonly callback: (payload: never, envelope: Envelope) => unknown;
  readonly options: DeciderOptions | undefined;
  isActive: boolean;
}

/** What the dispatcher keeps of a plugin. */
export interface PluginState {
  readonly name: string;
  readonly onFlush: ((timeoutMs: number) => unknown)[];
  readonly onClose: ((timeoutMs: number) => unknown)[];
  faultsInARow: number;
}

/** An event that a callback emitted, to be delivered after the current one. */
export interface Waiting {
  readonly plan: readonly Entry[];
  readonly event: object;
  readonly envelope: Envelope;
  /** 2 for an event that was emitted while a first one was delivered, and so on. */
  readonly depth: number;
}
