import type { Payload } from "@hermes-observer/core";
import type { NodeStatus } from "../node.ts";
import { asText, clip } from "../payload-fields.ts";
import { claimApproval, endedApproval, orphanApproval } from "./approval-pairing.ts";
import { close } from "./closing.ts";
import { takeBack } from "./contribution.ts";
import type { Core } from "./core.ts";
import { Entry } from "./entry.ts";
import { isAlive } from "./expiry.ts";
import { file } from "./filing.ts";
import { hangInput } from "./human-inputs.ts";
import { ApprovalFields } from "./node-fields.ts";
import { openToolIn } from "./open-tool.ts";
import { setDuration } from "./tools.ts";
import { flagPlace, placeOf } from "./turns.ts";
import type { Place } from "./turns.ts";

const maxScanned = 256;

const statuses: Readonly<Record<string, NodeStatus>> = {
  once: "ok",
  session: "ok",
  always: "ok",
  smart_approve: "ok",
  deny: "denied",
  smart_deny: "denied",
  timeout: "timeout",
  cancelled: "cancelled",
  notify_failed: "error",
};

/** `pre_approval_request`: somebody is asked to approve a command. */
export function onPreApprovalRequest(core: Core, payload: Payload): void {
  const place = placeOf(core, payload, "work");
  const orphan = orphanApproval(core, place, payload);
  if (orphan !== null) {
    completeStart(core, orphan, payload);
    return;
  }
  supersede(core, place, payload);
  const entry = openApproval(core, place, payload);
  entry.node.started_at = core.at;
  core.opened(entry);
  core.touch(entry);
}

/** `post_approval_response`: the answer, or that nobody gave one. */
export function onPostApprovalResponse(core: Core, payload: Payload): void {
  const place = placeOf(core, payload, "end");
  const found = claimApproval(core, place, payload) ?? endedApproval(place, payload);
  if (found === null) {
    const orphan = openApproval(core, place, payload);
    orphan.startMissing = true;
    core.deviate(orphan, "end_without_start");
    core.opened(orphan);
    end(core, orphan, payload);
    return;
  }
  if (found.node.closed_by === "event") {
    core.deviate(found, "duplicate_end", "post_approval_response");
    core.emit(found, "changed");
    return;
  }
  if (found.node.status !== "open") {
    core.withdraw(found, "start_without_end");
    core.withdraw(found, "superseded");
    core.deviate(found, "late_event", "post_approval_response");
  }
  end(core, found, payload);
}

/**
 * Two questions that the contract leaves without an answer: an auxiliary model that hands on to a human, and a
 * follower that waited for the same command and asks again. The same question put anew replaces them.
 */
function supersede(core: Core, place: Place, payload: Payload): void {
  const waiting = place.session.approvals.slice(0, maxScanned); // a copy: closing takes entries out
  for (const entry of waiting) {
    const isHandedOn = entry.node.surface === "smart" && payload["surface"] !== "smart";
    if (!isHandedOn && !entry.node.coalesced) continue;
    if (!isSameQuestion(entry.node, place, payload) || !isAlive(core, entry)) continue;
    core.deviate(entry, "superseded", isHandedOn ? "smart" : "coalesced");
    close(core, entry, { by: "superseded", status: "unobserved", endedAt: core.at });
  }
}

function isSameQuestion(node: ApprovalFields, place: Place, payload: Payload): boolean {
  return (
    node.pattern_key === asText(payload["pattern_key"]) &&
    node.session_key === clip(asText(payload["session_key"]), 200) &&
    node.tool_call_id === asText(payload["tool_call_id"]) &&
    node.turn_id === (place.turn?.node.turn_id ?? "")
  );
}

/** Inside the wait that names the same request, else inside the waiting call, else in its turn. */
function openApproval(core: Core, place: Place, payload: Payload): Entry<ApprovalFields> {
  const tool = openToolIn(place.scope, asText(payload["tool_call_id"]));
  const requestId = asText(payload["request_id"]);
  const input = requestId === "" ? undefined : place.session.humans.get(requestId);
  if (input !== undefined && tool !== null) hangInput(core, input, tool);
  if (input !== undefined) input.holdsOthers = true;
  else if (tool !== null) tool.holdsOthers = true;
  const parent = input ?? tool ?? place.parent;
  const id = `approval:${core.eventId}${core.idSuffix}`;
  const node = new ApprovalFields(id, asText(payload["session_id"]));
  const entry = new Entry(node, parent, place.session, core.at);
  node.opened_by_event = core.eventId;
  node.turn_id = place.turn?.node.turn_id ?? "";
  fillRequest(node, payload);
  if (place.turn === null) core.flagMissing(entry, payload, ["session_id"]);
  flagPlace(core, entry, place);
  place.session.approvals.push(entry);
  file(entry, place.scope, place.turn);
  return entry;
}

function fillRequest(node: ApprovalFields, payload: Payload): void {
  node.surface = clip(asText(payload["surface"]), 100);
  node.pattern_key = asText(payload["pattern_key"]);
  node.session_key = clip(asText(payload["session_key"]), 200);
  node.tool_call_id = asText(payload["tool_call_id"]);
  node.request_id = asText(payload["request_id"]);
  node.coalesced = payload["coalesced"] === true;
  node.command_preview = clip(asText(payload["command"]), 120);
  node.name = node.pattern_key === "" ? "approval" : clip(node.pattern_key, 200);
}

function completeStart(core: Core, entry: Entry<ApprovalFields>, payload: Payload): void {
  const { node } = entry;
  entry.startMissing = false;
  core.withdraw(entry, "end_without_start");
  core.deviate(entry, "out_of_order", "pre_approval_request");
  node.opened_by_event = core.eventId;
  node.started_at = core.at;
  fillRequest(node, payload);
  core.touch(entry);
  close(core, entry, { by: "event", status: node.status, endedAt: node.ended_at ?? core.at });
}

function end(core: Core, entry: Entry<ApprovalFields>, payload: Payload): void {
  const { node } = entry;
  takeBack(entry);
  setDuration(core, entry, undefined);
  node.choice = clip(asText(payload["choice"]), 100);
  node.decided_by = clip(asText(payload["decided_by"]), 100);
  core.touch(entry);
  close(core, entry, { by: "event", status: statusOf(core, entry), endedAt: core.at });
}

/** A choice that the contract does not know is no approval and no denial. */
function statusOf(core: Core, entry: Entry<ApprovalFields>): NodeStatus {
  const { choice } = entry.node;
  if (choice === "") core.deviate(entry, "invalid_field", "choice");
  const known = statuses[choice];
  if (known !== undefined) return known;
  if (choice.startsWith("transport_")) return "error";
  if (choice !== "") core.deviate(entry, "unknown_value", `choice: ${choice}`);
  return "unobserved";
}
