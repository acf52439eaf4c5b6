import type { Payload } from "@hermes-observer/core";
import { unbilledCost, unknownCost } from "../cost.ts";
import type { NodeStatus } from "../node.ts";
import { asFlag, asNumber, asObject, asText, clip } from "../payload-fields.ts";
import { normalizeUsage } from "../usage.ts";
import { claimStart, findAttempt, ordinalOf } from "./attempt-pairing.ts";
import { setAttemptTimes } from "./attempt-times.ts";
import { close } from "./closing.ts";
import { takeBack } from "./contribution.ts";
import type { Core } from "./core.ts";
import { Entry } from "./entry.ts";
import type { RequestGroup } from "./entry.ts";
import { file, groupOf } from "./filing.ts";
import { AttemptFields } from "./node-fields.ts";
import { epochSeconds } from "./sessions.ts";
import { flagPlace, placeOf } from "./turns.ts";
import type { Place } from "./turns.ts";

const requiredIds = ["session_id", "turn_id", "api_request_id"] as const;

/** `pre_api_request`: an attempt at a provider request begins. */
export function onPreApiRequest(core: Core, payload: Payload): void {
  const place = placeOf(core, payload, "work");
  const group = groupAt(place, payload);
  const claim = claimStart(core, group, payload);
  if (claim.kind === "second") {
    core.deviate(claim.entry, "duplicate_start", "pre_api_request");
    core.emit(claim.entry, "changed");
    return;
  }
  if (claim.kind === "late") {
    completeStart(core, claim.entry, payload);
    return;
  }
  const entry = openAttempt(core, place, group, payload);
  if (claim.reused) core.deviate(entry, "reused_id", "api_request_id");
  fillStart(entry.node, payload);
  const startedAt = epochSeconds(core, entry, payload, "started_at");
  // Real hosts share started_at among the retries of a request: then only the arrival tells when this one began.
  const isShared = !entry.hasOrdinal && startedAt !== null && startedAt === group.startedAt;
  if (isShared) entry.node.request_started_at = startedAt;
  else if (startedAt !== null) group.startedAt = startedAt;
  entry.node.started_at = isShared ? core.at : (startedAt ?? core.at);
  core.opened(entry);
  core.touch(entry);
}

/** `post_api_request`: an attempt succeeded. */
export function onPostApiRequest(core: Core, payload: Payload): void {
  endAttempt(core, payload, "ok");
}

/** `api_request_error`: an attempt failed, timed out or was interrupted. */
export function onApiRequestError(core: Core, payload: Payload): void {
  endAttempt(core, payload, errorStatus(asText(payload["reason"])));
}

function groupAt(place: Place, payload: Payload): RequestGroup {
  const turnId = place.turn?.node.turn_id ?? "";
  return groupOf(place.session, place.scope, turnId, asText(payload["api_request_id"]));
}

function openAttempt(
  core: Core,
  place: Place,
  group: RequestGroup,
  payload: Payload,
): Entry<AttemptFields> {
  const id = `attempt:${core.eventId}${core.idSuffix}`;
  const node = new AttemptFields(id, asText(payload["session_id"]));
  const entry = new Entry(node, place.parent, place.session, core.at);
  node.opened_by_event = core.eventId;
  node.turn_id = place.turn?.node.turn_id ?? "";
  node.api_request_id = group.id;
  const ordinal = ordinalOf(payload);
  entry.hasOrdinal = ordinal !== null;
  node.attempt = ordinal ?? group.next;
  group.next = Math.max(group.next, node.attempt) + 1;
  core.flagMissing(entry, payload, requiredIds);
  flagPlace(core, entry, place);
  group.open.push(entry);
  place.scope.requests.set(group.id, group);
  file(entry, place.scope, place.turn);
  return entry;
}

function fillStart(node: AttemptFields, payload: Payload): void {
  fillShared(node, payload);
  node.message_count = asNumber(payload["message_count"]);
  node.tool_count = asNumber(payload["tool_count"]);
  node.approx_input_tokens = asNumber(payload["approx_input_tokens"]);
  node.request_char_count = asNumber(payload["request_char_count"]);
  node.max_tokens = asNumber(payload["max_tokens"]);
  node.retry_count = asNumber(payload["retry_count"]);
}

/** What start and end both say; the start's word holds, because ends may carry the names of a later attempt. */
function fillShared(node: AttemptFields, payload: Payload): void {
  if (node.model === "") node.model = clip(asText(payload["model"]), 200);
  if (node.provider === "") node.provider = clip(asText(payload["provider"]), 200);
  if (node.api_mode === "") node.api_mode = clip(asText(payload["api_mode"]), 100);
  if (node.task_id === "") node.task_id = asText(payload["task_id"]);
  node.api_call_count ??= asNumber(payload["api_call_count"]);
  node.name = node.model === "" ? "request" : node.model;
}

