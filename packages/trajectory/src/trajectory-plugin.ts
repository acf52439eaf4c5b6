import type { Envelope, Payload } from "@hermes-observer/core";
import type { BuilderOptions } from "./builder-options.ts";
import type { Gap, TrajectorySink } from "./sink.ts";
import { TrajectoryBuilder } from "./trajectory-builder.ts";

/** What the plugin needs of the context that it registers with; core's `PluginContext` has it. */
export interface ObservingContext {
  registerHook(name: "*", callback: (payload: object, envelope: Envelope) => unknown): () => void;
  onFlush(flush: (timeoutMs: number) => unknown): void;
  onClose(close: (timeoutMs: number) => unknown): void;
}

/** Runs a task soon, off the caller's path. */
export type Schedule = (task: () => void) => void;

/** Options of `trajectoryPlugin`. */
export interface TrajectoryPluginOptions extends Omit<BuilderOptions, "sink"> {
  readonly sinks: readonly TrajectorySink[];
  /** Events that may wait; more are dropped, counted and reported to the sinks. Default 65,536. */
  readonly maxQueue?: number;
  /** Events handled per turn of the event loop, so that a burst does not hold the host up. Default 512. */
  readonly batch?: number;
  /** How to get off the caller's path; default `setImmediate` where there is one, else `setTimeout` of 0, unref'd. */
  readonly schedule?: Schedule;
}

/** The plugin that feeds one builder for all sinks of a `Hooks`. */
export interface TrajectoryPlugin {
  readonly name: string;
  readonly builder: TrajectoryBuilder;
  register(ctx: ObservingContext): void;
}

/**
 * Makes the plugin: its callback only puts the immutable event into a bounded queue; the builder and the sinks run
 * later. Flush drains the queue; close drains it and finishes the builder.
 */
export function trajectoryPlugin(options: TrajectoryPluginOptions): TrajectoryPlugin {
  const { sinks, maxQueue, batch, schedule, ...builderOptions } = options;
  const builder = new TrajectoryBuilder({ ...builderOptions, sink: fanOut(sinks) });
  const queue = new EventQueue(builder, {
    maxQueue: Math.max(1, maxQueue ?? 65_536),
    batch: Math.max(1, batch ?? 512),
    schedule: schedule ?? defaultSchedule(),
  });
  return {
    name: "trajectory",
    builder,
    register(ctx) {
      ctx.registerHook("*", (payload, envelope) => {
        queue.push(payload as Payload, envelope); // an event's payload is a JSON object
      });
      ctx.onFlush(() => queue.drain());
      ctx.onClose(() => {
        queue.drain();
        builder.finish("closed");
      });
    },
  };
}

/** One sink that passes everything on to several; the failure of one reaches neither the others nor the builder. */
export function fanOut(sinks: readonly TrajectorySink[]): TrajectorySink {
  return {
    onNode(node, change, cause) {
      const failures = callEach(sinks, (sink) => sink.onNode(node, change, cause));
      if (failures > 0) throw new Error(`${failures} sinks failed`);
    },
    onGap(gap) {
      const failures = callEach(sinks, (sink) => sink.onGap?.(gap));
      if (failures > 0) throw new Error(`${failures} sinks failed`);
    },
  };
}

interface QueueOptions {
  readonly maxQueue: number;
  readonly batch: number;
  readonly schedule: Schedule;
}

interface Waiting {
  readonly payload: Payload;
  readonly envelope: Envelope;
}

const maxNamedSessions = 64;

class EventQueue {
  readonly #builder: TrajectoryBuilder;
  readonly #options: QueueOptions;
  #waiting: Waiting[] = [];
  #isScheduled = false;
  #isDraining = false;
  #lost: { count: number; first: string; last: string; sessions: Map<string, number> } | null =
    null;

  constructor(builder: TrajectoryBuilder, options: QueueOptions) {
    this.#builder = builder;
    this.#options = options;
  }

  push(payload: Payload, envelope: Envelope): void {
    if (this.#waiting.length >= this.#options.maxQueue) {
      this.#lose(payload, envelope);
      return;
    }
    this.#waiting.push({ payload, envelope });
    this.#wake();
  }

  /** Hands on everything that waits now, at once. */
  drain(): void {
    while (this.#waiting.length > 0 && !this.#isDraining) this.#take(this.#waiting.length);
    this.#reportLost();
  }

  #wake(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#options.schedule(() => {
      this.#isScheduled = false;
      this.#take(this.#options.batch);
      if (this.#waiting.length > 0) this.#wake();
      else this.#reportLost();
    });
  }

  #take(count: number): void {
    if (this.#isDraining) return; // a sink flushed from inside
    this.#isDraining = true;
    const taken = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    for (const { payload, envelope } of taken) this.#builder.add(payload, envelope);
    this.#isDraining = false;
  }

  #lose(payload: Payload, envelope: Envelope): void {
    this.#lost ??= { count: 0, first: envelope.id, last: envelope.id, sessions: new Map() };
    const lost = this.#lost;
    lost.count += 1;
    lost.last = envelope.id;
    const session = payload["session_id"] ?? payload["parent_session_id"];
    if (typeof session !== "string") return;
    if (!lost.sessions.has(session) && lost.sessions.size >= maxNamedSessions) return;
    lost.sessions.set(session, (lost.sessions.get(session) ?? 0) + 1);
  }

  #reportLost(): void {
    const lost = this.#lost;
    if (lost === null) return;
    this.#lost = null;
    const gap: Gap = {
      count: lost.count,
      first_event_id: lost.first,
      last_event_id: lost.last,
      sessions: Object.fromEntries(lost.sessions),
    };
    this.#builder.noteGap(gap);
  }
}

/** Calls every sink and gives the number of those that threw; a rejection is taken as one, later. */
function callEach(
  sinks: readonly TrajectorySink[],
  call: (sink: TrajectorySink) => unknown,
): number {
  let failures = 0;
  for (const sink of sinks) {
    try {
      const returned = call(sink);
      if (returned instanceof Promise) returned.catch(ignore);
    } catch {
      // Counted by the builder; the other sinks go on.
      failures += 1;
    }
  }
  return failures;
}

/** A sink's promise is its own business: nobody waits for it. */
function ignore(): void {}

/** Timers of the runtime, looked up so that this also loads where there is no `setImmediate`. */
function defaultSchedule(): Schedule {
  const timers = globalThis as {
    setImmediate?: (task: () => void) => unknown;
    setTimeout: (task: () => void, ms: number) => unknown;
  };
  const { setImmediate } = timers;
  return (task) => {
    const timer = setImmediate === undefined ? timers.setTimeout(task, 0) : setImmediate(task);
    if (typeof timer === "object" && timer !== null && "unref" in timer) {
      (timer as { unref(): void }).unref(); // Node's timers; must not hold the process
    }
  };
}
