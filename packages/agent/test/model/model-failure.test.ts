import { APICallError } from "@ai-sdk/provider";
import { expect, test } from "vitest";

import { AttemptTimeout, classifyFailure, StreamFailure } from "../../src/model/model-failure.ts";

function callError(
  statusCode: number | undefined,
  more: { body?: string; cause?: unknown } = {},
): APICallError {
  return new APICallError({
    message: "it failed",
    url: "http://127.0.0.1/",
    requestBodyValues: {},
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(more.body === undefined ? {} : { responseBody: more.body }),
    cause: more.cause,
  });
}

test.each([
  [400, "prompt is too long: 300000 tokens", "context_overflow"],
  [413, "maximum context length is 8192", "context_overflow"],
  [400, "your credit balance is too low", "billing"],
  [409, "conflict", "server_error"],
  [500, '{"error":{"type":"overloaded_error"}}', "overloaded"],
  [422, "no such field", "invalid_request"],
  [599, "", "server_error"],
])("status %i with %j is %s", (status, body, reason) => {
  expect(classifyFailure(callError(status, { body }))).toMatchObject({
    reason,
    statusCode: status,
  });
});

test("a network error is told from a timeout by its code, however deep it lies", () => {
  const reset = Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
  const slow = Object.assign(new Error("no connection"), { code: "UND_ERR_CONNECT_TIMEOUT" });
  const wrapped = (cause: Error): TypeError => new TypeError("fetch failed", { cause });

  expect(classifyFailure(callError(undefined, { cause: wrapped(reset) })).reason).toBe(
    "connection_error",
  );
  expect(classifyFailure(callError(200, { cause: wrapped(slow) })).reason).toBe("timeout");
  expect(classifyFailure(wrapped(reset))).toMatchObject({
    reason: "connection_error",
    statusCode: null,
  });
});

test("a cause that names itself does not turn in circles", () => {
  const error = new Error("round");
  error.cause = error;

  expect(classifyFailure(error)).toMatchObject({ reason: "unknown", retryable: false });
});

test("the words of a cause are added where they say more", () => {
  const hidden = callError(200, { cause: new Error("unexpected token") });
  const told = callError(200, { cause: new Error("failed") });

  expect(classifyFailure(hidden).message).toBe("it failed: unexpected token");
  expect(classifyFailure(told).message).toBe("it failed");
});

test.each([
  [{ message: "bad key", type: "authentication_error" }, "auth", false],
  [{ message: "x", type: "invalid_request_error" }, "invalid_request", false],
  [{ message: "x", code: "context_length_exceeded" }, "context_overflow", false],
  [{ message: "x", code: "insufficient_quota" }, "billing", false],
  [{ message: "Too Many Requests" }, "rate_limit", true],
  [{ message: "Service Unavailable" }, "overloaded", true],
  ["only a text", "server_error", true],
  [null, "server_error", true],
])("an error event with %j is %s", (cause, reason, retryable) => {
  const failure = classifyFailure(new StreamFailure("error_event", "the stream said so", cause));

  expect(failure).toMatchObject({ reason, retryable, statusCode: null });
});

test("an error event that holds an exception of the provider package is sorted by it", () => {
  const failure = classifyFailure(new StreamFailure("error_event", "it failed", callError(404)));

  expect(failure.reason).toBe("model_not_found");
});

test("waiting for too long and a cut stream have reasons of their own", () => {
  expect(classifyFailure(new AttemptTimeout(5))).toMatchObject({
    reason: "timeout",
    retryable: true,
    errorType: "AttemptTimeout",
  });
  expect(classifyFailure(new StreamFailure("cut", "ended")).reason).toBe("incomplete_stream");
});

test("what is no error at all is unknown", () => {
  expect(classifyFailure("text")).toMatchObject({
    reason: "unknown",
    message: "text",
    errorType: "string",
  });
});
