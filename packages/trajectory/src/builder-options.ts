import type { PriceTable } from "./price-table.ts";
import type { TrajectorySink } from "./sink.ts";

/** Limits of a builder; all hold in event time and event order, so that a replay gives what the live run gave. */
export interface BuilderOptions {
  readonly sink?: TrajectorySink;
  readonly prices?: PriceTable;
  /** Seconds of event time without an event after which an open node is given up; default 86,400. */
  readonly ttlSeconds?: number;
  /** Nodes open at once; beyond it the longest idle are given up. Default 10,000. */
  readonly maxOpenNodes?: number;
  /** Closed nodes that a session remembers, to know late and second ends; default 128, a quarter once it is closed. */
  readonly recentPerSession?: number;
  /** The same for all sessions together; default 8,192. */
  readonly maxRecent?: number;
  /** Envelope ids that are remembered, to know an event that is delivered twice; default 65,536. */
  readonly recentEvents?: number;
  /** Closed sessions (and closed children) that are remembered; default 64. */
  readonly recentSessions?: number;
}

/** What a builder counts over its life. */
export interface BuilderCounters {
  readonly events: number;
  readonly duplicates: number;
  readonly invalid_events: number;
  /** Events without a session under a hook that the contract does not have. */
  readonly unplaced_events: number;
  readonly evicted_nodes: number;
  readonly expired_nodes: number;
  /** Events lost before the builder (see `Gap`). */
  readonly lost_events: number;
  /** Calls of the sink that threw or rejected. */
  readonly sink_faults: number;
  /** Deviations by code. */
  readonly deviations: Readonly<Record<string, number>>;
}
