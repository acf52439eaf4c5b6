import type { Envelope } from "../contract/envelope.ts";
import { SCHEMA_VERSION } from "../contract/events.ts";
import type { HookName, ObserverEvents } from "../contract/events.ts";
import { deepFreeze } from "../frozen.ts";
import { systemClock } from "./clock.ts";
import type { Clock } from "./clock.ts";
import type { Entry, Waiting } from "./entry.ts";
import { FaultLog } from "./faults.ts";
import type { FaultKind, FaultSink } from "./faults.ts";
import { isThenable } from "./thenable.ts";
import { randomWriter } from "./writer-id.ts";

/** How a dispatcher is set up; every field has a default. */
export interface DispatcherOptions {
  /** Default: the clocks of the machine. */
  readonly clock?: Clock;
  /** First part of every event id. Default: 64 random bits in base 36. */
  readonly writer?: string;
  readonly onFault?: FaultSink;
  /** Faults in a row after which a plugin is switched off; 0 = never. Default 20. */
  readonly maxConsecutiveFaults?: number;
}

/** Events that callbacks emit from inside callbacks nest at most this deep; what goes deeper is a fault. */
const MAX_DEPTH = 8;

/**
 * Delivers events: `if (hooks.has(name)) hooks.emit(name, payload)`. `Hooks` adds plugins to it.
 *
 * **Contract:** `emit` never throws, never waits, and hands every observer the same frozen payload and envelope.
 * Observers are isolated from each other and from the host. Two dispatchers in one process share nothing.
 */
export class Dispatcher {
  readonly clock: Clock;
  readonly writer: string;
  protected readonly faults: FaultLog;
  protected entries: readonly Entry[] = [];
  /** Promises that observers returned and that have not settled. */
  protected pending = 0;
  readonly #idPrefix: string;
  readonly #maxFaults: number;
  readonly #waiting: Waiting[] = [];
  #plans = new Map<string, readonly Entry[]>();
  #wildcard: readonly Entry[] | undefined;
  #isObserved = false;
  #lastHook: string | undefined;
  #lastPlan: readonly Entry[] | undefined;
  #isPaused = false;
  #count = 0;
  #depth = 0;

  constructor(options: DispatcherOptions = {}) {
    this.clock = options.clock ?? systemClock;
    this.writer = options.writer ?? randomWriter();
    this.#idPrefix = `${this.writer}:`;
    this.faults = new FaultLog(options.onFault);
    this.#maxFaults = options.maxConsecutiveFaults ?? 20;
  }

  /** True when somebody observes this hook. Build a payload only then. */
  has(name: HookName): boolean {
    return this.#planOf(name) !== undefined;
  }

  /**
   * Hands one event to the observers of its hook.
   *
   * **Contract:** the payload belongs to the dispatcher from here on: it is stamped with the schema version (a
   * version already there stays) and deep-frozen. Free text in it has been sanitised by the caller.
   */
  emit<Name extends HookName>(name: Name, payload: ObserverEvents[Name]): void {
    const plan = this.#planOf(name);
    if (plan === undefined) return;
    const id = this.#idPrefix + (this.#count += 1);
    this.#dispatch(plan, payload, { id, at: this.clock.now(), hook: name });
  }

  /** Hands on an event that already has its envelope: a recorded or an ingested one, unknown hooks included. */
  replay(payload: object, envelope: Envelope): void {
    const plan = this.#planOf(envelope.hook);
    if (plan !== undefined) this.#dispatch(plan, payload, { ...envelope });
  }

  /** Makes `has` false and `emit` a no-op until `resume`. Deciders stay: a guard is not switched off by this. */
  pause(): void {
    this.#isPaused = true;
    this.setEntries(this.entries);
  }

  resume(): void {
    this.#isPaused = false;
    this.setEntries(this.entries);
  }

  /** Counts a fault and passes it to the fault sink. */
  report(plugin: string, hook: string, kind: FaultKind, error: unknown): void {
    this.faults.report(plugin, hook, kind, error);
  }

