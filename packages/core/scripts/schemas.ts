/** The JSON Schemas that are shipped, made from the contract as `read-contract.ts` reads it. */
import type { Contract, Hook, JsonSchema } from "./read-contract.ts";
import { definitionName, units } from "./read-contract.ts";

const dialect = "http://json-schema.org/draft-07/schema#";

/** Schema of one hook's payload. */
export function hookSchema(contract: Contract, hook: Hook): JsonSchema {
  const { [hook.type]: payload, ...others } = definitionsFrom(contract, [hook.type]);
  const { description, ...shape } = payload ?? {};
  return {
    $schema: dialect,
    $id: `${hook.name}.schema.json`,
    title: hook.name,
    ...(description !== undefined && { description }),
    ...shape,
    ...(Object.keys(others).length > 0 && { definitions: others }),
  };
}

/** Schema of an object that holds payloads by hook: a directory of the contract, every payload type in one file. */
export function mapSchema(contract: Contract): JsonSchema {
  return {
    $schema: dialect,
    $id: "observer-events.schema.json",
    title: "hermes.observer.v1",
    description:
      "Payloads by hook. Every payload type of the contract is in the definitions, under the name it has in TypeScript.",
    type: "object",
    properties: Object.fromEntries(
      contract.hooks.map((hook) => [hook.name, { $ref: `#/definitions/${hook.type}` }]),
    ),
    definitions: definitionsOfHooks(contract),
  };
}

/** Schema of one line of the wire form. A hook that the contract does not know may carry any payload. */
export function wireSchema(contract: Contract): JsonSchema {
  return {
    $schema: dialect,
    $id: "wire-event.schema.json",
    title: "Wire event",
    description:
      "One line of the wire form. The payload of a known hook has that hook's shape; an unknown hook is allowed, with any object as its payload.",
    type: "object",
    properties: {
      id: {
        type: "string",
        description: "Key of the event, opaque. Made on the way in when missing.",
      },
      at: {
        type: "number",
        description:
          "When the event was emitted. Made on the way in when missing. Unit: epoch seconds.",
      },
      hook: { type: "string", description: "Name of the hook." },
      payload: { type: "object", description: "The payload." },
    },
    required: ["hook", "payload"],
    allOf: contract.hooks.map((hook) => ({
      if: { type: "object", properties: { hook: { const: hook.name } }, required: ["hook"] },
      // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema; nothing awaits this object
      then: { type: "object", properties: { payload: { $ref: `#/definitions/${hook.type}` } } },
    })),
    definitions: definitionsOfHooks(contract),
  };
}

function definitionsOfHooks(contract: Contract): Record<string, JsonSchema> {
  return definitionsFrom(
    contract,
    contract.hooks.map((hook) => hook.type),
  );
}

/** The named types and all that they refer to, units written out. */
function definitionsFrom(contract: Contract, names: readonly string[]): Record<string, JsonSchema> {
  const found: Record<string, JsonSchema> = {};
  const open = [...names];
  for (let name = open.shift(); name !== undefined; name = open.shift()) {
    if (name in found) continue;
    const definition = contract.definitions[name];
    if (definition === undefined) throw new Error(`no type is called ${name}`);
    found[name] = withUnits(contract, definition, open);
  }
  return found;
}

function withUnits(contract: Contract, schema: JsonSchema, referred: string[]): JsonSchema {
  const unit = unitOf(schema);
  const copy = mapChildren(schema, (child) => withUnits(contract, child, referred));
  if (unit !== undefined) {
    const parts = [copy.description, unit === "count" ? undefined : `Unit: ${unit}.`];
    const description = parts.filter(Boolean).join(" ");
    if (description !== "") copy.description = description;
  }
  if (copy.$ref !== undefined) {
    const name = definitionName(copy.$ref);
    if (!units.has(name)) {
      referred.push(name);
      return copy;
    }
    const { $ref: _reference, ...rest } = copy;
    return { type: contract.definitions[name]?.type ?? "number", ...rest };
  }
  return copy;
}

/** Unit of a field: that of its type, or of its type besides null. */
export function unitOf(field: JsonSchema): string | undefined {
  const references = [field, ...(field.anyOf ?? [])].flatMap((schema) => schema.$ref ?? []);
  for (const reference of references) {
    const unit = units.get(definitionName(reference));
    if (unit !== undefined) return unit;
  }
  return undefined;
}

function mapChildren(schema: JsonSchema, change: (child: JsonSchema) => JsonSchema): JsonSchema {
  const copy = { ...schema };
  if (copy.properties !== undefined) {
    const changed = Object.entries(copy.properties).map(([name, child]) => [name, change(child)]);
    copy.properties = Object.fromEntries(changed) as Record<string, JsonSchema>;
  }
  if (copy.anyOf !== undefined) {
    // a unit within an alternative is told by the field itself
    copy.anyOf = copy.anyOf.map((child) => {
      const { description: _description, ...changed } = change(child);
      return changed;
    });
  }
  if (copy.items !== undefined) copy.items = change(copy.items);
  if (typeof copy.additionalProperties === "object") {
    copy.additionalProperties = change(copy.additionalProperties);
  }
  return copy;
}
