import type { Envelope, Payload } from "@hermes-observer/core";
import type { TrajectoryNode } from "./node.ts";

/** What happened to a node. A closed node may still change: a late end corrects it. */
export type NodeChange = "opened" | "changed" | "closed";

/** The event that a change comes from, for sinks that need its content; null when no event closed the node. */
export interface EventCause {
  readonly payload: Payload;
  readonly envelope: Envelope;
}

/** Events that were dropped before they reached the builder. */
export interface Gap {
  readonly count: number;
  readonly first_event_id: string;
  readonly last_event_id: string;
  /** Sessions that lost events, with how many; at most 64 are named. */
  readonly sessions: Readonly<Record<string, number>>;
}

/**
 * Takes nodes as they open, change and close.
 *
 * **Contract:** called synchronously, off the host's path when fed by `trajectoryPlugin`. What it throws or rejects
 * with is counted and reaches nobody else. It must not feed the builder. `node` is live: it goes on changing until it
 * is closed (its totals without a call), and whoever keeps it longer copies it. A node is announced again when it is
 * corrected, under the same id, so a sink overwrites by id.
 */
export interface TrajectorySink {
  onNode(node: TrajectoryNode, change: NodeChange, cause: EventCause | null): void;
  onGap?(gap: Gap): void;
}
