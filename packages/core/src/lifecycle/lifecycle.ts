import type { HookName, ObserverEvents } from "../contract/events.ts";
import type { Producer } from "../contract/producer.ts";
import type { Clock } from "../hooks/clock.ts";
import type { Hooks } from "../hooks/hooks.ts";
import { createSanitizer } from "../sanitize/index.ts";
import type { Sanitizer } from "../sanitize/index.ts";
import { randomIds } from "./ids.ts";
import type { LifecycleContext } from "./context.ts";
import type { IdSource } from "./ids.ts";
import { SessionHandle } from "./session.ts";
import type { SessionOptions } from "./session.ts";

/** How a host sets up its lifecycle. */
export interface LifecycleOptions {
  /** The host, with the row of hooks that it can fire. */
  readonly producer: Producer;
  /** Default platform of its sessions: `cli`, `gateway`, `acp`, … Default `"cli"`. */
  readonly platform?: string;
  readonly ids?: IdSource;
  /** Default: one with the default rules and bounds. */
  readonly sanitizer?: Sanitizer;
}

/**
 * What a host calls to fire the hooks in the order, with the ids and with the pairing of the contract.
 *
 * **Contract:** payloads are built only when somebody listens; free text in them is sanitised here, so callers pass
 * real values. Nothing here throws into the host because of an observer or of a value that cannot be read.
 */
export class Lifecycle implements LifecycleContext {
  readonly hooks: Hooks;
  readonly ids: IdSource;
  readonly sanitizer: Sanitizer;
  readonly producer: Producer;
  readonly platform: string;
  readonly #deviations = new Map<string, number>();

  constructor(hooks: Hooks, options: LifecycleOptions) {
    this.hooks = hooks;
    this.producer = options.producer;
    this.platform = options.platform ?? "cli";
    this.ids = options.ids ?? randomIds();
    this.sanitizer = options.sanitizer ?? createSanitizer();
  }

  get clock(): Clock {
    return this.hooks.clock;
  }

  /** How often the host broke a rule of the contract, by rule: `late_close` = something was closed twice. */
  get deviations(): ReadonlyMap<string, number> {
    return this.#deviations;
  }

  /** Opens a session. Its `on_session_start` fires with its first turn, unless it is resumed. */
  startSession(options: SessionOptions): SessionHandle {
    return new SessionHandle(this, options);
  }

  deviate(rule: string, hook: HookName): void {
    this.#deviations.set(rule, (this.#deviations.get(rule) ?? 0) + 1);
    this.hooks.report("host", hook, "late_close", `${rule} before ${hook}`);
  }

  emit<Name extends HookName>(name: Name, build: () => ObserverEvents[Name]): void {
    try {
      this.hooks.emit(name, build());
    } catch (error) {
      this.hooks.report("host", name, "host", error);
    }
  }

  clean<Value>(value: Value): Value {
    // The sanitiser keeps the shape of what is JSON already, as every payload type is.
    return this.sanitizer.sanitize(value) as Value;
  }

  cleanText(text: string): string {
    return this.sanitizer.sanitizeText(text);
  }
}
