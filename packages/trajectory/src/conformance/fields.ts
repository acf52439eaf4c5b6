import type { EventRecord } from "@hermes-observer/core";
import { asObject } from "../payload-fields.ts";
import { eventClause } from "./clause.ts";
import type { Clause } from "./clause.ts";
import { field } from "./keys.ts";

const api = [
  "session_id",
  "task_id",
  "turn_id",
  "api_request_id",
  "platform",
  "model",
  "provider",
  "base_url",
  "api_mode",
  "api_call_count",
] as const;
const tool = [
  "tool_name",
  "args",
  "session_id",
  "task_id",
  "turn_id",
  "tool_call_id",
  "api_request_id",
] as const;
const result = ["result", "duration_ms", "status", "error_type", "error_message"] as const;
const approval = [
  "command",
  "description",
  "pattern_key",
  "pattern_keys",
  "session_key",
  "surface",
] as const;
const human = ["kind", "request_id", "session_id", "session_key", "platform", "prompt"] as const;
const turn = ["session_id", "turn_id", "user_message", "model", "platform"] as const;

/** Fields that a hook always carries, be they empty or null. */
const required: Readonly<Record<string, readonly string[]>> = {
  on_session_start: ["session_id", "model", "platform"],
  on_session_end: [
    "session_id",
    "task_id",
    "turn_id",
    "completed",
    "interrupted",
    "model",
    "platform",
  ],
  on_session_finalize: ["session_id", "platform"],
  on_session_reset: ["session_id", "platform"],
  pre_llm_call: [...turn, "is_first_turn"],
  post_llm_call: [...turn, "assistant_response"],
  pre_api_request: [
    ...api,
    "message_count",
    "tool_count",
    "approx_input_tokens",
    "request_char_count",
    "max_tokens",
    "started_at",
    "request",
  ],
  post_api_request: [
    ...api,
    "api_duration",
    "started_at",
    "ended_at",
    "finish_reason",
    "message_count",
    "response_model",
    "usage",
    "assistant_content_chars",
    "assistant_tool_call_count",
    "response",
  ],
  api_request_error: [
    ...api,
    "api_duration",
    "started_at",
    "ended_at",
    "status_code",
    "retry_count",
    "max_retries",
    "retryable",
    "reason",
    "error",
    "request",
  ],
  pre_tool_call: tool,
  post_tool_call: [...tool, ...result],
  transform_tool_result: [...tool, ...result],
  transform_llm_output: ["response_text", "session_id", "model", "platform"],
  on_human_input_request: human,
  on_human_input_resolved: [...human, "outcome"],
  pre_approval_request: approval,
  post_approval_response: [...approval, "choice"],
  subagent_start: [
    "parent_session_id",
    "parent_turn_id",
    "parent_subagent_id",
    "child_session_id",
    "child_subagent_id",
    "child_role",
    "child_goal",
  ],
  subagent_stop: [
    "parent_session_id",
    "child_session_id",
    "child_role",
    "child_status",
    "child_summary",
    "duration_ms",
    "tool_call_history",
  ],
};

const toolStatuses = new Set(["ok", "error", "blocked", "cancelled", "timeout"]);
const choices = new Set([
  "once",
  "session",
  "always",
  "deny",
  "timeout",
  "cancelled",
  "notify_failed",
  "smart_approve",
  "smart_deny",
]);
const idFields = [
  "session_id",
  "task_id",
  "turn_id",
  "api_request_id",
  "tool_call_id",
  "request_id",
  "parent_session_id",
  "child_session_id",
];
const flagFields = [
  "completed",
  "failed",
  "interrupted",
  "is_first_turn",
  "retryable",
  "coalesced",
];

/** Payloads have the fields of their hook, in the contract's types and values. */
export const fieldClauses: readonly Clause[] = [
  eventClause(
    {
      id: "fields.hook_known",
      title: "Hooks are those of the contract",
      source: "specification, event families",
    },
    (event) => (event.hook in required ? "" : `${event.hook} is no hook of the contract.`),
  ),
  eventClause(
    {
      id: "fields.schema_version",
      title: "Every payload says hermes.observer.v1",
      source: "specification, contract",
    },
    (event) =>
      event.payload["telemetry_schema_version"] === "hermes.observer.v1"
        ? ""
        : "telemetry_schema_version is missing or another one.",
  ),
  eventClause(
    {
      id: "fields.required",
      title: "Payloads have every field of their hook",
      source: "specification, event families",
    },
    (event) => {
      const names = required[event.hook];
      if (names === undefined) return null;
      const missing = names.filter((name) => event.payload[name] === undefined);
      return missing.length === 0 ? "" : `Missing: ${missing.join(", ")}.`;
    },
  ),
  eventClause(
    {
      id: "fields.types",
      title: "Ids are texts and flags are booleans",
      source: "specification, event families",
    },
    types,
  ),
  eventClause(
    {
      id: "fields.tool_status",
      title: "A tool's status is one of ok, error, blocked, cancelled, timeout",
      source: "hook-contract §1.12",
    },
    (event) => {
      if (event.hook !== "post_tool_call" || event.payload["status"] === undefined) return null;
      const status = field(event, "status");
      return toolStatuses.has(status) ? "" : `status is ${JSON.stringify(status)}.`;
    },
  ),
  eventClause(
    {
      id: "fields.approval_choice",
      title: "An approval's choice is a known one",
      source: "hook-contract §6.2",
    },
    (event) => {
      if (event.hook !== "post_approval_response" || event.payload["choice"] === undefined)
        return null;
      const choice = field(event, "choice");
      const isKnown = choices.has(choice) || choice.startsWith("transport_");
      return isKnown ? "" : `choice is ${JSON.stringify(choice)}.`;
    },
  ),
  eventClause(
    {
      id: "fields.error_shape",
      title: "error of api_request_error has a type and a message",
      source: "specification, API hooks",
    },
    (event) => {
      if (event.hook !== "api_request_error" || event.payload["error"] === undefined) return null;
      const error = asObject(event.payload["error"]);
      const isText = (name: string): boolean => typeof error?.[name] === "string";
      return isText("type") && isText("message") ? "" : "error is not {type, message}.";
    },
  ),
];

function types(event: EventRecord): string | null {
  const wrong: string[] = [];
  for (const name of idFields) {
    const value = event.payload[name];
    if (value === undefined || typeof value === "string") continue;
    if (value === null && event.hook === "on_session_finalize") continue; // some surfaces have none
    wrong.push(`${name} is no text.`);
  }
  for (const name of flagFields) {
    const value = event.payload[name];
    if (value !== undefined && typeof value !== "boolean") wrong.push(`${name} is no boolean.`);
  }
  return wrong.join(" ");
}
