/** Every way in which a stream can differ from the contract, by name. The list is closed. */
export type DeviationCode =
  | "ambiguous_pairing"
  | "child_outlived_parent"
  | "clock_stepped_back"
  | "duplicate_end"
  | "duplicate_event"
  | "duplicate_start"
  | "end_without_start"
  | "evicted"
  | "gap"
  | "id_conflict"
  | "inferred_pairing"
  | "invalid_event"
  | "invalid_field"
  | "late_event"
  | "missing_id"
  | "nesting_refused"
  | "orphan_stop"
  | "out_of_order"
  | "parent_not_observed"
  | "reused_id"
  | "rotated_session_reused"
  | "session_resumed"
  | "session_rotated"
  | "start_not_fired"
  | "start_without_end"
  | "superseded"
  | "unknown_hook"
  | "unknown_schema_version"
  | "unknown_value"
  | "usage_inconsistent";

/**
 * What a deviation says about the record. A `defect` means that something is missing, doubled, moved or cannot be
 * trusted: the verdict is then not "complete". A `notice` names something that real hosts do without anything being
 * lost.
 */
export type DeviationSeverity = "defect" | "notice";

/** One deviation on the node that it concerns. */
export interface Deviation {
  readonly code: DeviationCode;
  /** Envelope id of the event that showed it; null when no single event did. */
  readonly event_id: string | null;
  /** What exactly (a field, a hook, a value), or null. */
  readonly detail: string | null;
  /** How often the same code with the same detail was seen on this node. */
  readonly count: number;
}

/** What a code means. */
export interface DeviationRule {
  readonly severity: DeviationSeverity;
  /** One sentence for readers. */
  readonly sentence: string;
}

/** The closed list with its meaning; also the table of the reference documentation. */
export const deviationRules: Readonly<Record<DeviationCode, DeviationRule>> = {
  ambiguous_pairing: {
    severity: "defect",
    sentence:
      "Several open nodes fit this event and no explicit id tells which; the oldest fit was taken.",
  },
  child_outlived_parent: {
    severity: "notice",
    sentence: "It was still going on when the turn or call that it belongs to ended.",
  },
  clock_stepped_back: {
    severity: "defect",
    sentence:
      "An event's time lies before that of an earlier event: the clock stepped back or the event was moved.",
  },
  duplicate_end: {
    severity: "defect",
    sentence: "A second end arrived for a node that had ended; the first one counts.",
  },
  duplicate_event: {
    severity: "defect",
    sentence: "The same event arrived again under the same envelope id and was ignored.",
  },
  duplicate_start: {
    severity: "defect",
    sentence: "A second start arrived for a node that had started and not been started anew.",
  },
  end_without_start: {
    severity: "defect",
    sentence: "The end was seen, the start was not.",
  },
  evicted: {
    severity: "defect",
    sentence: "Too many nodes were open at once and this one, the longest idle, was given up.",
  },
  gap: {
    severity: "defect",
    sentence: "Events were dropped before they reached the trajectory; the journal may hold them.",
  },
  id_conflict: {
    severity: "defect",
    sentence: "Another event came with the same envelope id and other content; both count.",
  },
  inferred_pairing: {
    severity: "notice",
    sentence: "Start and end have no id in common and were joined as the only fit.",
  },
  invalid_event: {
    severity: "defect",
    sentence: "The event is no object with a hook name and could not be read.",
  },
  invalid_field: {
    severity: "defect",
    sentence: "A field has a value that the contract does not allow and was not used.",
  },
  late_event: {
    severity: "defect",
    sentence: "The event arrived after the node or its turn had been closed.",
  },
  missing_id: {
    severity: "defect",
    sentence: "An id that the contract asks for is missing or empty.",
  },
  nesting_refused: {
    severity: "defect",
    sentence:
      "The parent link would make a cycle or nest deeper than 64 agents and was not followed.",
  },
  orphan_stop: {
    severity: "defect",
    sentence: "A child stopped whose start was not seen; it was matched to no other child.",
  },
  out_of_order: {
    severity: "defect",
    sentence: "The event arrived after one that it should come before.",
  },
  parent_not_observed: {
    severity: "defect",
    sentence: "Events name this node, but its own start was not seen.",
  },
  reused_id: {
    severity: "notice",
    sentence: "An id of a node that had ended was used again; this is a node of its own.",
  },
  rotated_session_reused: {
    severity: "notice",
    sentence: "An event names the old session id after the conversation had moved to a new one.",
  },
  session_resumed: {
    severity: "notice",
    sentence: "The session went on after it had been closed.",
  },
  session_rotated: {
    severity: "notice",
    sentence: "The session id changed inside a turn.",
  },
  start_not_fired: {
    severity: "notice",
    sentence:
      "The call was refused before dispatch; on this path the contract has an end but no start.",
  },
  start_without_end: {
    severity: "defect",
    sentence: "The start was seen, the end was not.",
  },
  superseded: {
    severity: "notice",
    sentence: "The question was put again to somebody else and has no answer of its own.",
  },
  unknown_hook: {
    severity: "notice",
    sentence: "The hook is not one of the contract; the event was counted and has no node.",
  },
  unknown_schema_version: {
    severity: "defect",
    sentence: "The event was made for another schema version; its fields may mean something else.",
  },
  unknown_value: {
    severity: "notice",
    sentence:
      "A field has a value that this version of the contract does not know; it is kept as it is.",
  },
  usage_inconsistent: {
    severity: "notice",
    sentence: "The reported token counts contradict each other or had to be repaired.",
  },
};
