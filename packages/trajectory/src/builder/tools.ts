import type { Payload } from "@hermes-observer/core";
import type { NodeStatus } from "../node.ts";
import { asNumber, asText, clip, previewOf } from "../payload-fields.ts";
import { close, elapsed } from "./closing.ts";
import { takeBack } from "./contribution.ts";
import type { Core } from "./core.ts";
import { Entry } from "./entry.ts";
import type { Remembered } from "./entry.ts";
import { file, toolKey, toolSlot } from "./filing.ts";
import { ToolFields } from "./node-fields.ts";
import { findTool } from "./tool-pairing.ts";
import { flagPlace, placeOf } from "./turns.ts";
import type { Place } from "./turns.ts";

/** `error_type` of calls that are refused before dispatch: the contract has no `pre_tool_call` on these paths. */
const refusedBeforeDispatch: ReadonlySet<string> = new Set([
  "guardrail_block",
  "invalid_tool_arguments",
  "tool_scope_block",
  "user_interrupt",
]);

const statuses: Readonly<Record<string, NodeStatus>> = {
  ok: "ok",
  error: "error",
  blocked: "blocked",
  cancelled: "cancelled",
  timeout: "timeout",
};

/** `pre_tool_call`: a call is about to be dispatched. */
export function onPreToolCall(core: Core, payload: Payload): void {
  const place = placeOf(core, payload, "work");
  const slot = toolSlot(asText(payload["tool_call_id"]), asText(payload["tool_name"]));
  const turnId = place.turn?.node.turn_id ?? "";
  const ended = place.session.recent.get(toolKey(turnId, slot));
  if (isEndOf(core, ended, slot)) {
    completeStart(core, ended, payload);
    return;
  }
  const waiting = place.scope.tools.get(slot);
  const entry = openTool(core, place, payload);
  if (slot.startsWith("i")) {
    if (waiting !== undefined) core.deviate(entry, "duplicate_start", "pre_tool_call");
    else if (ended !== undefined) core.deviate(entry, "reused_id", "tool_call_id");
  }
  entry.node.started_at = core.at;
  if (waiting === undefined) place.scope.tools.set(slot, [entry]);
  else waiting.push(entry);
  file(entry, place.scope, place.turn);
  core.opened(entry);
  core.touch(entry);
}

/** `post_tool_call`: a call is over, also when it was blocked, cancelled or never dispatched. */
export function onPostToolCall(core: Core, payload: Payload): void {
  const place = placeOf(core, payload, "end");
  const found = findTool(core, place, payload);
  if (found === null) {
    openEnded(core, place, payload);
    return;
  }
  const { node } = found;
  core.flagMissing(found, payload, ["session_id", "turn_id"]);
  if (node.closed_by === "event") {
    core.deviate(found, "duplicate_end", "post_tool_call");
    core.emit(found, "changed");
    return;
  }
  if (node.status !== "open") {
    core.withdraw(found, "start_without_end");
    core.deviate(found, "late_event", "post_tool_call");
  } else if (place.session.rotatedTo !== null) {
    flagPlace(core, found, place);
  }
  end(core, found, payload);
}

/** An end that came before this start; without an id only the times can show that. */
function isEndOf(
  core: Core,
  ended: Remembered | undefined,
  slot: string,
): ended is Entry<ToolFields> {
  if (!(ended instanceof Entry) || ended.node.kind !== "tool" || !ended.startMissing) return false;
  return slot.startsWith("i") || core.at <= (ended.node.ended_at ?? core.at);
}

function openTool(core: Core, place: Place, payload: Payload): Entry<ToolFields> {
  const node = new ToolFields(
    `tool:${core.eventId}${core.idSuffix}`,
    asText(payload["session_id"]),
  );
  const entry = new Entry(node, place.parent, place.session, core.at);
  node.opened_by_event = core.eventId;
  node.turn_id = place.turn?.node.turn_id ?? "";
  node.tool_call_id = asText(payload["tool_call_id"]);
  fillCall(node, payload);
  core.flagMissing(entry, payload, ["session_id", "turn_id"]);
  flagPlace(core, entry, place);
  return entry;
}

