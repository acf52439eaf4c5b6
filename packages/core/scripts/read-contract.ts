/** Reads the contract's types into JSON Schema definitions, and notes what the plain schema cannot say: units. */
import { fileURLToPath } from "node:url";
import { createGenerator } from "ts-json-schema-generator";
import { hookNames } from "../src/contract/events.ts";

/** A JSON Schema, draft-07, as far as the contract's types need it. */
export interface JsonSchema {
  $schema?: string;
  $id?: string;
  $ref?: string;
  title?: string;
  description?: string;
  deprecated?: boolean | string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  if?: JsonSchema;
  then?: JsonSchema;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  definitions?: Record<string, JsonSchema>;
}

export interface Hook {
  readonly name: string;
  /** Name of the payload's type. */
  readonly type: string;
}

export interface Contract {
  readonly hooks: readonly Hook[];
  /** Types by name, units still as references to their aliases. */
  readonly definitions: Readonly<Record<string, JsonSchema>>;
}

/** Aliases of `number` that stand for a unit, and how it is called in prose. */
export const units: ReadonlyMap<string, string> = new Map([
  ["EpochSeconds", "epoch seconds"],
  ["Seconds", "seconds"],
  ["Milliseconds", "milliseconds"],
  ["Tokens", "tokens"],
  ["Characters", "characters"],
  ["Bytes", "bytes"],
  ["Count", "count"],
]);

/** Says of a field that only our hosts send it: each field of `additions.ts` carries these words, and no other. */
const additionMarker = "readers must not need it";

/** The field that the dispatcher puts on every payload. */
export const stampField = "telemetry_schema_version";

const eventMap = "ObserverEvents";

export function readContract(): Contract {
  const generated = createGenerator({
    path: fileURLToPath(new URL("../src/contract/events.ts", import.meta.url)),
    tsconfig: fileURLToPath(new URL("../tsconfig.json", import.meta.url)),
    type: eventMap,
    additionalProperties: true,
    sortProps: false,
    topRef: false,
    // `tsc -b` checks the types; here a second, slower check would say the same
    skipTypeCheck: true,
  }).createSchema(eventMap) as JsonSchema;

  const definitions: Record<string, JsonSchema> = {};
  for (const [name, definition] of Object.entries(generated.definitions ?? {})) {
    definitions[name] = tidied(definition);
  }
  const hooks = hookNames.map((name) => {
    const reference = generated.properties?.[name]?.$ref;
    if (reference === undefined) throw new Error(`the event map has no payload type for ${name}`);
    return { name, type: definitionName(reference) };
  });
  return { hooks, definitions };
}

export function isAddition(field: JsonSchema): boolean {
  return field.description?.includes(additionMarker) === true;
}

export function definitionName(reference: string): string {
  return decodeURIComponent(reference.slice("#/definitions/".length));
}

/** Puts a schema as the generator makes it into the form that is read and shipped. */
function tidied(schema: JsonSchema): JsonSchema {
  const { properties, items, additionalProperties, deprecated, ...copy } = withAlternatives(schema);
  const description = [copy.description, typeof deprecated === "string" ? deprecated : ""]
    .map(joined)
    .filter((part) => part !== "")
    .join(" ");
  if (description === "") delete copy.description;
  else copy.description = description;

  return {
    ...copy,
    ...(deprecated !== undefined && { deprecated: true }),
    ...(properties !== undefined && { properties: ordered(properties) }),
    ...(items !== undefined && { items: tidied(items) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === "object"
          ? tidied(additionalProperties)
          : additionalProperties,
    }),
  };
}

/** Fields in reading order: the contract's own, then our additions, then the stamp. */
function ordered(properties: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const fields = Object.entries(properties).map(([name, field]) => [name, tidied(field)] as const);
  return Object.fromEntries(fields.toSorted((a, b) => rank(a) - rank(b)));
}

function rank([name, field]: readonly [string, JsonSchema]): number {
  if (name === stampField) return 2;
  return isAddition(field) ? 1 : 0;
}

/**
 * One form for every union: known strings in one `enum`, other strings and null beside it. A list of types would be
 * shorter, but ajv warns about one unless it is told not to.
 */
function withAlternatives(schema: JsonSchema): JsonSchema {
  const { anyOf, type, ...rest } = schema;
  if (Array.isArray(type)) {
    return { ...rest, anyOf: type.map((word) => ({ type: word })) };
  }
  if (anyOf === undefined) return { ...schema };

  const literals = anyOf.flatMap((alternative) =>
    alternative.const === undefined ? (alternative.enum ?? []) : [alternative.const],
  );
  const others = anyOf
    .filter((alternative) => alternative.const === undefined && alternative.enum === undefined)
    .map((alternative) =>
      alternative.$ref === "#/definitions/OpenString" ? { type: "string" } : tidied(alternative),
    );
  const known = literals.length > 0 ? [{ type: "string", enum: literals }] : [];
  return { ...rest, anyOf: [...known, ...others] };
}

/** Doc comments wrap where the source file does; a description keeps only its paragraphs. */
function joined(description: string | undefined): string {
  return (description ?? "")
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s*\n\s*/g, " ").trim())
    .join("\n\n");
}
