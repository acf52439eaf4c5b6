import type { Payload } from "@hermes-observer/core";
import type { BuilderCounters, BuilderOptions } from "../builder-options.ts";
import { createPricer } from "../cost.ts";
import type { Pricer } from "../cost.ts";
import { deviationRules } from "../deviation.ts";
import type { Deviation, DeviationCode } from "../deviation.ts";
import type { EventCause, NodeChange, TrajectorySink } from "../sink.ts";
import type { Entry, SessionEntry, TurnEntry } from "./entry.ts";
import type { AnyFields, SubagentFields } from "./node-fields.ts";
import type { RecentBudget } from "./recent.ts";
import { put } from "./contribution.ts";

const maxDeviationsPerNode = 32;

/** Options with their defaults filled in. */
export interface Limits {
  readonly ttlSeconds: number;
  readonly maxOpenNodes: number;
  readonly recentPerSession: number;
  readonly maxRecent: number;
  readonly recentSessions: number;
}

type MutableCounters = {
  -readonly [Field in keyof BuilderCounters]: BuilderCounters[Field] extends number
    ? number
    : Record<string, number>;
};

/** State that all event families share, and the event that is being handled. */
export class Core {
  readonly limits: Limits;
  readonly pricer: Pricer;
  readonly sessions: Map<string, SessionEntry> = new Map();
  readonly closedSessions: Map<string, SessionEntry> = new Map();
  /** Open turns by `turn_id`, whatever their session. */
  readonly turnsById: Map<string, TurnEntry[]> = new Map();
  /** Open and recently closed children by `child_session_id`. */
  readonly children: Map<string, Entry<SubagentFields>> = new Map();
  readonly closedChildren: string[] = [];
  readonly open: Set<Entry> = new Set();
  readonly recentBudget: RecentBudget = { used: 0 };
  readonly counters: MutableCounters = {
    events: 0,
    duplicates: 0,
    invalid_events: 0,
    unplaced_events: 0,
    evicted_nodes: 0,
    expired_nodes: 0,
    lost_events: 0,
    sink_faults: 0,
    deviations: {},
  };
  /** Event time of the event that is being handled, its id, and the session that it was counted on. */
  at = 0;
  eventId: string | null = null;
  session: SessionEntry | null = null;
  cause: EventCause | null = null;
  /** Appended to node ids while an event with somebody else's envelope id is handled. */
  idSuffix = "";
  readonly #sink: TrajectorySink | null;

  constructor(options: BuilderOptions) {
    this.#sink = options.sink ?? null;
    this.pricer = createPricer(options.prices);
    this.limits = {
      ttlSeconds: options.ttlSeconds ?? 86_400,
      maxOpenNodes: Math.max(1, options.maxOpenNodes ?? 10_000),
      recentPerSession: Math.max(1, options.recentPerSession ?? 128),
      maxRecent: Math.max(1, options.maxRecent ?? 8192),
      recentSessions: Math.max(1, options.recentSessions ?? 64),
    };
  }

  /** Takes the new node into the open ones, counts it above and announces it. */
  opened(entry: Entry): void {
    this.open.add(entry);
    put(entry);
    this.emit(entry, "opened");
  }

  emit(entry: Entry, change: NodeChange): void {
    if (this.#sink === null) return;
    try {
      const returned: unknown = this.#sink.onNode(entry.node, change, this.cause);
      if (returned instanceof Promise) void returned.catch(() => this.#countFault());
    } catch {
      // Isolated and counted: a sink's failure is neither the host's nor another sink's.
      this.#countFault();
    }
  }

  #countFault(): void {
    this.counters.sink_faults += 1;
  }

  /** Notes a deviation on the node that it concerns and counts it on its session. */
  deviate(entry: Entry, code: DeviationCode, detail: string | null = null): void {
    const counts = entry.session.node.deviation_counts;
    counts[code] = (counts[code] ?? 0) + 1;
    const all = this.counters.deviations;
    all[code] = (all[code] ?? 0) + 1;
    note(entry.node, { code, event_id: this.eventId, detail, count: 1 });
  }

  /** Runs what no single event causes: what it closes names none. */
  withoutCause(action: () => void): void {
    const { eventId, cause } = this;
    this.eventId = null;
    this.cause = null;
    action();
    this.eventId = eventId;
    this.cause = cause;
  }

  /** Takes a deviation back that a later event has explained. */
  withdraw(entry: Entry, code: DeviationCode): void {
    const gone = (one: Deviation): boolean => one.code === code;
    const found = entry.node.deviations.find(gone);
    if (found === undefined) return;
    entry.node.deviations = entry.node.deviations.filter((one) => !gone(one));
    lower(entry.session.node.deviation_counts, code, found.count);
    lower(this.counters.deviations, code, found.count);
  }

  /** Marks the entry and everything above it as active now. */
  touch(entry: Entry): void {
    for (let up: Entry | null = entry; up !== null; up = up.parent) {
      if (up.lastAt < this.at) up.lastAt = this.at;
    }
  }

  isExpired(entry: Entry): boolean {
    return this.at - entry.lastAt > this.limits.ttlSeconds;
  }

  /** Flags ids that the contract asks for and the event leaves out. */
  flagMissing(entry: Entry, payload: Payload, fields: readonly string[]): void {
    for (const field of fields) {
      const value = payload[field];
      if (value === undefined || value === null || value === "") {
        this.deviate(entry, "missing_id", field);
      }
    }
  }
}

/** Adds to the node's list, or counts up. A full list gives a notice away for a defect: that decides the verdict. */
function note(node: AnyFields, added: Deviation): void {
  const { deviations } = node;
  const known = deviations.findIndex(
    (one) => one.code === added.code && one.detail === added.detail,
  );
  const earlier = deviations[known];
  if (earlier !== undefined) {
    node.deviations = deviations.with(known, { ...earlier, count: earlier.count + 1 });
    return;
  }
  if (deviations.length < maxDeviationsPerNode) {
    node.deviations = [...deviations, added];
    return;
  }
  node.deviations_dropped += 1;
  if (deviationRules[added.code].severity === "notice") return;
  const notice = deviations.findIndex((one) => deviationRules[one.code].severity === "notice");
  if (notice >= 0) node.deviations = [...deviations.toSpliced(notice, 1), added];
}

function lower(counts: Record<string, number>, code: string, by: number): void {
  const left = (counts[code] ?? 0) - by;
  if (left > 0) counts[code] = left;
  else delete counts[code];
}
