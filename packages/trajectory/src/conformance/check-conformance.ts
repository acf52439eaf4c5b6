import type { EventRecord } from "@hermes-observer/core";
import type { Clause } from "./clause.ts";
import { fieldClauses } from "./fields.ts";
import { idClauses } from "./ids.ts";
import { orderClauses } from "./order.ts";
import { pairingClauses } from "./pairing.ts";
import { unitClauses } from "./units.ts";

/** One event that breaks a clause. */
export interface ClauseFailure {
  readonly event_id: string;
  readonly message: string;
}

/** How a stream stands to one clause. */
export interface ClauseResult {
  readonly id: string;
  readonly title: string;
  readonly source: string;
  /** `NOT SEEN`: the stream has no event that the clause is about. */
  readonly status: "PASS" | "FAIL" | "NOT SEEN";
  /** Events that were judged, and the first that held. */
  readonly judged: number;
  readonly example_event_id: string | null;
  /** All failures, and the first 20 of them. */
  readonly failed: number;
  readonly failures: readonly ClauseFailure[];
}

/** The whole report. */
export interface ConformanceReport {
  readonly events: number;
  readonly passed: number;
  readonly failed: number;
  readonly not_seen: number;
  readonly clauses: readonly ClauseResult[];
}

/** All clauses, in the order of the report. */
export const clauses: readonly Clause[] = [
  ...pairingClauses,
  ...idClauses,
  ...orderClauses,
  ...unitClauses,
  ...fieldClauses,
];

const maxFailures = 20;

/**
 * Checks a whole stream against the contract, clause by clause. Holds an entry per id of the stream until the end, so
 * it is for recordings, not for live streams. Events that are no objects are counted as judged by no clause.
 */
export function checkConformance(
  events: Iterable<EventRecord>,
  options: { readonly clauses?: readonly Clause[] } = {},
): ConformanceReport {
  const running = (options.clauses ?? clauses).map((clause) => new Running(clause));
  let count = 0;
  for (const event of events) {
    count += 1;
    if (!isReadable(event)) continue;
    for (const one of running) one.run.see(event, one);
  }
  for (const one of running) one.run.end?.(one);
  const results = running.map((one) => one.result());
  const having = (status: ClauseResult["status"]): number =>
    results.filter((result) => result.status === status).length;
  return {
    events: count,
    passed: having("PASS"),
    failed: having("FAIL"),
    not_seen: having("NOT SEEN"),
    clauses: results,
  };
}

class Running {
  readonly run: ReturnType<Clause["start"]>;
  readonly #clause: Clause;
  readonly #failures: ClauseFailure[] = [];
  #passed = 0;
  #failed = 0;
  #example: string | null = null;

  constructor(clause: Clause) {
    this.#clause = clause;
    this.run = clause.start();
  }

  pass(event: EventRecord): void {
    this.#passed += 1;
    this.#example ??= event.id;
  }

  fail(event: EventRecord, message: string): void {
    this.#failed += 1;
    if (this.#failures.length < maxFailures) this.#failures.push({ event_id: event.id, message });
  }

  result(): ClauseResult {
    const { id, title, source } = this.#clause;
    const judged = this.#passed + this.#failed;
    return {
      id,
      title,
      source,
      status: this.#failed > 0 ? "FAIL" : judged > 0 ? "PASS" : "NOT SEEN",
      judged,
      example_event_id: this.#example,
      failed: this.#failed,
      failures: this.#failures,
    };
  }
}

function isReadable(event: EventRecord): boolean {
  return (
    typeof event?.payload === "object" && event.payload !== null && typeof event.hook === "string"
  );
}
