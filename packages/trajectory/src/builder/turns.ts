import type { Payload } from "@hermes-observer/core";
import type { NodeStatus } from "../node.ts";
import { asFlag, asText, clip, previewOf } from "../payload-fields.ts";
import { shortHash } from "../sha256.ts";
import { close, closeBelowTurn, elapsed } from "./closing.ts";
import { takeBack } from "./contribution.ts";
import type { Core } from "./core.ts";
import { TurnEntry } from "./entry.ts";
import type { Entry, Scope, SessionEntry } from "./entry.ts";
import { isAlive } from "./expiry.ts";
import { turnKey } from "./filing.ts";
import { TurnFields } from "./node-fields.ts";
import { openToolIn } from "./open-tool.ts";
import { sessionOf } from "./sessions.ts";
import type { SessionUse } from "./sessions.ts";

/** Where an event belongs: the turn that it names and the session that holds that turn. */
export interface Place {
  readonly session: SessionEntry;
  readonly turn: TurnEntry | null;
  readonly scope: Scope;
  readonly parent: Entry;
}

/** The place that an event's explicit ids name. */
export function placeOf(core: Core, payload: Payload, use: SessionUse): Place {
  const sessionId = asText(payload["session_id"]);
  const turnId = asText(payload["turn_id"]);
  const only = sessionId === "" && turnId !== "" ? onlyOpen(core, turnId) : null;
  const named =
    only === null ? sessionOf(core, sessionId, use) : sessionOf(core, only.session.id, use);
  const turn = only ?? turnOf(core, named, turnId);
  const session = turn?.session ?? named;
  return { session, turn, scope: turn?.own ?? session.loose, parent: turn ?? session };
}

/** What a new or ended leaf is flagged for because of its place. */
export function flagPlace(core: Core, entry: Entry, place: Place): void {
  if (place.turn !== null && place.turn.node.status !== "open") {
    core.deviate(entry, "late_event", "turn_ended");
  }
  if (place.session.rotatedTo !== null && core.session === place.session) {
    core.deviate(entry, "rotated_session_reused");
  }
}

/** The turn of that id as seen from a session: its own, one that rotated into it, or a placeholder. */
export function turnOf(core: Core, session: SessionEntry, turnId: string): TurnEntry | null {
  if (turnId === "") return null;
  return (
    ownTurn(core, session, turnId) ??
    rotatedTurn(core, session, turnId) ??
    openTurn(core, session, turnId)
  );
}

/**
 * A turn whose session id changed under way. Compression fires no hook of its own, so the sign is an event that names
 * a turn that is open elsewhere, from a session that has neither started nor had a turn itself. A session with a life
 * of its own has turns of its own, even if their ids look the same.
 */
function rotatedTurn(core: Core, session: SessionEntry, turnId: string): TurnEntry | null {
  const { rotatedFrom } = session;
  const isOwn = session.node.start_observed || session.turnCount > 0 || session.wasReset;
  if (rotatedFrom === null && (isOwn || session.id === "")) return null;
  const turn = onlyOpen(core, turnId);
  if (turn !== null && (turn.session === rotatedFrom || goesOn(core, turn))) {
    linkRotation(core, turn, session);
    return turn;
  }
  const ended = rotatedFrom?.recent.get(turnKey(turnId));
  return ended instanceof TurnEntry ? ended : null;
}

/**
 * Whether the event goes on with that very turn. Turn ids of some hosts are plain numbers, so that two sessions have
 * the same; a task id stays the same through a turn and tells them apart, and so does the end of something open in it.
 */
function goesOn(core: Core, turn: TurnEntry): boolean {
  if (core.cause === null) return false;
  const { payload, envelope } = core.cause;
  const taskId = asText(payload["task_id"]);
  if (taskId === "" || turn.node.task_id === "" || taskId === turn.node.task_id) return true;
  if (envelope.hook === "post_tool_call") {
    return openToolIn(turn.own, asText(payload["tool_call_id"])) !== null;
  }
  const isEnd = envelope.hook === "post_api_request" || envelope.hook === "api_request_error";
  return isEnd && turn.own.requests.has(asText(payload["api_request_id"]));
}

function onlyOpen(core: Core, turnId: string): TurnEntry | null {
  const turns = core.turnsById.get(turnId);
  return turns?.length === 1 ? (turns[0] ?? null) : null;
}

function linkRotation(core: Core, turn: TurnEntry, session: SessionEntry): void {
  const old = turn.session;
  if (session.rotatedFrom !== null || old === session || isAncestor(session, old)) return;
  session.rotatedFrom = old;
  old.rotatedTo = session;
  session.node.previous_session_id = old.id;
  session.node.link_reason = "rotation";
  old.node.next_session_id = session.id;
  core.withdraw(session, "parent_not_observed");
  core.deviate(turn, "session_rotated");
  core.emit(old, "changed");
  core.emit(session, "changed");
}

/** Guards the chain of rotations against a cycle. */
function isAncestor(session: SessionEntry, of: SessionEntry): boolean {
  for (let up = of.rotatedFrom; up !== null; up = up.rotatedFrom) {
    if (up === session) return true;
  }
  return false;
}

