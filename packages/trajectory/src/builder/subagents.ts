import type { Payload } from "@hermes-observer/core";
import type { NodeStatus } from "../node.ts";
import { asText, clip } from "../payload-fields.ts";
import { shortHash } from "../sha256.ts";
import { normalizeUsage } from "../usage.ts";
import { close, closeSession } from "./closing.ts";
import { takeBack } from "./contribution.ts";
import type { Core } from "./core.ts";
import { Entry } from "./entry.ts";
import type { SessionEntry, TurnEntry } from "./entry.ts";
import { toolKey, toolSlot } from "./filing.ts";
import { SubagentFields } from "./node-fields.ts";
import { hangBelow, sessionOf } from "./sessions.ts";
import type { SessionUse } from "./sessions.ts";
import { openToolIn } from "./open-tool.ts";
import { setDuration } from "./tools.ts";
import { turnOf } from "./turns.ts";

const statuses: Readonly<Record<string, NodeStatus>> = {
  completed: "ok",
  success: "ok",
  failed: "error",
  error: "error",
  interrupted: "interrupted",
  timeout: "timeout",
  stalled: "timeout",
};

const requiredIds = ["parent_session_id", "child_session_id"] as const;

/** `subagent_start`: a child agent was made. */
export function onSubagentStart(core: Core, payload: Payload): void {
  const session = parentSession(core, payload, "work");
  const known = knownChild(core, payload);
  if (known?.node.status === "open") {
    core.deviate(known, "duplicate_start", "subagent_start");
    core.emit(known, "changed");
    return;
  }
  if (known?.startMissing === true) {
    completeStart(core, known, payload);
    return;
  }
  const child = openChild(core, session, payload, known);
  if (known !== null) core.deviate(child, "reused_id", "child_session_id");
  child.node.started_at = core.at;
  core.opened(child);
  // The contract makes the child known before it runs.
  if (adopt(core, child)) core.deviate(child, "out_of_order", "subagent_start");
  core.touch(child);
}

/** `subagent_stop`: a child agent is done; its session ends with it. */
export function onSubagentStop(core: Core, payload: Payload): void {
  const session = parentSession(core, payload, "end");
  const child = knownChild(core, payload);
  if (child === null) {
    const orphan = openChild(core, session, payload, null);
    orphan.startMissing = true;
    core.deviate(orphan, "orphan_stop");
    core.opened(orphan);
    adopt(core, orphan);
    end(core, orphan, payload);
    return;
  }
  core.flagMissing(child, payload, requiredIds);
  if (child.node.closed_by === "event") {
    core.deviate(child, "duplicate_end", "subagent_stop");
    core.emit(child, "changed");
    return;
  }
  if (child.node.status !== "open") {
    core.withdraw(child, "start_without_end");
    core.deviate(child, "late_event", "subagent_stop");
  }
  end(core, child, payload);
}

function parentSession(core: Core, payload: Payload, use: SessionUse): SessionEntry {
  const id = asText(payload["session_id"]) || asText(payload["parent_session_id"]);
  return sessionOf(core, id, use);
}

/** By `child_session_id`, the only id that both events of real hosts carry. */
function knownChild(core: Core, payload: Payload): Entry<SubagentFields> | null {
  const id = asText(payload["child_session_id"]);
  return id === "" ? null : (core.children.get(id) ?? null);
}

function openChild(
  core: Core,
  session: SessionEntry,
  payload: Payload,
  earlier: Entry<SubagentFields> | null,
): Entry<SubagentFields> {
  const turn = turnOf(core, session, asText(payload["parent_turn_id"]));
  const home = turn?.session ?? session;
  const node = new SubagentFields(childNodeId(core, payload, earlier), session.id);
  node.opened_by_event = core.eventId;
  node.turn_id = turn?.node.turn_id ?? "";
  node.child_session_id = asText(payload["child_session_id"]);
  fillChild(node, payload);
  const parent = parentCall(home, turn, node.parent_tool_call_id) ?? turn ?? home;
  const child = new Entry(node, parent, home, core.at);
  core.flagMissing(child, payload, requiredIds);
  home.children.add(child);
  if (turn?.node.status === "open") turn.children.add(child);
  if (node.child_session_id !== "") core.children.set(node.child_session_id, child);
  return child;
}

