/*
 * Which request an approval's answer belongs to. Real hosts put different ids on the pair, depending on the surface;
 * both events of one pair carry the same ones. So an answer fits a request when no id that both have differs, and the
 * more of them agree, the surer it is.
 */
import type { Payload } from "@hermes-observer/core";
import { asText, clip } from "../payload-fields.ts";
import type { Core } from "./core.ts";
import { Entry } from "./entry.ts";
import type { SessionEntry } from "./entry.ts";
import { isAlive } from "./expiry.ts";
import { approvalKey } from "./filing.ts";
import type { ApprovalFields } from "./node-fields.ts";
import type { Place } from "./turns.ts";

const maxScanned = 256;

/** How well an answer fits a request: not at all, by its kind only, or by an id. */
type Fit = "none" | "kind" | "id";

/** The open request that an answer belongs to, or null. */
export function claimApproval(
  core: Core,
  place: Place,
  payload: Payload,
): Entry<ApprovalFields> | null {
  const open = place.session.approvals.slice(0, maxScanned).filter((entry) => isAlive(core, entry));
  const byId = open.filter(({ node }) => fitOf(node, place, payload) === "id");
  const fits =
    byId.length > 0 ? byId : open.filter(({ node }) => fitOf(node, place, payload) === "kind");
  const first = fits[0];
  if (first === undefined) return null;
  if (fits.length > 1) core.deviate(first, "ambiguous_pairing");
  else if (byId.length === 0) core.deviate(first, "inferred_pairing");
  return first;
}

/** A request that is closed already and whose answer this is, or was. */
export function endedApproval(place: Place, payload: Payload): Entry<ApprovalFields> | null {
  const ended = recentApprovals(place.session).filter(
    ({ node }) => fitOf(node, place, payload) === "id",
  );
  return ended.find(({ node }) => node.closed_by !== "event") ?? ended.at(-1) ?? null;
}

/** An answer that came before the request that is being made now. */
export function orphanApproval(
  core: Core,
  place: Place,
  payload: Payload,
): Entry<ApprovalFields> | null {
  const orphans = recentApprovals(place.session).filter(
    (entry) =>
      entry.startMissing &&
      core.at <= (entry.node.ended_at ?? core.at) &&
      fitOf(entry.node, place, payload) === "id",
  );
  return orphans[0] ?? null;
}

function recentApprovals(session: SessionEntry): readonly Entry<ApprovalFields>[] {
  const found: Entry<ApprovalFields>[] = [];
  for (const id of session.endedApprovals) {
    const entry = session.recent.get(approvalKey(id));
    if (entry instanceof Entry && entry.node.kind === "approval") {
      found.push(entry as Entry<ApprovalFields>); // the kind was checked
    }
  }
  return found;
}

function fitOf(node: ApprovalFields, place: Place, payload: Payload): Fit {
  const turnId = place.turn?.node.turn_id ?? "";
  const requestId = asText(payload["request_id"]);
  const callId = asText(payload["tool_call_id"]);
  const pairs = [
    [node.turn_id, turnId],
    [node.request_id, requestId],
    [node.tool_call_id, callId],
    [node.pattern_key, asText(payload["pattern_key"])],
    [node.surface, clip(asText(payload["surface"]), 100)],
    [node.session_key, clip(asText(payload["session_key"]), 200)],
  ] as const;
  if (pairs.some(([ours, theirs]) => differ(ours, theirs))) return "none";
  const hasRequest = requestId !== "" && requestId === node.request_id;
  const hasCall = callId !== "" && callId === node.tool_call_id && turnId !== "";
  return hasRequest || hasCall ? "id" : "kind";
}

/** Both are there and not the same. */
function differ(a: string, b: string): boolean {
  return a !== "" && b !== "" && a !== b;
}
