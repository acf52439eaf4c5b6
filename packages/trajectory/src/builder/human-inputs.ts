import type { Payload } from "@hermes-observer/core";
import type { NodeStatus } from "../node.ts";
import { asText, clip } from "../payload-fields.ts";
import { close } from "./closing.ts";
import { put, takeBack } from "./contribution.ts";
import type { Core } from "./core.ts";
import { Entry } from "./entry.ts";
import { isAlive } from "./expiry.ts";
import { file, humanKey } from "./filing.ts";
import { HumanInputFields } from "./node-fields.ts";
import { openToolIn } from "./open-tool.ts";
import { setDuration } from "./tools.ts";
import { flagPlace, placeOf } from "./turns.ts";
import type { Place } from "./turns.ts";

const statuses: Readonly<Record<string, NodeStatus>> = {
  provided: "ok",
  submitted: "ok",
  once: "ok",
  session: "ok",
  always: "ok",
  skipped: "cancelled",
  cancelled: "cancelled",
  deny: "denied",
  timeout: "timeout",
  timed_out: "timeout",
  error: "error",
  notify_failed: "error",
};

/** `on_human_input_request`: the agent begins to wait for a human. */
export function onHumanInputRequest(core: Core, payload: Payload): void {
  const place = placeOf(core, payload, "work");
  const id = asText(payload["request_id"]);
  const waiting = place.session.humans.get(id);
  if (id !== "" && waiting !== undefined && isAlive(core, waiting)) {
    core.deviate(waiting, "duplicate_start", "on_human_input_request");
    core.emit(waiting, "changed");
    return;
  }
  const ended = id === "" ? null : endedInput(place, id);
  if (ended?.startMissing === true) {
    completeStart(core, ended, payload);
    return;
  }
  const entry = openInput(core, place, payload);
  if (ended !== null) core.deviate(entry, "reused_id", "request_id");
  entry.node.started_at = core.at;
  core.opened(entry);
  core.touch(entry);
}

/** `on_human_input_resolved`: the wait is over, however it ended. */
export function onHumanInputResolved(core: Core, payload: Payload): void {
  const place = placeOf(core, payload, "end");
  const id = asText(payload["request_id"]);
  const waiting = place.session.humans.get(id);
  const found =
    waiting !== undefined && isAlive(core, waiting)
      ? waiting
      : id === ""
        ? null
        : endedInput(place, id);
  if (found === null) {
    const orphan = openInput(core, place, payload);
    orphan.startMissing = true;
    core.deviate(orphan, "end_without_start");
    core.opened(orphan);
    end(core, orphan, payload);
    return;
  }
  core.flagMissing(found, payload, ["session_id", "request_id"]);
  if (found.node.closed_by === "event") {
    core.deviate(found, "duplicate_end", "on_human_input_resolved");
    core.emit(found, "changed");
    return;
  }
  if (found.node.status !== "open") {
    core.withdraw(found, "start_without_end");
    core.deviate(found, "late_event", "on_human_input_resolved");
  }
  end(core, found, payload);
}

/** Hangs a wait below the call that it turned out to be about, as long as nothing hangs below the wait itself. */
export function hangInput(core: Core, input: Entry<HumanInputFields>, below: Entry): void {
  if (input.holdsOthers || input.parent === below || below.session !== input.session) return;
  takeBack(input);
  input.parent = below;
  below.holdsOthers = true;
  input.node.parent_id = below.node.id;
  put(input);
  core.emit(input, "changed");
}

function endedInput(place: Place, id: string): Entry<HumanInputFields> | null {
  const ended = place.session.recent.get(humanKey(id));
  if (!(ended instanceof Entry) || ended.node.kind !== "human_input") return null;
  return ended as Entry<HumanInputFields>; // the kind was checked
}

function openInput(core: Core, place: Place, payload: Payload): Entry<HumanInputFields> {
  const parent = openToolIn(place.scope, asText(payload["tool_call_id"])) ?? place.parent;
  const id = `human_input:${core.eventId}${core.idSuffix}`;
  const node = new HumanInputFields(id, asText(payload["session_id"]));
  const entry = new Entry(node, parent, place.session, core.at);
  node.opened_by_event = core.eventId;
  node.turn_id = place.turn?.node.turn_id ?? "";
  fillRequest(node, payload);
  if (parent !== place.parent) parent.holdsOthers = true;
  core.flagMissing(entry, payload, ["session_id", "request_id"]);
  flagPlace(core, entry, place);
  place.session.humans.set(node.request_id, entry);
  file(entry, place.scope, place.turn);
  return entry;
}

function fillRequest(node: HumanInputFields, payload: Payload): void {
  node.request_id = asText(payload["request_id"]);
  node.input_kind = clip(asText(payload["kind"]), 100);
  node.name = node.input_kind === "" ? "human input" : node.input_kind;
  node.session_key = clip(asText(payload["session_key"]), 200);
  node.platform = clip(asText(payload["platform"]), 100);
}

function completeStart(core: Core, entry: Entry<HumanInputFields>, payload: Payload): void {
  const { node } = entry;
  entry.startMissing = false;
  core.withdraw(entry, "end_without_start");
  core.deviate(entry, "out_of_order", "on_human_input_request");
  node.opened_by_event = core.eventId;
  fillRequest(node, payload);
  node.started_at = core.at;
  core.touch(entry);
  close(core, entry, { by: "event", status: node.status, endedAt: node.ended_at ?? core.at });
}

function end(core: Core, entry: Entry<HumanInputFields>, payload: Payload): void {
  const { node } = entry;
  for (const approval of entry.session.approvals) {
    if (approval.parent === entry)
      core.deviate(approval, "out_of_order", "on_human_input_resolved");
  }
  takeBack(entry);
  setDuration(core, entry, undefined);
  node.outcome = clip(asText(payload["outcome"]), 100);
  const status = statuses[node.outcome];
  if (node.outcome === "") core.deviate(entry, "invalid_field", "outcome");
  else if (status === undefined) core.deviate(entry, "unknown_value", `outcome: ${node.outcome}`);
  core.touch(entry);
  close(core, entry, { by: "event", status: status ?? "unobserved", endedAt: core.at });
}
