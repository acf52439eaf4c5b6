import { APICallError } from "@ai-sdk/provider";

/** Why an attempt failed, in the words of `api_request_error.reason`. */
export type FailureReason =
  | "auth"
  | "billing"
  | "connection_error"
  | "content_policy_blocked"
  | "context_overflow"
  | "incomplete_stream"
  | "invalid_request"
  | "invalid_response"
  | "model_not_found"
  | "overloaded"
  | "rate_limit"
  | "server_error"
  | "timeout"
  | "unknown";

/** A failed attempt, sorted. */
export interface ModelFailure {
  /** Class of what was thrown. */
  readonly errorType: string;
  readonly reason: FailureReason;
  /** HTTP status; null when there was no answer or the failure came inside a stream that began with 200. */
  readonly statusCode: number | null;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** Response headers in lower case, where there were any. */
  readonly headers: Readonly<Record<string, string>>;
  /** What was thrown in words, with what caused it where that says more. */
  readonly message: string;
}

/** The stream said that something went wrong, or stopped before the answer was complete. Made by the loop. */
export class StreamFailure extends Error {
  readonly kind: "error_event" | "cut";

  constructor(kind: "error_event" | "cut", message: string, cause?: unknown) {
    super(message, { cause });
    this.name = kind === "cut" ? "IncompleteStream" : "StreamError";
    this.kind = kind;
  }
}

/** No part of the answer came for too long. Made by the loop. */
export class AttemptTimeout extends Error {
  constructor(timeoutMs: number) {
    super(`the model sent nothing for ${timeoutMs} ms`);
    this.name = "AttemptTimeout";
  }
}

const retryableReasons: ReadonlySet<FailureReason> = new Set([
  "connection_error",
  "incomplete_stream",
  "invalid_response",
  "overloaded",
  "rate_limit",
  "server_error",
  "timeout",
]);

/** Sorts whatever an attempt threw. Never throws. */
export function classifyFailure(error: unknown): ModelFailure {
  if (error instanceof AttemptTimeout) return failure(error, "timeout");
  if (error instanceof StreamFailure) {
    const reason =
      error.kind === "cut" ? "incomplete_stream" : streamReason(error.cause, error.message);
    return failure(error, reason);
  }
  if (APICallError.isInstance(error)) return classifyCall(error);
  const name = error instanceof Error ? error.name : "";
  if (
    /^AI_(?:JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody|NoContentGenerated)Error$/.test(
      name,
    )
  ) {
    return failure(error, "invalid_response");
  }
  return failure(error, isNetwork(error) ? networkReason(error) : "unknown");
}

function classifyCall(error: APICallError): ModelFailure {
  const { statusCode } = error;
  const headers = error.responseHeaders ?? {};
  if (isNetwork(error)) return failure(error, networkReason(error));
  // A body that cannot be read as an answer came with a good status: the status says nothing.
  if (statusCode === undefined || statusCode < 400) return failure(error, "invalid_response");
  const text = `${error.message} ${error.responseBody ?? ""}`;
  return { ...failure(error, statusReason(statusCode, text)), statusCode, headers };
}

/** The first row that fits: what the text says counts before what the status says. */
const rows: readonly (readonly [FailureReason, (status: number) => boolean, RegExp])[] = [
  [
    "context_overflow",
    () => true,
    /context.length|context.window|maximum context|prompt is too long|too many tokens/i,
  ],
  ["billing", () => true, /insufficient_quota|billing_hard_limit|credit balance/i],
  [
    "content_policy_blocked",
    () => true,
    /content_policy|content_filter|content management policy/i,
  ],
  ["billing", (status) => status === 402, /(?:)/],
  ["auth", (status) => status === 401 || status === 403, /(?:)/],
  ["model_not_found", (status) => status === 404, /(?:)/],
  ["timeout", (status) => status === 408, /(?:)/],
  ["rate_limit", (status) => status === 429, /(?:)/],
  ["overloaded", (status) => status === 503 || status === 529, /(?:)/],
  ["overloaded", () => true, /overloaded/i],
  // 409 and 425 say "not now", as a server error does.
  ["server_error", (status) => status >= 500 || status === 409 || status === 425, /(?:)/],
];

function statusReason(status: number, text: string): FailureReason {
  const row = rows.find(([, fits, words]) => fits(status) && words.test(text));
  return row === undefined ? "invalid_request" : row[0];
}

/** An error event carries a provider's error object, an exception of the provider package, or a text. */
function streamReason(cause: unknown, message: string): FailureReason {
  const text = `${message} ${fieldsOf(cause)}`;
  // openai-compatible says so in words only, and as an invalid response.
  if (/ended without a finish reason/i.test(text)) return "incomplete_stream";
  if (cause instanceof Error) {
    const { reason } = classifyFailure(cause);
    if (reason !== "unknown") return reason;
  }
  if (/rate.?limit|too many requests/i.test(text)) return "rate_limit";
  if (/overloaded|unavailable/i.test(text)) return "overloaded";
  if (/authentication|permission|invalid.api.key/i.test(text)) return "auth";
  const reason = statusReason(500, text);
  return reason === "server_error" && /invalid.request/i.test(text) ? "invalid_request" : reason;
}

function fieldsOf(cause: unknown): string {
  if (typeof cause !== "object" || cause === null) return String(cause);
  const { type, code, message } = cause as { type?: unknown; code?: unknown; message?: unknown };
  return [type, code, message].filter((field) => typeof field === "string").join(" ");
}

function isNetwork(error: unknown): boolean {
  return codesOf(error).some((code) =>
    /^(?:UND_ERR|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET|terminated$)/.test(
      code,
    ),
  );
}

function networkReason(error: unknown): FailureReason {
  return codesOf(error).some((code) => /TIMEOUT|ETIMEDOUT/.test(code))
    ? "timeout"
    : "connection_error";
}

/** Codes of an error and of what caused it; undici says `terminated` instead when a body breaks off. */
function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  const seen = new Set<unknown>();
  let current = error;
  while (current instanceof Error && !seen.has(current)) {
    seen.add(current);
    const { code } = current as { code?: unknown };
    if (typeof code === "string") codes.push(code);
    if (current instanceof TypeError && current.message === "terminated") codes.push("terminated");
    if (current instanceof TypeError && current.message === "fetch failed") codes.push("ECONN");
    current = current.cause;
  }
  return codes;
}

function failure(error: unknown, reason: FailureReason): ModelFailure {
  return {
    errorType: error instanceof Error ? error.name : typeof error,
    reason,
    statusCode: null,
    retryable: retryableReasons.has(reason),
    headers: {},
    message: wordsOf(error),
  };
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  const more =
    cause instanceof Error && !message.includes(cause.message) ? `: ${cause.message}` : "";
  return message + more;
}
