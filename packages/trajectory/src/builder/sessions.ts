import type { Payload, Producer } from "@hermes-observer/core";
import { asNumber, asObject, asText, clip } from "../payload-fields.ts";
import { shortHash } from "../sha256.ts";
import { putSession } from "./contribution.ts";
import { close, closeSession } from "./closing.ts";
import type { Core } from "./core.ts";
import { SessionEntry } from "./entry.ts";
import type { Entry, Remembered } from "./entry.ts";
import { expire } from "./expiry.ts";
import { SessionFields } from "./node-fields.ts";
import type { SubagentFields } from "./node-fields.ts";
import { Recent } from "./recent.ts";

const schemaVersion = "hermes.observer.v1";
const maxNesting = 64;

/** What an event does to a session that it names: starts it, works in it, or only ends something. */
export type SessionUse = "start" | "work" | "end";

/** The session of that id, made or opened again as the event needs it; counts the event on it. */
export function sessionOf(core: Core, id: string, use: SessionUse): SessionEntry {
  const session = findSession(core, id, use);
  if (core.session === null) countEvent(core, session);
  return session;
}

/** Counts the event that is being handled on its session, and checks what every event is checked for. */
function countEvent(core: Core, session: SessionEntry): void {
  core.session = session;
  session.node.event_count += 1;
  const hook = core.cause?.envelope.hook;
  if (core.at < session.maxAt) core.deviate(session, "clock_stepped_back", hook);
  else session.maxAt = core.at;
  const isConflict = core.idSuffix !== "";
  if (!isConflict && core.eventId !== null && !session.order.follows(core.eventId)) {
    core.deviate(session, "out_of_order", hook);
  }
  const version: unknown = core.cause?.payload["telemetry_schema_version"];
  if (version === schemaVersion || version === undefined) return;
  core.deviate(session, "unknown_schema_version", clip(asText(version), 100));
}

function findSession(core: Core, id: string, use: SessionUse): SessionEntry {
  const open = core.sessions.get(id);
  if (open !== undefined) {
    if (!core.isExpired(open)) return open;
    expire(core, open);
  }
  const closed = core.closedSessions.get(id);
  if (closed === undefined) return createSession(core, id, use, 0);
  if (use === "end") return closed;
  if (use === "start" && closed.node.closed_by === "event") {
    closed.recent.clear();
    const again = createSession(core, id, use, closed.incarnation + 1);
    core.deviate(again, "reused_id", "session_id");
    return again;
  }
  reopen(core, closed);
  return closed;
}

/** Work goes on in a session that was closed: resumed by its user, or closed for being idle. */
function reopen(core: Core, session: SessionEntry): void {
  core.closedSessions.delete(session.id);
  core.sessions.set(session.id, session);
  core.open.add(session);
  const { node } = session;
  node.status = "open";
  node.ended_at = null;
  node.duration_ms = null;
  node.duration_source = null;
  node.closed_by = null;
  node.closed_by_event = null;
  node.resumed += 1;
  session.lastAt = Math.max(session.lastAt, core.at);
  core.deviate(session, "session_resumed");
  core.emit(session, "changed");
}

function createSession(core: Core, id: string, use: SessionUse, incarnation: number): SessionEntry {
  const suffix = incarnation === 0 ? "" : `~${incarnation + 1}`;
  const node = new SessionFields(`session:${shortHash(id)}${suffix}`, id);
  const recent = new Recent<Remembered>(core.limits.recentPerSession, core.recentBudget);
  const session = new SessionEntry(node, id, recent, core.at);
  session.incarnation = incarnation;
  node.name = clip(id, 200);
  node.unattributed = id === "";
  node.started_at = core.at;
  node.opened_by_event = core.eventId;
  core.sessions.set(id, session);
  if (use === "start") fillStart(core, node);
  const child = core.children.get(id);
  if (child !== undefined) hangBelow(core, session, child);
  if (use !== "start" && id !== "") core.deviate(session, "parent_not_observed");
  core.opened(session);
  return session;
}

/** Hangs a session below the child agent that it is the session of, unless that would make a cycle. */
export function hangBelow(core: Core, session: SessionEntry, child: Entry<SubagentFields>): void {
  if (session.parent !== null) return;
  let depth = 0;
  for (let up: Entry | null = child; up !== null; up = up.parent) {
    if (up instanceof SessionEntry) depth += 1;
    if (up === session || depth > maxNesting) {
      core.deviate(child, "nesting_refused");
      return;
    }
  }
  session.parent = child;
  session.node.parent_id = child.node.id;
  putSession(session, child);
}

