import { existsSync, readdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Ajv } from "ajv";
import type { ValidateFunction } from "ajv";
import { describe, expect, test } from "vitest";
import { contractFiles, repositoryRoot, schemasFolder } from "../../scripts/contract-files.ts";
import type { JsonSchema } from "../../scripts/read-contract.ts";
import { hookNames } from "../../src/contract/events.ts";
import { goldenEvent, goldenEvents } from "./golden.ts";

const schemaFolder = new URL(`${schemasFolder}/`, pathToFileURL(repositoryRoot));

function readSchema(name: string): JsonSchema {
  return JSON.parse(readFileSync(new URL(name, schemaFolder), "utf8")) as JsonSchema;
}

function compiled(name: string): ValidateFunction {
  // strict, so that a user's ajv with default options has nothing to warn about
  return new Ajv({ strict: true, allErrors: true }).compile(readSchema(name));
}

function without(payload: object, field: string): object {
  return Object.fromEntries(Object.entries(payload).filter(([name]) => name !== field));
}

describe("generated files", () => {
  test("are in step with the types", async () => {
    const files = await contractFiles();

    for (const [path, text] of files) {
      const committed = existsSync(repositoryRoot + path)
        ? readFileSync(repositoryRoot + path, "utf8")
        : "";
      expect(committed, `${path} is out of step: npm run schemas`).toBe(text);
    }
  });

  test("are the only files in the schemas folder: one per hook, the map and the wire event", () => {
    const expected = [...hookNames, "observer-events", "wire-event"].map((n) => `${n}.schema.json`);

    expect(readdirSync(schemaFolder).toSorted()).toEqual(expected.toSorted());
  });
});

describe.each(hookNames)("schema of %s", (hook) => {
  const validate = compiled(`${hook}.schema.json`);
  const wire = compiled("wire-event.schema.json");
  const { payload } = goldenEvent(hook);

  test("takes every golden event of the hook", () => {
    const events = goldenEvents.filter((event) => event.hook === hook);

    for (const event of events) {
      validate(event.payload);
      expect(validate.errors, event.file).toBeNull();
    }
  });

  test("takes a field that it does not know", () => {
    expect(validate({ ...payload, a_field_from_the_future: [{}] })).toBe(true);
  });

  test("takes the stamp and does without it", () => {
    expect(payload["telemetry_schema_version"]).toBe("hermes.observer.v1");
    expect(validate(without(payload, "telemetry_schema_version"))).toBe(true);
  });

  test("takes a payload of the required fields alone, and none that lacks one of them", () => {
    const required = readSchema(`${hook}.schema.json`).required ?? [];
    const least = Object.fromEntries(required.map((field) => [field, payload[field]]));

    expect(required).not.toEqual([]);
    expect(validate(least)).toBe(true);
    for (const field of required) {
      expect(validate(without(least, field)), `without ${field}`).toBe(false);
      expect(wire({ hook, payload: without(least, field) }), `without ${field}`).toBe(false);
    }
  });

  test("refuses a field of another type", () => {
    const text = Object.keys(payload).find((field) => typeof payload[field] === "string") ?? "";

    expect(validate({ ...payload, [text]: 7 })).toBe(false);
    expect(wire({ hook, payload: { ...payload, [text]: 7 } })).toBe(false);
  });
});

describe("schema of a wire event", () => {
  const validate = compiled("wire-event.schema.json");

  test.each(goldenEvents)("takes $file", ({ file: _file, ...event }) => {
    validate(event);

    expect(validate.errors).toBeNull();
  });

  test("does without id and at, and not without hook or payload", () => {
    const { hook, payload } = goldenEvent("pre_tool_call");

    expect(validate({ hook, payload })).toBe(true);
    expect(validate({ payload })).toBe(false);
    expect(validate({ hook })).toBe(false);
  });

  test("takes any object as the payload of a hook that it does not know", () => {
    expect(validate({ hook: "kanban_task_claimed", payload: {} })).toBe(true);
    expect(validate({ hook: "kanban_task_claimed", payload: [] })).toBe(false);
  });
});

describe("schema of the event map", () => {
  test("has the hooks of the specification in the order of hookNames", () => {
    const schema = readSchema("observer-events.schema.json");

    expect(Object.keys(schema.properties ?? {})).toEqual(hookNames);
  });

  test("validates payloads by hook and requires no hook", () => {
    const validate = compiled("observer-events.schema.json");
    const { payload } = goldenEvent("pre_tool_call");

    expect(validate({})).toBe(true);
    expect(validate({ pre_tool_call: payload })).toBe(true);
    expect(validate({ pre_tool_call: {} })).toBe(false);
  });
});

describe("unions", () => {
  const openFields = [
    ["post_tool_call", "status"],
    ["post_tool_call", "error_type"],
    ["pre_api_request", "api_mode"],
    ["api_request_error", "reason"],
    ["on_human_input_request", "kind"],
    ["on_human_input_resolved", "outcome"],
    ["pre_approval_request", "surface"],
    ["post_approval_response", "choice"],
    ["post_approval_response", "decided_by"],
    ["subagent_start", "child_role"],
    ["subagent_stop", "child_status"],
    ["on_session_finalize", "reason"],
  ] as const;

  test.each(openFields)("%s.%s is open: takes any string and no number", (hook, field) => {
    const validate = compiled(`${hook}.schema.json`);
    const { payload } = goldenEvent(hook);

    expect(validate({ ...payload, [field]: "a value from the future" })).toBe(true);
    expect(validate({ ...payload, [field]: 7 })).toBe(false);
  });

  test("an open union lists the known values", () => {
    const schema = readSchema("post_tool_call.schema.json");

    expect(schema.definitions?.["ToolStatus"]?.anyOf).toEqual([
      { type: "string", enum: ["ok", "error", "blocked", "cancelled", "timeout"] },
      { type: "string" },
    ]);
  });

  test("a capability is closed: takes the known values only", () => {
    const validate = compiled("on_session_start.schema.json");
    const { payload } = goldenEvent("on_session_start");
    const withCapability = (capability: string) => ({
      ...payload,
      producer: { name: "acme", version: "1.0.0", capabilities: { pre_tool_call: capability } },
    });

    expect(validate(withCapability("partial"))).toBe(true);
    expect(validate(withCapability("sometimes"))).toBe(false);
  });
});

describe("descriptions", () => {
  test("every field of every payload has one", () => {
    const bare: string[] = [];
    for (const hook of hookNames) {
      const schema = readSchema(`${hook}.schema.json`);
      for (const [field, { description }] of Object.entries(schema.properties ?? {})) {
        if (description === undefined) bare.push(`${hook}.${field}`);
      }
    }

    expect(bare).toEqual([]);
  });

  test("numbers with a unit say it", () => {
    const fields = readSchema("post_api_request.schema.json").properties ?? {};

    expect(fields["api_duration"]?.description).toMatch(/Unit: seconds\.$/);
    expect(fields["started_at"]?.description).toMatch(/Unit: epoch seconds\.$/);
    expect(fields["first_chunk_at"]?.description).toMatch(/Unit: epoch seconds\.$/);
  });
});
