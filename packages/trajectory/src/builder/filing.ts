/*
 * Where open nodes wait for their end, and where ended ones are remembered. Keys are built from explicit ids with a
 * separator that JSON texts may hold too, so the length of the first part goes in front.
 */
import type { Core } from "./core.ts";
import { SessionEntry, TurnEntry } from "./entry.ts";
import type { Entry, RequestGroup, Scope } from "./entry.ts";
import type { ApprovalFields, AttemptFields, SubagentFields, ToolFields } from "./node-fields.ts";

const keptAttempts = 8;
const keptApprovals = 32;

/** Files an open leaf under a turn, or under the session at large. */
export function file(entry: Entry, scope: Scope, turn: TurnEntry | null): void {
  entry.scope = scope;
  scope.open.add(entry);
  // The turn is over: only the end of the session can still close what has no end of its own.
  if (turn !== null && turn.node.status !== "open") entry.session.loose.open.add(entry);
}

/** Takes a closed node out of where its end was looked for, and remembers it. */
export function unfile(core: Core, entry: Entry): void {
  entry.scope?.open.delete(entry);
  entry.session.loose.open.delete(entry);
  if (entry instanceof SessionEntry) {
    unfileSession(core, entry);
  } else if (entry instanceof TurnEntry) {
    unfileTurn(core, entry);
  } else if (entry.node.kind === "tool") {
    unfileTool(entry as Entry<ToolFields>);
  } else if (entry.node.kind === "attempt") {
    unfileAttempt(entry as Entry<AttemptFields>);
  } else if (entry.node.kind === "subagent") {
    unfileChild(core, entry as Entry<SubagentFields>);
  } else if (entry.node.kind === "approval") {
    unfileApproval(entry as Entry<ApprovalFields>);
  } else if (entry.node.kind === "human_input") {
    const { humans, recent } = entry.session;
    if (humans.get(entry.node.request_id) === entry) humans.delete(entry.node.request_id);
    recent.set(humanKey(entry.node.request_id), entry);
  }
  trimRecent(core);
}

export function turnKey(turnId: string): string {
  return `u${turnId}`;
}

export function toolKey(turnId: string, slot: string): string {
  return `t${turnId.length}:${turnId}${slot}`;
}

/** Slot of a call among the open ones: its id, or its name when it has none. */
export function toolSlot(toolCallId: string, toolName: string): string {
  return toolCallId === "" ? `n${toolName}` : `i${toolCallId}`;
}

function requestKey(turnId: string, requestId: string): string {
  return `r${turnId.length}:${turnId}${requestId}`;
}

export function humanKey(requestId: string): string {
  return `h${requestId}`;
}

export function approvalKey(nodeId: string): string {
  return `a${nodeId}`;
}

function unfileTool(entry: Entry<ToolFields>): void {
  const { node } = entry;
  const slot = toolSlot(node.tool_call_id, node.tool_name);
  const waiting = entry.scope?.tools.get(slot);
  if (waiting !== undefined) {
    const at = waiting.indexOf(entry);
    if (at >= 0) waiting.splice(at, 1);
    if (waiting.length === 0) entry.scope?.tools.delete(slot);
  }
  entry.session.recent.set(toolKey(node.turn_id, slot), entry);
}

function unfileApproval(entry: Entry<ApprovalFields>): void {
  const { approvals, endedApprovals, recent } = entry.session;
  const at = approvals.indexOf(entry);
  if (at >= 0) approvals.splice(at, 1);
  recent.set(approvalKey(entry.node.id), entry);
  endedApprovals.push(entry.node.id);
  if (endedApprovals.length > keptApprovals) endedApprovals.shift();
}

function unfileAttempt(entry: Entry<AttemptFields>): void {
  const { node } = entry;
  const group = entry.scope?.requests.get(node.api_request_id);
  if (group === undefined) return;
  const at = group.open.indexOf(entry);
  if (at >= 0) group.open.splice(at, 1);
  group.closed.push(entry);
  if (group.closed.length > keptAttempts) group.closed.shift();
  if (group.open.length > 0) return;
  entry.scope?.requests.delete(group.id);
  entry.session.recent.set(requestKey(node.turn_id, group.id), group);
}

/** The group of a request: open, remembered, or new. */
export function groupOf(
  session: SessionEntry,
  scope: Scope,
  turnId: string,
  id: string,
): RequestGroup {
  const open = scope.requests.get(id);
  if (open !== undefined) return open;
  const remembered = session.recent.get(requestKey(turnId, id));
  if (remembered !== undefined && "closed" in remembered) return remembered;
  return { id, next: 0, startedAt: null, open: [], closed: [] };
}

function unfileTurn(core: Core, turn: TurnEntry): void {
  const id = turn.node.turn_id;
  turn.session.turns.delete(id);
  const same = core.turnsById.get(id);
  if (same !== undefined) {
    const at = same.indexOf(turn);
    if (at >= 0) same.splice(at, 1);
    if (same.length === 0) core.turnsById.delete(id);
  }
  turn.session.recent.set(turnKey(id), turn);
}

function unfileChild(core: Core, child: Entry<SubagentFields>): void {
  rememberChild(core, child.node.child_session_id);
  child.session.children.delete(child);
  for (let up = child.parent; up !== null; up = up.parent) {
    if (up instanceof TurnEntry) up.children.delete(child);
    if (up instanceof SessionEntry) return;
  }
}

/** Closed children stay known for a while: their session may be seen later than their stop. */
function rememberChild(core: Core, id: string): void {
  core.closedChildren.push(id);
  if (core.closedChildren.length <= core.limits.recentSessions) return;
  const oldest = core.closedChildren.shift();
  if (oldest !== undefined && core.children.get(oldest)?.node.status !== "open") {
    core.children.delete(oldest);
  }
}

function unfileSession(core: Core, session: SessionEntry): void {
  core.sessions.delete(session.id);
  session.recent.retire();
  core.closedSessions.delete(session.id);
  core.closedSessions.set(session.id, session);
  while (core.closedSessions.size > core.limits.recentSessions) {
    const oldest = core.closedSessions.entries().next().value;
    if (oldest === undefined) return;
    core.closedSessions.delete(oldest[0]);
    oldest[1].recent.clear();
  }
}

/** Keeps what all sessions remember within the budget, at the cost of the longest idle. */
function trimRecent(core: Core): void {
  if (core.recentBudget.used <= core.limits.maxRecent) return;
  const sessions = [...core.closedSessions.values(), ...core.sessions.values()];
  sessions.sort((a, b) => a.lastAt - b.lastAt);
  const goal = core.limits.maxRecent * 0.75;
  for (const session of sessions) {
    if (core.recentBudget.used <= goal) return;
    session.recent.clear();
  }
}