/** `on_session_start`: once per conversation, before everything else in it. */
export function onSessionStart(core: Core, payload: Payload): void {
  const session = sessionOf(core, asText(payload["session_id"]), "start");
  const { node } = session;
  core.flagMissing(session, payload, ["session_id"]);
  core.touch(session);
  if (node.opened_by_event === core.eventId) return;
  if (node.start_observed) {
    core.deviate(session, "duplicate_start", "on_session_start");
  } else {
    core.withdraw(session, "parent_not_observed");
    const isAnnounced = session.wasReset || session.rotatedFrom !== null;
    if (!isAnnounced) core.deviate(session, "out_of_order", "on_session_start");
  }
  fillStart(core, node);
  core.emit(session, "changed");
}

/** What a start or a reset says of its session; the first word holds. */
function fillStart(core: Core, node: SessionFields): void {
  if (core.cause === null) return;
  const { payload, envelope } = core.cause;
  if (envelope.hook === "on_session_start") node.start_observed = true;
  if (node.model === "") node.model = clip(asText(payload["model"]), 200);
  if (node.platform === "") node.platform = clip(asText(payload["platform"]), 100);
  node.producer ??= producerOf(payload["producer"]);
}

/** `on_session_finalize`: the identity is torn down; everything below closes with it. */
export function onSessionFinalize(core: Core, payload: Payload): void {
  const id = asText(payload["session_id"]) || asText(payload["old_session_id"]);
  const session = sessionOf(core, id, "end");
  if (id === "") {
    core.flagMissing(session, payload, ["session_id"]);
    return;
  }
  core.touch(session);
  link(core, session, asText(payload["new_session_id"]));
  session.node.reason = clip(asText(payload["reason"]), 200);
  if (session.node.status !== "open") {
    finalizeAgain(core, session);
    return;
  }
  for (let part: SessionEntry | null = session; part !== null; part = part.rotatedFrom) {
    if (part.node.status !== "open") break;
    closeSession(core, part, { by: "event", status: "ok", endedAt: core.at });
  }
}

/** A second end is a deviation; the first explicit one after the session was given up or its agent stopped is not. */
function finalizeAgain(core: Core, session: SessionEntry): void {
  const by = session.node.closed_by;
  if (by === "event") core.deviate(session, "duplicate_end", "on_session_finalize");
  else if (by !== "subagent_stop") core.deviate(session, "late_event", "on_session_finalize");
  if (by === "event") core.emit(session, "changed");
  else close(core, session, { by: "event", status: "ok", endedAt: core.at });
}

/** `on_session_reset`: the surface moved on to a new identity. */
export function onSessionReset(core: Core, payload: Payload): void {
  const newId = asText(payload["new_session_id"]) || asText(payload["session_id"]);
  const session = sessionOf(core, newId, "start");
  core.flagMissing(session, payload, ["session_id"]);
  core.touch(session);
  const oldId = asText(payload["old_session_id"]);
  const old = core.sessions.get(oldId) ?? core.closedSessions.get(oldId);
  if (old !== undefined && old !== session) link(core, old, newId);
  if (oldId !== "" && oldId !== newId) {
    session.node.previous_session_id = oldId;
    session.node.link_reason = "reset";
  }
  session.wasReset = true;
  core.emit(session, "changed");
}

/** An event of a hook outside the contract: it makes no node and is counted where it belongs. */
export function onUnknownHook(core: Core, payload: Payload): void {
  const id = asText(payload["session_id"]);
  if (id === "") {
    core.counters.unplaced_events += 1;
    return;
  }
  const session = sessionOf(core, id, "end");
  countOther(core, session);
  core.deviate(session, "unknown_hook", clip(core.cause?.envelope.hook ?? "", 100));
}

/** Counts an event that makes no node. */
export function countOther(core: Core, session: SessionEntry): void {
  const hook = clip(core.cause?.envelope.hook ?? "", 100);
  const counts = session.node.other_events;
  const isListed = Object.hasOwn(counts, hook);
  if (isListed || Object.keys(counts).length < 64) counts[hook] = (counts[hook] ?? 0) + 1;
  if (session.node.status === "open") core.touch(session);
}

function link(core: Core, old: SessionEntry, newId: string): void {
  if (newId === "" || newId === old.id) return;
  old.node.next_session_id = newId;
  const next = core.sessions.get(newId);
  if (next !== undefined && next.node.previous_session_id === null) {
    next.node.previous_session_id = old.id;
    next.node.link_reason = "reset";
  }
  core.emit(old, "changed");
}

function producerOf(value: unknown): Producer | null {
  const fields = asObject(value);
  if (fields === null || typeof fields["name"] !== "string") return null;
  return fields as unknown as Producer; // frozen payload part; its row is read field by field where it is used
}

/** Seconds of the epoch from a payload; milliseconds and other nonsense are not used and said so. */
export function epochSeconds(
  core: Core,
  entry: Entry,
  payload: Payload,
  field: string,
): number | null {
  const value: unknown = payload[field];
  if (value === undefined || value === null) return null;
  const seconds = asNumber(value);
  if (seconds !== null && seconds >= 0 && seconds < 1e11) return seconds;
  core.deviate(entry, "invalid_field", field);
  return null;
}