function fillCall(node: ToolFields, payload: Payload): void {
  node.tool_name = clip(asText(payload["tool_name"]), 200);
  node.name = node.tool_name === "" ? "tool" : node.tool_name;
  node.task_id = asText(payload["task_id"]);
  node.api_request_id = asText(payload["api_request_id"]);
  node.input_preview = previewOf(payload["args"], 120);
}

/** The start of a call whose end has been here already. */
function completeStart(core: Core, entry: Entry<ToolFields>, payload: Payload): void {
  const { node } = entry;
  takeBack(entry);
  entry.startMissing = false;
  core.withdraw(entry, "end_without_start");
  core.withdraw(entry, "start_not_fired");
  core.deviate(entry, "out_of_order", "pre_tool_call");
  node.opened_by_event = core.eventId;
  fillCall(node, payload);
  node.started_at = core.at;
  if (node.duration_ms === null && node.ended_at !== null) {
    if (node.ended_at < core.at) core.deviate(entry, "clock_stepped_back", "duration");
    node.duration_ms = elapsed(core.at, node.ended_at);
    node.duration_source = "envelope";
  }
  core.touch(entry);
  close(core, entry, { by: "event", status: node.status, endedAt: node.ended_at ?? core.at });
}

/** An end whose start was not seen: a node that is closed at once. */
function openEnded(core: Core, place: Place, payload: Payload): void {
  const entry = openTool(core, place, payload);
  entry.startMissing = true;
  const isRefused = refusedBeforeDispatch.has(asText(payload["error_type"]));
  core.deviate(entry, isRefused ? "start_not_fired" : "end_without_start");
  file(entry, place.scope, place.turn);
  core.opened(entry);
  end(core, entry, payload);
}

/** A wait inside the call cannot go on after it, unless the call was cut off. */
function flagOpenWaits(core: Core, entry: Entry<ToolFields>, payload: Payload): void {
  if (!entry.holdsOthers || entry.scope === null) return;
  const status = payload["status"];
  const isCut = status === "cancelled" || status === "timeout";
  for (const wait of entry.scope.open) {
    if (wait.parent === entry) {
      core.deviate(wait, isCut ? "child_outlived_parent" : "out_of_order", "post_tool_call");
    }
  }
}

function end(core: Core, entry: Entry<ToolFields>, payload: Payload): void {
  flagOpenWaits(core, entry, payload);
  const { node } = entry;
  takeBack(entry);
  setDuration(core, entry, payload["duration_ms"]);
  node.outcome = clip(asText(payload["status"]), 100);
  const type = clip(asText(payload["error_type"]), 200);
  const message = clip(asText(payload["error_message"]), 2000);
  if (type !== "" || message !== "") node.error = { type: type || null, message: message || null };
  core.touch(entry);
  close(core, entry, { by: "event", status: statusOf(core, entry), endedAt: core.at });
}

function statusOf(core: Core, entry: Entry<ToolFields>): NodeStatus {
  const { node } = entry;
  const known = statuses[node.outcome];
  if (known !== undefined) return known;
  if (node.outcome !== "") core.deviate(entry, "unknown_value", `status: ${node.outcome}`);
  return node.error === null ? "ok" : "error"; // older hosts send no status
}

/** The reported duration, or the time between the two events; never negative, and said so when it would be. */
export function setDuration(core: Core, entry: Entry, reported: unknown): void {
  const { node } = entry;
  const duration = asNumber(reported);
  if (duration !== null && duration >= 0) {
    node.duration_ms = duration;
    node.duration_source = "payload";
    return;
  }
  if (reported !== undefined && reported !== null)
    core.deviate(entry, "invalid_field", "duration_ms");
  if (node.started_at === null) return;
  if (core.at < node.started_at) core.deviate(entry, "clock_stepped_back", "duration");
  node.duration_ms = elapsed(node.started_at, core.at);
  node.duration_source = "envelope";
}
