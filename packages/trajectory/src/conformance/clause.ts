import type { EventRecord } from "@hermes-observer/core";

/** What a clause says about the events that it looks at. */
export interface ClauseReport {
  /** The event holds. */
  pass(event: EventRecord): void;
  /** The event breaks the clause. */
  fail(event: EventRecord, message: string): void;
}

/** A clause at work on one stream. */
export interface ClauseRun {
  see(event: EventRecord, report: ClauseReport): void;
  /** After the last event: for what only the whole stream shows. */
  end?(report: ClauseReport): void;
}

/** One thing that the contract asks of a stream. */
export interface Clause {
  /** `<family>.<name>`. */
  readonly id: string;
  /** The claim that holds when the clause passes. */
  readonly title: string;
  /** Where the contract says so. */
  readonly source: string;
  start(): ClauseRun;
}

/** A clause that judges each event by itself: null means that it does not look at it, `""` that it holds. */
export function eventClause(
  head: Pick<Clause, "id" | "title" | "source">,
  judge: (event: EventRecord) => string | null,
): Clause {
  return {
    ...head,
    start: () => ({
      see(event, report) {
        const fault = judge(event);
        if (fault === "") report.pass(event);
        else if (fault !== null) report.fail(event, fault);
      },
    }),
  };
}
