/*
 * Which call an end belongs to. By the ids that both events carry; where an id is missing, by what is left of them,
 * within the session and said so.
 */
import type { Payload } from "@hermes-observer/core";
import { asText, clip } from "../payload-fields.ts";
import type { Core } from "./core.ts";
import { Entry } from "./entry.ts";
import type { Scope } from "./entry.ts";
import { isAlive } from "./expiry.ts";
import { toolKey, toolSlot } from "./filing.ts";
import type { ToolFields } from "./node-fields.ts";
import type { Place } from "./turns.ts";

const maxScanned = 256;

/** The call that this end belongs to: open, or closed for lack of an end, or ended already; null if there is none. */
export function findTool(core: Core, place: Place, payload: Payload): Entry<ToolFields> | null {
  const id = asText(payload["tool_call_id"]);
  const name = clip(asText(payload["tool_name"]), 200);
  const slot = toolSlot(id, name);
  const byId = id !== "";
  const waiting = place.scope.tools.get(slot);
  const open = choose(core, byId ? waiting : sameSession(waiting, payload), byId);
  if (open !== null) return open;
  const other = waitingElsewhere(place, slot);
  const elsewhere = choose(core, byId ? other : sameSession(other, payload), byId);
  if (elsewhere !== null) return elsewhere;
  const ended = place.session.recent.get(toolKey(place.turn?.node.turn_id ?? "", slot));
  if (byId && ended instanceof Entry && ended.node.kind === "tool") {
    return ended as Entry<ToolFields>; // the kind was checked
  }
  const halfNamed = sameSession(sameName(place.scope, name, id), payload);
  return halfNamed.length === 1 ? choose(core, halfNamed, false) : null;
}

/** Without an id nothing joins across session ids, not even inside a turn that rotated. */
function sameSession(
  entries: readonly Entry<ToolFields>[] | undefined,
  payload: Payload,
): readonly Entry<ToolFields>[] {
  const sessionId = asText(payload["session_id"]);
  const first = entries?.slice(0, maxScanned) ?? [];
  return first.filter(({ node }) => node.session_id === sessionId);
}

/** The oldest that has not expired: calls of one id are joined in the order in which they came. */
function choose(
  core: Core,
  waiting: readonly Entry<ToolFields>[] | undefined,
  byId: boolean,
): Entry<ToolFields> | null {
  if (waiting === undefined) return null;
  const open = waiting.slice(0, maxScanned).filter((entry) => isAlive(core, entry));
  const first = open[0];
  if (first === undefined) return null;
  if (open.length > 1) core.deviate(first, "ambiguous_pairing");
  else if (!byId) core.deviate(first, "inferred_pairing");
  return first;
}

/** One of the two events names no turn: then its call may wait in any turn of the session, or outside all of them. */
function waitingElsewhere(place: Place, slot: string): readonly Entry<ToolFields>[] {
  if (place.turn !== null) return place.session.loose.tools.get(slot) ?? [];
  const found: Entry<ToolFields>[] = [];
  for (const turn of place.session.turns.values()) {
    found.push(...(turn.own.tools.get(slot) ?? []));
    if (found.length > maxScanned) break;
  }
  return found;
}

/** Calls of that name of which only one of start and end carries an id. */
function sameName(scope: Scope, name: string, id: string): readonly Entry<ToolFields>[] {
  const found: Entry<ToolFields>[] = [];
  let scanned = 0;
  for (const { node } of scope.open) {
    scanned += 1;
    if (scanned > maxScanned) break;
    if (node.kind !== "tool" || node.tool_name !== name) continue;
    if ((node.tool_call_id === "") === (id === "")) continue;
    const slot = scope.tools.get(toolSlot(node.tool_call_id, name)) ?? [];
    found.push(...slot.filter((entry) => entry.node === node));
  }
  return found;
}
