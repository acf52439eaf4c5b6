import type { CapabilityRow } from "@hermes-observer/core";
import type { Journal, JournalProblem, SessionSummary } from "@hermes-observer/journal";
import { buildTrajectory, verdict } from "@hermes-observer/trajectory";
import type { PriceTable, Trajectory, Verdict } from "@hermes-observer/trajectory";
import { sessionEvents } from "./session-events.ts";

/** A session as it is shown and judged. */
export interface LoadedSession {
  readonly sessionId: string;
  readonly trajectory: Trajectory;
  readonly verdict: Verdict;
  readonly problems: readonly JournalProblem[];
}

/** Reads a session with its children and builds its tree and verdict. */
export function loadSession(
  journal: Journal,
  sessionId: string,
  options: { readonly summary: SessionSummary; readonly prices: PriceTable },
): LoadedSession {
  const writer = journal.sessionState(sessionId);
  const events = sessionEvents(journal, sessionId);
  const trajectory = buildTrajectory(events, {
    prices: options.prices,
    // A writer that is gone adds nothing: what is open then stays without an end.
    ...(writer === "alive" ? {} : { finish: "end of the record" }),
  });
  const problems = events.problems();
  const capabilities = capabilitiesOf(options.summary);
  return {
    sessionId,
    trajectory,
    problems,
    verdict: verdict(trajectory, {
      writer,
      ...(capabilities === undefined ? {} : { capabilities }),
      problems: problems.map(({ kind, detail, id }) => ({
        code: kind,
        message: detail,
        ...(id === undefined ? {} : { event_id: id }),
      })),
    }),
  };
}

function capabilitiesOf(summary: SessionSummary): CapabilityRow | undefined {
  for (const { header } of summary.files) {
    if (header?.producer?.capabilities !== undefined) return header.producer.capabilities;
  }
  return undefined;
}