function completeStart(core: Core, entry: Entry<AttemptFields>, payload: Payload): void {
  const { node } = entry;
  takeBack(entry);
  entry.startMissing = false;
  core.withdraw(entry, "end_without_start");
  core.deviate(entry, "out_of_order", "pre_api_request");
  node.opened_by_event = core.eventId;
  node.model = "";
  node.provider = "";
  fillStart(node, payload);
  node.started_at ??= epochSeconds(core, entry, payload, "started_at") ?? core.at;
  core.touch(entry);
  close(core, entry, { by: "event", status: node.status, endedAt: node.ended_at ?? core.at });
}

function endAttempt(core: Core, payload: Payload, status: NodeStatus): void {
  const place = placeOf(core, payload, "end");
  const group = groupAt(place, payload);
  const found = findAttempt(core, place, group, payload);
  if (found === null) {
    const orphan = openAttempt(core, place, group, payload);
    orphan.startMissing = true;
    core.deviate(orphan, "end_without_start");
    core.opened(orphan);
    end(core, orphan, payload, status);
    return;
  }
  core.flagMissing(found, payload, requiredIds);
  if (found.node.closed_by === "event") {
    core.deviate(found, "duplicate_end", core.cause?.envelope.hook);
    core.emit(found, "changed");
    return;
  }
  if (found.node.status !== "open") {
    core.withdraw(found, "start_without_end");
    core.deviate(found, "late_event", core.cause?.envelope.hook);
  } else if (place.session.rotatedTo !== null) {
    flagPlace(core, found, place);
  }
  end(core, found, payload, status);
}

function end(core: Core, entry: Entry<AttemptFields>, payload: Payload, status: NodeStatus): void {
  const { node } = entry;
  takeBack(entry);
  fillShared(node, payload);
  node.finish_reason = clip(asText(payload["finish_reason"]), 100);
  node.response_model = clip(asText(payload["response_model"]), 200);
  node.assistant_tool_call_count = asNumber(payload["assistant_tool_call_count"]);
  if (status !== "ok") fillError(node, payload);
  setAttemptTimes(core, entry, payload);
  const isPartial = status !== "ok" || asObject(payload["usage"])?.["partial"] === true;
  setUsage(core, entry, payload, isPartial);
  core.touch(entry);
  close(core, entry, { by: "event", status, endedAt: node.ended_at ?? core.at });
}

function fillError(node: AttemptFields, payload: Payload): void {
  node.status_code = asNumber(payload["status_code"]);
  node.retry_count = asNumber(payload["retry_count"]) ?? node.retry_count;
  node.max_retries = asNumber(payload["max_retries"]);
  node.retryable = asFlag(payload["retryable"]);
  node.reason = clip(asText(payload["reason"]), 100);
  const error = asObject(payload["error"]);
  const type = clip(asText(error?.["type"]), 200);
  const message = clip(asText(error?.["message"]), 2000);
  node.error = { type: type || node.reason || null, message: message || null };
}

function setUsage(
  core: Core,
  entry: Entry<AttemptFields>,
  payload: Payload,
  partial: boolean,
): void {
  const { node } = entry;
  const response = asObject(payload["response"]);
  const { usage, issues } = normalizeUsage(payload["usage"] ?? response?.["usage"], { partial });
  node.usage = usage;
  for (const issue of issues) {
    const isRepair = issue.kind === "parts_exceed_total" || issue.kind === "total_mismatch";
    const code = isRepair ? "usage_inconsistent" : "invalid_field";
    core.deviate(entry, code, `usage.${clip(issue.field, 100)}: ${issue.kind}`);
  }
  node.from_cache = response?.["cached"] === true || payload["cached"] === true;
  if (node.from_cache) node.cost = unbilledCost(core.pricer.currency);
  else if (usage === null && (node.status_code ?? 0) >= 400) node.cost = unknownCost("rejected");
  else node.cost = core.pricer.cost(node);
}

/** A cut by the user or the host is no error of the provider. */
function errorStatus(reason: string): NodeStatus {
  switch (reason) {
    case "interrupted":
    case "aborted":
      return "interrupted";
    case "cancelled":
    case "user_cancel":
      return "cancelled";
    case "timeout":
      return "timeout";
    default:
      return "error";
  }
}
