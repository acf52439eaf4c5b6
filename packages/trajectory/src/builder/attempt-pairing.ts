/*
 * Which attempt an API event belongs to. `api_request_id` names a request, not an attempt: real hosts use it for all
 * retries and fallbacks, and may mint it again after a compression refund. Our own hosts add `attempt`.
 */
import type { Payload } from "@hermes-observer/core";
import { asNumber, asText } from "../payload-fields.ts";
import type { Core } from "./core.ts";
import type { Entry, RequestGroup } from "./entry.ts";
import { isAlive } from "./expiry.ts";
import type { AttemptFields } from "./node-fields.ts";
import type { Place } from "./turns.ts";

/** Open attempts of one id that are looked at, the latest; real requests have one. */
const maxScanned = 64;

/** What a start is: a new attempt, a second sight of one, or the missing start of one that has ended. */
export type StartClaim =
  | { readonly kind: "new"; readonly reused: boolean }
  | { readonly kind: "second"; readonly entry: Entry<AttemptFields> }
  | { readonly kind: "late"; readonly entry: Entry<AttemptFields> };

/** Judges a `pre_api_request` by what is known of its request. */
export function claimStart(core: Core, group: RequestGroup, payload: Payload): StartClaim {
  if (group.id === "") return { kind: "new", reused: false };
  for (const entry of group.closed) {
    if (entry.startMissing && mayBeStartOf(core, entry, payload)) return { kind: "late", entry };
  }
  for (const entry of group.open.slice(-maxScanned)) {
    if (isSameStart(entry, payload)) return { kind: "second", entry };
  }
  const succeeded = group.closed.findLast((entry) => isSameStart(entry, payload));
  if (succeeded?.node.status === "ok" && !succeeded.startMissing) {
    return { kind: "second", entry: succeeded };
  }
  return { kind: "new", reused: isMintedAgain(group, payload) };
}

function mayBeStartOf(core: Core, entry: Entry<AttemptFields>, payload: Payload): boolean {
  const ordinal = ordinalOf(payload);
  if (ordinal !== null) return ordinal === entry.node.attempt;
  const retries = asNumber(payload["retry_count"]);
  if (retries !== null && entry.node.retry_count !== null)
    return retries === entry.node.retry_count;
  return core.at <= (entry.node.ended_at ?? core.at) || entry.node.status === "ok";
}

/** Two sources saw one request begin, or one told it twice: a real retry differs in one of these. */
function isSameStart({ node }: Entry<AttemptFields>, payload: Payload): boolean {
  const ordinal = ordinalOf(payload);
  if (ordinal !== null && ordinal !== node.attempt) return false;
  const startedAt = asNumber(payload["started_at"]);
  const known = node.request_started_at ?? node.started_at;
  if (startedAt !== null && startedAt !== known) return false;
  if (startedAt === null && node.status !== "open") return false;
  return (
    asNumber(payload["retry_count"]) === node.retry_count &&
    asText(payload["model"]) === node.model &&
    asText(payload["provider"]) === node.provider
  );
}

/** The id was minted again for another request: its counting starts anew at another time. */
function isMintedAgain(group: RequestGroup, payload: Payload): boolean {
  if (group.closed.length === 0 && group.open.length === 0) return false;
  const ordinal = ordinalOf(payload);
  if (ordinal !== null) {
    return [...group.closed, ...group.open].some(({ node }) => node.attempt === ordinal);
  }
  const startedAt = asNumber(payload["started_at"]);
  return startedAt !== null && group.startedAt !== null && startedAt !== group.startedAt;
}

/** The attempt that an end belongs to: open, or closed for lack of an end, or ended already; null if none. */
export function findAttempt(
  core: Core,
  place: Place,
  group: RequestGroup,
  payload: Payload,
): Entry<AttemptFields> | null {
  const open = chooseOpen(core, group.open.slice(-maxScanned), payload);
  if (open !== null) return open;
  if (group.id === "") return null;
  const elsewhere = chooseOpen(core, openElsewhere(place, group.id), payload);
  return elsewhere ?? chooseClosed(core, group, payload);
}

/** By ordinal, else by retry count, else by model and provider; of several that fit, the latest, as retries follow. */
function chooseOpen(
  core: Core,
  open: readonly Entry<AttemptFields>[],
  payload: Payload,
): Entry<AttemptFields> | null {
  const alive = open.filter((entry) => isAlive(core, entry));
  const ordinal = ordinalOf(payload);
  if (ordinal !== null) {
    const exact = alive.findLast(({ node }) => node.attempt === ordinal);
    if (exact !== undefined) return exact;
    if (alive.some((entry) => entry.hasOrdinal)) return null;
  }
  const retries = asNumber(payload["retry_count"]);
  const byRetry =
    retries === null ? alive : narrowed(alive, ({ node }) => node.retry_count === retries);
  const model = asText(payload["model"]);
  const provider = asText(payload["provider"]);
  const fits = narrowed(byRetry, ({ node }) => node.model === model && node.provider === provider);
  const latest = fits.at(-1) ?? null;
  if (latest !== null && fits.length > 1) core.deviate(latest, "ambiguous_pairing");
  return latest;
}

function narrowed(
  entries: readonly Entry<AttemptFields>[],
  fits: (entry: Entry<AttemptFields>) => boolean,
): readonly Entry<AttemptFields>[] {
  const found = entries.length > 1 ? entries.filter(fits) : entries;
  return found.length > 0 ? found : entries;
}

/** One of the two events names no turn: the attempt may be open in any turn of the session, or outside all of them. */
function openElsewhere(place: Place, requestId: string): readonly Entry<AttemptFields>[] {
  if (place.turn !== null) return place.session.loose.requests.get(requestId)?.open.slice() ?? [];
  const found: Entry<AttemptFields>[] = [];
  for (const turn of place.session.turns.values()) {
    found.push(...(turn.own.requests.get(requestId)?.open ?? []));
    if (found.length > 256) break;
  }
  return found;
}

/**
 * An end for an attempt that is closed already. After an error, a success is the end of another attempt whose start
 * was lost; the same kind of end again, with the same retry count, is a second end.
 */
function chooseClosed(
  core: Core,
  group: RequestGroup,
  payload: Payload,
): Entry<AttemptFields> | null {
  const ordinal = ordinalOf(payload);
  const candidates =
    ordinal === null ? group.closed : group.closed.filter(({ node }) => node.attempt === ordinal);
  const givenUp = candidates.findLast(({ node }) => node.closed_by !== "event");
  if (givenUp !== undefined) return givenUp;
  const last = candidates.at(-1);
  if (last === undefined || ordinal !== null) return last ?? null;
  const endedWell = last.node.status === "ok";
  if (core.cause?.envelope.hook === "post_api_request") return endedWell ? last : null;
  const isSame = !endedWell && asNumber(payload["retry_count"]) === last.node.retry_count;
  return isSame ? last : null;
}

/** `attempt` as our hosts report it. */
export function ordinalOf(payload: Payload): number | null {
  const ordinal = asNumber(payload["attempt"]);
  return ordinal !== null && Number.isSafeInteger(ordinal) && ordinal >= 0 && ordinal < 1e6
    ? ordinal
    : null;
}