  /** @internal One more fault in a row of this plugin; too many switch it off, all but guards that must block. */
  fault(entry: Entry, kind: FaultKind, error: unknown): void {
    const { plugin, hook } = entry;
    this.report(plugin.name, hook, kind, error);
    plugin.faultsInARow += 1;
    if (plugin.faultsInARow !== this.#maxFaults) return;
    this.removeEntries((other) => other.plugin === plugin && other.options?.onFailure !== "block");
    this.report(plugin.name, hook, "switched_off", "too many faults in a row");
  }

  /** Decides who is called for which hook, so that the call path is a look-up and a loop. */
  protected setEntries(entries: readonly Entry[]): void {
    const observers = entries.filter((entry) => entry.options === undefined);
    const plansOf = (hook: string): Entry[] =>
      observers.filter((entry) => entry.hook === hook || entry.hook === "*");
    const wildcard = plansOf("*");
    this.entries = entries;
    this.#plans = new Map(observers.map(({ hook }) => [hook, plansOf(hook)]));
    this.#wildcard = wildcard.length > 0 ? wildcard : undefined;
    this.#isObserved = observers.length > 0 && !this.#isPaused;
    this.#lastHook = undefined;
    this.#lastPlan = undefined;
  }

  protected removeEntries(isGoing: (entry: Entry) => boolean): void {
    const staying = this.entries.filter((entry) => {
      if (isGoing(entry)) entry.isActive = false;
      return entry.isActive;
    });
    this.setEntries(staying);
  }

  /** A promise of an observer has settled. */
  protected settled(): void {}

  /** What an observer returned, or its promise resolved with. Never throws. */
  protected ignore(_entry: Entry, _hook: string, _returned: unknown): void {}

  /** `has` and `emit` ask one after the other: the second answer is the first one, without a look-up. */
  #planOf(hook: string): readonly Entry[] | undefined {
    if (this.#isObserved && hook !== this.#lastHook) {
      this.#lastHook = hook;
      this.#lastPlan = this.#plans.get(hook) ?? this.#wildcard;
    }
    return this.#lastPlan;
  }

  /** Events that callbacks emit wait until the current one is through: every observer sees them in order of id. */
  #dispatch(plan: readonly Entry[], payload: object, envelope: Envelope): void {
    let event: object;
    try {
      event = deepFreeze(stamp(payload));
      Object.freeze(envelope);
    } catch (error) {
      this.report("host", envelope.hook, "host", error);
      return;
    }
    if (this.#depth === 0) {
      this.#depth = 1;
      this.#deliver(plan, event, envelope);
      while (this.#waiting.length > 0) {
        const next = this.#waiting.shift() as Waiting;
        this.#depth = next.depth;
        this.#deliver(next.plan, next.event, next.envelope);
      }
      this.#depth = 0;
    } else if (this.#depth < MAX_DEPTH) {
      this.#waiting.push({ plan, event, envelope, depth: this.#depth + 1 });
    } else {
      this.report("host", envelope.hook, "recursion", "nested too deep");
    }
  }

  #deliver(plan: readonly Entry[], event: object, envelope: Envelope): void {
    for (const entry of plan) {
      if (!entry.isActive) continue;
      try {
        const returned = entry.callback(event as never, envelope);
        if (returned !== undefined) this.#settle(entry, envelope.hook, returned);
        else if (entry.plugin.faultsInARow !== 0) entry.plugin.faultsInARow = 0;
      } catch (error) {
        this.fault(entry, "threw", error);
      }
    }
  }

  /** An observer returned something: a promise is followed, what comes of it is ignored. */
  #settle(entry: Entry, hook: string, returned: unknown): void {
    const accept = (value: unknown): void => {
      entry.plugin.faultsInARow = 0;
      this.ignore(entry, hook, value);
    };
    if (!isThenable(returned)) {
      accept(returned);
      return;
    }
    const settled = (report: (value: unknown) => void) => (value: unknown) => {
      this.pending -= 1;
      report(value);
      this.settled();
    };
    this.pending += 1;
    // A promise of our own: it takes a `then` that throws, or calls back twice, as a promise does.
    new Promise((resolve) => resolve(returned)).then(
      settled(accept),
      settled((error) => this.fault(entry, "rejected", error)),
    );
  }
}

/** The payload with the schema version; a version that is already there stays. Frozen payloads are copied for it. */
function stamp(payload: { telemetry_schema_version?: string }): object {
  if (payload.telemetry_schema_version !== undefined) return payload;
  try {
    // Trying costs nothing; asking Object.isExtensible first is a tenth of an event (bench/dispatch.bench.ts).
    payload.telemetry_schema_version = SCHEMA_VERSION;
    return payload;
  } catch {
    return { ...payload, telemetry_schema_version: SCHEMA_VERSION };
  }
}