/** From the child's session id, or from the event when there is none or the id is used again. */
function childNodeId(core: Core, payload: Payload, earlier: Entry | null): string {
  const childId = asText(payload["child_session_id"]);
  if (childId === "") return `subagent:${core.eventId}${core.idSuffix}`;
  const again = earlier === null ? "" : `~${core.eventId}`;
  return `subagent:${shortHash(`child\0${childId}`)}${again}`;
}

function fillChild(node: SubagentFields, payload: Payload): void {
  node.child_subagent_id = asText(payload["child_subagent_id"]) || node.child_subagent_id;
  node.parent_subagent_id = asText(payload["parent_subagent_id"]) || node.parent_subagent_id;
  node.parent_tool_call_id = asText(payload["parent_tool_call_id"]) || node.parent_tool_call_id;
  node.role = clip(asText(payload["child_role"]), 100) || node.role;
  node.goal_preview = clip(asText(payload["child_goal"]), 120) || node.goal_preview;
  node.name = node.role === "" ? "child" : node.role;
}

/** The delegating call, open or already answered (a background child). */
function parentCall(session: SessionEntry, turn: TurnEntry | null, callId: string): Entry | null {
  if (turn === null || callId === "") return null;
  const open = openToolIn(turn.own, callId);
  if (open !== null) return open;
  const ended = session.recent.get(toolKey(turn.node.turn_id, toolSlot(callId, "")));
  return ended instanceof Entry ? ended : null;
}

/** Hangs the child's session below it, if that has been seen already; says whether it was. */
function adopt(core: Core, child: Entry<SubagentFields>): boolean {
  const id = child.node.child_session_id;
  const session = id === "" ? undefined : (core.sessions.get(id) ?? core.closedSessions.get(id));
  if (session === undefined || session.parent !== null) return false;
  hangBelow(core, session, child);
  core.emit(session, "changed");
  return true;
}

function completeStart(core: Core, child: Entry<SubagentFields>, payload: Payload): void {
  const { node } = child;
  child.startMissing = false;
  core.withdraw(child, "orphan_stop");
  core.deviate(child, "out_of_order", "subagent_start");
  node.opened_by_event = core.eventId;
  node.started_at = core.at;
  fillChild(node, payload);
  core.touch(child);
  close(core, child, { by: "event", status: node.status, endedAt: node.ended_at ?? core.at });
}

function end(core: Core, child: Entry<SubagentFields>, payload: Payload): void {
  const { node } = child;
  takeBack(child);
  fillChild(node, payload);
  setDuration(core, child, payload["duration_ms"]);
  node.outcome = clip(asText(payload["child_status"]), 100);
  node.child_outcome = clip(asText(payload["child_outcome"]), 100);
  node.exit_reason = clip(asText(payload["child_exit_reason"]), 200);
  node.reported_usage = normalizeUsage(payload["usage"]).usage;
  core.touch(child);
  const session = core.sessions.get(node.child_session_id);
  if (session !== undefined && session.parent === child) {
    closeSession(core, session, { by: "subagent_stop", status: "ok", endedAt: core.at });
  }
  close(core, child, { by: "event", status: statusOf(core, child), endedAt: core.at });
}

function statusOf(core: Core, child: Entry<SubagentFields>): NodeStatus {
  const { node } = child;
  const status = statuses[node.outcome];
  if (node.outcome === "") core.deviate(child, "invalid_field", "child_status");
  else if (status === undefined)
    core.deviate(child, "unknown_value", `child_status: ${node.outcome}`);
  return status ?? "unobserved";
}