/** A turn's container; `start` is its `pre_llm_call`, null when something in the turn was seen first. */
function openTurn(
  core: Core,
  session: SessionEntry,
  turnId: string,
  start: Payload | null = null,
): TurnEntry {
  const id = `turn:${shortHash(`${session.node.id}\0${turnId}`)}`;
  const node = new TurnFields(id, session.id);
  const turn = new TurnEntry(node, session, session, core.at);
  session.turnCount += 1;
  node.index = session.turnCount;
  node.name = `turn ${session.turnCount}`;
  node.turn_id = turnId;
  node.started_at = core.at;
  session.turns.set(turnId, turn);
  const same = core.turnsById.get(turnId);
  if (same === undefined) core.turnsById.set(turnId, [turn]);
  else same.push(turn);
  node.opened_by_event = core.eventId;
  turn.startMissing = start === null;
  node.task_id = asText(core.cause?.payload["task_id"]);
  if (start === null) core.deviate(turn, "parent_not_observed");
  else fillStart(core, turn, start);
  core.opened(turn);
  return turn;
}

/** `pre_llm_call`: a user turn begins. */
export function onPreLlmCall(core: Core, payload: Payload): void {
  const session = sessionOf(core, asText(payload["session_id"]), "work");
  const turnId = asText(payload["turn_id"]);
  if (turnId === "") {
    core.flagMissing(session, payload, ["turn_id"]);
    return;
  }
  const known = ownTurn(core, session, turnId);
  if (known === null) {
    core.touch(openTurn(core, session, turnId, payload));
    return;
  }
  if (known.startMissing) {
    known.startMissing = false;
    core.withdraw(known, "parent_not_observed");
    core.deviate(known, "out_of_order", "pre_llm_call");
    fillStart(core, known, payload);
  } else {
    core.deviate(known, "duplicate_start", "pre_llm_call");
  }
  core.touch(known);
  core.emit(known, "changed");
}

function fillStart(core: Core, turn: TurnEntry, payload: Payload): void {
  const { node } = turn;
  core.flagMissing(turn, payload, ["session_id"]);
  node.task_id = asText(payload["task_id"]);
  node.model = clip(asText(payload["model"]), 200);
  node.platform = clip(asText(payload["platform"]), 100);
  node.is_first_turn = asFlag(payload["is_first_turn"]);
  node.prompt_preview = previewOf(payload["user_message"], 120);
  if (node.is_first_turn === true) turn.session.node.first_turn_observed = true;
}

/** The turn of that id if it has been seen: the session's own, or that of the session which it continues. */
export function knownTurn(core: Core, session: SessionEntry, turnId: string): TurnEntry | null {
  if (turnId === "") return null;
  const own = ownTurn(core, session, turnId);
  if (own !== null || session.rotatedFrom === null) return own;
  return ownTurn(core, session.rotatedFrom, turnId);
}

/** The session's own turn, if it is known: a start never joins a turn of another session. */
function ownTurn(core: Core, session: SessionEntry, turnId: string): TurnEntry | null {
  const open = session.turns.get(turnId);
  if (open !== undefined && isAlive(core, open)) return open;
  const remembered = session.recent.get(turnKey(turnId));
  return remembered instanceof TurnEntry ? remembered : null;
}

/** `post_llm_call`: the turn has its final answer; it does not close the turn. */
export function onPostLlmCall(core: Core, payload: Payload): void {
  const { session, turn } = placeOf(core, payload, "end");
  if (turn === null) {
    core.flagMissing(session, payload, ["turn_id"]);
    return;
  }
  core.flagMissing(turn, payload, ["session_id"]);
  if (turn.node.answered) core.deviate(turn, "duplicate_end", "post_llm_call");
  else if (turn.node.status !== "open") core.deviate(turn, "late_event", "post_llm_call");
  turn.node.answered = true;
  core.touch(turn);
  core.emit(turn, "changed");
}

/** `on_session_end`: ends a turn, not the session. */
export function onSessionEnd(core: Core, payload: Payload): void {
  const { session, turn } = placeOf(core, payload, "end");
  if (turn === null) {
    core.flagMissing(session, payload, ["turn_id"]);
    return;
  }
  core.flagMissing(turn, payload, ["session_id"]);
  const { node } = turn;
  if (node.closed_by === "event") {
    core.deviate(turn, "duplicate_end", "on_session_end");
    core.emit(turn, "changed");
    return;
  }
  if (node.status !== "open") {
    core.withdraw(turn, "start_without_end");
    core.deviate(turn, "late_event", "on_session_end");
  }
  closeBelowTurn(core, turn, "turn_end");
  takeBack(turn);
  fillEnd(core, turn, payload);
  close(core, turn, { by: "event", status: statusOf(core, turn), endedAt: core.at });
}

function fillEnd(core: Core, turn: TurnEntry, payload: Payload): void {
  const { node } = turn;
  node.completed = asFlag(payload["completed"]);
  node.failed = asFlag(payload["failed"]);
  node.interrupted = asFlag(payload["interrupted"]);
  node.exit_reason = clip(asText(payload["turn_exit_reason"]) || asText(payload["reason"]), 200);
  if (node.task_id === "") node.task_id = asText(payload["task_id"]);
  if (core.at < (node.started_at ?? core.at)) core.deviate(turn, "clock_stepped_back", "duration");
  node.duration_ms = elapsed(node.started_at, core.at);
  node.duration_source = "envelope";
  core.touch(turn);
}

function statusOf(core: Core, turn: TurnEntry): NodeStatus {
  const { node } = turn;
  if (node.interrupted === true) return "interrupted";
  if (node.failed === true || node.completed === false) {
    node.error = { type: node.exit_reason || null, message: null };
    return "error";
  }
  if (node.completed === null) core.deviate(turn, "invalid_field", "completed");
  return "ok";
}
