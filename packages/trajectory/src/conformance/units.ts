import type { EventRecord } from "@hermes-observer/core";
import { asNumber, asObject } from "../payload-fields.ts";
import { eventClause } from "./clause.ts";
import type { Clause } from "./clause.ts";

/** 2001 to 2286: what epoch seconds can be and epoch milliseconds cannot. */
const earliest = 1e9;
const latest = 1e10;

const timeFields = ["started_at", "ended_at", "first_chunk_at", "first_delta_at"] as const;
const countFields = [
  "message_count",
  "tool_count",
  "approx_input_tokens",
  "request_char_count",
  "max_tokens",
  "assistant_content_chars",
  "assistant_tool_call_count",
  "retry_count",
  "max_retries",
] as const;
const tokenFields = [
  "input_tokens",
  "output_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "reasoning_tokens",
  "prompt_tokens",
  "total_tokens",
] as const;

/** Numbers are in the units that the contract gives. */
export const unitClauses: readonly Clause[] = [
  eventClause(
    {
      id: "units.epoch_seconds",
      title: "Times are epoch seconds",
      source: "hook-contract §0.4",
    },
    (event) => {
      const times = [["at", event.at] as const, ...given(event, timeFields)];
      const wrong = times.filter(([, value]) => !isBetween(value, earliest, latest));
      return faults(wrong, "no epoch seconds");
    },
  ),
  eventClause(
    {
      id: "units.duration_ms",
      title: "duration_ms is a whole number of milliseconds",
      source: "hook-contract §0.4",
    },
    (event) => {
      const durations = given(event, ["duration_ms"]);
      if (durations.length === 0) return null;
      return faults(
        durations.filter(([, value]) => !isCount(value)),
        "no whole milliseconds",
      );
    },
  ),
  eventClause(
    {
      id: "units.api_duration",
      title: "api_duration is in seconds and spans started_at to ended_at",
      source: "hook-contract §1.9",
    },
    apiDuration,
  ),
  eventClause(
    {
      id: "units.end_after_start",
      title: "ended_at and first_chunk_at do not lie before started_at",
      source: "hook-contract §1.9",
    },
    (event) => {
      const start = asNumber(event.payload["started_at"]);
      const later = given(event, ["ended_at", "first_chunk_at"]);
      if (start === null || later.length === 0) return null;
      return faults(
        later.filter(([, value]) => (asNumber(value) ?? start) < start),
        "before started_at",
      );
    },
  ),
  eventClause(
    {
      id: "units.tokens",
      title: "Token counts are whole numbers whose parts add up",
      source: "hook-contract §1.9",
    },
    tokens,
  ),
  eventClause(
    {
      id: "units.counts",
      title: "Counts are whole numbers",
      source: "hook-contract §1.8",
    },
    (event) => {
      const counts = given(event, countFields);
      if (counts.length === 0) return null;
      return faults(
        counts.filter(([, value]) => !isCount(value)),
        "no count",
      );
    },
  ),
];

function apiDuration(event: EventRecord): string | null {
  const value = event.payload["api_duration"];
  if (value === undefined || value === null) return null;
  const duration = asNumber(value);
  if (duration === null || duration < 0) return "api_duration is no duration.";
  const start = asNumber(event.payload["started_at"]);
  const end = asNumber(event.payload["ended_at"]);
  if (start === null || end === null || end < start) return "";
  const span = end - start;
  const tolerance = Math.max(0.05, span * 0.05);
  return Math.abs(duration - span) <= tolerance
    ? ""
    : `api_duration is ${duration}, but ${span.toFixed(3)} s lie between start and end.`;
}

function tokens(event: EventRecord): string | null {
  if (event.hook !== "post_api_request" && event.hook !== "api_request_error") return null;
  const usage = asObject(event.payload["usage"]);
  if (usage === null) return null;
  const wrong = tokenFields.filter(
    (name) => usage[name] !== undefined && usage[name] !== null && !isCount(usage[name]),
  );
  if (wrong.length > 0) return `No token count: ${wrong.join(", ")}.`;
  const count = (name: string): number => asNumber(usage[name]) ?? 0;
  const isHermes = usage["prompt_tokens"] !== undefined && usage["input_tokens"] !== undefined;
  if (!isHermes) return "";
  const input = count("input_tokens") + count("cache_read_tokens") + count("cache_write_tokens");
  if (count("prompt_tokens") !== input) return "prompt_tokens is not the sum of its parts.";
  if (count("reasoning_tokens") > count("output_tokens"))
    return "reasoning_tokens exceeds output_tokens.";
  return "";
}

function given(
  event: EventRecord,
  names: readonly string[],
): (readonly [name: string, value: unknown])[] {
  return names
    .map((name) => [name, event.payload[name]] as const)
    .filter(([, value]) => value !== undefined && value !== null);
}

function faults(wrong: readonly (readonly [name: string, value: unknown])[], what: string): string {
  return wrong.map(([name]) => `${name} is ${what}.`).join(" ");
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isBetween(value: unknown, low: number, high: number): boolean {
  const number = asNumber(value);
  return number !== null && number >= low && number < high;
}
