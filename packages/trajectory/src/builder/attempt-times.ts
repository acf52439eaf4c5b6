import type { Payload } from "@hermes-observer/core";
import { asNumber } from "../payload-fields.ts";
import { elapsed } from "./closing.ts";
import type { Core } from "./core.ts";
import type { Entry } from "./entry.ts";
import type { AttemptFields } from "./node-fields.ts";
import { epochSeconds } from "./sessions.ts";

/**
 * Start, end and duration of an attempt. Payload times are taken where they are the attempt's own. Real hosts take
 * `started_at` once for all retries of a request, so that from the second attempt on `started_at` and `api_duration`
 * cover the earlier ones too; those are kept as the request's, and the attempt is measured from event to event.
 */
export function setAttemptTimes(core: Core, entry: Entry<AttemptFields>, payload: Payload): void {
  const { node } = entry;
  const startedAt = epochSeconds(core, entry, payload, "started_at");
  const endedAt = epochSeconds(core, entry, payload, "ended_at") ?? core.at;
  const duration = seconds(core, entry, payload["api_duration"]);
  const isShared = node.request_started_at !== null && startedAt === node.request_started_at;
  node.ended_at = endedAt;
  if (entry.startMissing) {
    // Whether these are the attempt's own cannot be told without its start.
    node.request_started_at = startedAt;
    node.request_duration_ms = duration;
    if (node.attempt === 0 || entry.hasOrdinal) setOwn(node, startedAt, duration);
  } else if (isShared) {
    node.ended_at = core.at;
    node.request_duration_ms = duration;
    measure(core, entry);
  } else if (duration === null) {
    measure(core, entry);
  } else {
    setOwn(node, node.started_at, duration);
  }
  const firstChunk = epochSeconds(core, entry, payload, "first_chunk_at");
  if (firstChunk !== null && node.started_at !== null) {
    node.first_chunk_ms = elapsed(node.started_at, firstChunk);
  }
}

function setOwn(node: AttemptFields, startedAt: number | null, duration: number | null): void {
  node.started_at = startedAt;
  node.duration_ms = duration;
  node.duration_source = duration === null ? null : "payload";
}

function measure(core: Core, entry: Entry<AttemptFields>): void {
  const { node } = entry;
  const endedAt = node.ended_at ?? core.at;
  if (node.started_at !== null && endedAt < node.started_at) {
    core.deviate(entry, "clock_stepped_back", "duration");
  }
  node.duration_ms = elapsed(node.started_at, endedAt);
  node.duration_source = node.duration_ms === null ? null : "envelope";
}

function seconds(core: Core, entry: Entry<AttemptFields>, value: unknown): number | null {
  if (value === undefined || value === null) return null;
  const duration = asNumber(value);
  if (duration !== null && duration >= 0) return Math.round(duration * 1e6) / 1e3;
  core.deviate(entry, "invalid_field", "api_duration");
  return null;
}
