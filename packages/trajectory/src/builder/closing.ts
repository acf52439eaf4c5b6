/*
 * The close-out ladder (hook-contract §10): explicit end, end of the turn, end of the session or stop of the child,
 * a day without an event, too many open nodes, end of the record. Each node says which rung closed it.
 */
import type { ClosedBy, NodeStatus } from "../node.ts";
import { put, takeBack } from "./contribution.ts";
import type { Core } from "./core.ts";
import { SessionEntry, TurnEntry } from "./entry.ts";
import type { Entry } from "./entry.ts";
import { unfile } from "./filing.ts";
import type { SubagentFields } from "./node-fields.ts";

/** How a node is closed. */
export interface Closing {
  readonly by: ClosedBy;
  readonly status: NodeStatus;
  readonly endedAt: number;
}

/**
 * Closes a node, or corrects one that a lower rung had closed. The caller has taken the node's contribution back
 * (`takeBack`) before it filled in what the end says.
 */
export function close(core: Core, entry: Entry, closing: Closing): void {
  const { node } = entry;
  takeBack(entry); // does nothing if the caller did
  const isCorrection = node.status !== "open";
  node.status = closing.status;
  node.ended_at = closing.endedAt;
  node.closed_by = closing.by;
  node.closed_by_event = core.eventId;
  if (!isCorrection) {
    core.open.delete(entry);
    unfile(core, entry);
  }
  put(entry);
  core.emit(entry, isCorrection ? "changed" : "closed");
}

/** Closes a node that has no end of its own. */
export function giveUp(core: Core, entry: Entry, by: ClosedBy): void {
  if (entry.node.status !== "open") return;
  const endedAt = by === "ttl" || by === "evicted" || by === "finish" ? entry.lastAt : core.at;
  if (entry instanceof SessionEntry) {
    giveUpSession(core, entry, by);
    return;
  }
  if (entry instanceof TurnEntry) {
    closeBelowTurn(core, entry, by);
    entry.node.duration_ms = elapsed(entry.node.started_at, endedAt);
    entry.node.duration_source = entry.node.duration_ms === null ? null : "envelope";
  }
  core.deviate(entry, by === "evicted" ? "evicted" : "start_without_end");
  if (entry.node.kind === "subagent") giveUpChildSession(core, entry as Entry<SubagentFields>, by);
  close(core, entry, { by, status: givenUpStatus(entry, by), endedAt });
}

/** Closes what is still open in a turn; children may outlive it. */
export function closeBelowTurn(core: Core, turn: TurnEntry, by: ClosedBy): void {
  giveUpEach(core, turn.own.open, by);
  for (const child of turn.children) {
    core.deviate(child, "child_outlived_parent");
    core.emit(child, "changed");
  }
  turn.children.clear();
}

/** Closes everything in a session, then the session. */
export function closeSession(core: Core, session: SessionEntry, closing: Closing): void {
  closeBelowSession(core, session, closing.by === "event" ? "session_finalize" : closing.by);
  session.node.duration_ms = elapsed(session.node.started_at, closing.endedAt);
  session.node.duration_source = session.node.duration_ms === null ? null : "envelope";
  close(core, session, closing);
}

/** Everything that is still open, in the order in which it opened. */
export function giveUpAll(core: Core, by: ClosedBy): void {
  giveUpEach(core, core.sessions.values(), by);
  giveUpEach(core, core.open, by);
}

function closeBelowSession(core: Core, session: SessionEntry, by: ClosedBy): void {
  giveUpEach(core, session.turns.values(), by);
  giveUpEach(core, session.loose.open, by);
  giveUpEach(core, session.children, by);
}

/** Of a copy, because closing takes entries out of where they wait. */
function giveUpEach(core: Core, entries: Iterable<Entry>, by: ClosedBy): void {
  const waiting = [...entries];
  for (const entry of waiting) giveUp(core, entry, by);
}

/** A conversation needs no end of its own: idle and with nothing open it is in order. */
function giveUpSession(core: Core, session: SessionEntry, by: ClosedBy): void {
  const nothingOpen =
    session.turns.size === 0 && session.loose.open.size === 0 && session.children.size === 0;
  if (by === "evicted") core.deviate(session, "evicted");
  const status = nothingOpen && by !== "evicted" ? "ok" : "abandoned";
  closeSession(core, session, { by, status, endedAt: session.lastAt });
}

function giveUpChildSession(core: Core, child: Entry<SubagentFields>, by: ClosedBy): void {
  const session = core.sessions.get(child.node.child_session_id);
  if (session !== undefined && session.parent === child) giveUp(core, session, by);
}

function givenUpStatus(entry: Entry, by: ClosedBy): NodeStatus {
  const isOver = by === "turn_end" || by === "session_finalize" || by === "subagent_stop";
  return entry.node.kind === "tool" && isOver ? "unobserved" : "abandoned";
}

/** Milliseconds between two recorded times, to the microsecond, never negative. */
export function elapsed(startedAt: number | null, endedAt: number): number | null {
  if (startedAt === null) return null;
  return Math.max(0, Math.round((endedAt - startedAt) * 1e6) / 1e3);
}
