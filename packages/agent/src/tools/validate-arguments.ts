import type { ParameterSchema } from "./tool.ts";

/**
 * What is wrong with arguments, one line each; empty when they fit. Checks type, `required`, `enum`, `minimum`,
 * `maximum`, `minLength`, `items` and `additionalProperties: false`.
 */
export function validateArguments(schema: ParameterSchema, args: unknown): string[] {
  return problemsOf(schema, args, "");
}

function problemsOf(schema: ParameterSchema, value: unknown, path: string): string[] {
  const name = path === "" ? "the arguments" : `"${path}"`;
  if (!isOfType(schema.type, value))
    return [`${name}: expected ${schema.type}, got ${typeName(value)}`];
  if (schema.enum !== undefined && !schema.enum.some((allowed) => allowed === value)) {
    return [
      `${name}: expected one of ${schema.enum.map((allowed) => JSON.stringify(allowed)).join(", ")}`,
    ];
  }
  if (typeof value === "number") return numberProblems(schema, value, name);
  if (typeof value === "string") {
    const { minLength = 0 } = schema;
    return value.length < minLength ? [`${name}: expected at least ${minLength} characters`] : [];
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined
      ? []
      : value.flatMap((item, index) => problemsOf(items, item, `${path}[${index}]`));
  }
  // What is of type object, and no array, has string keys.
  return schema.type === "object"
    ? objectProblems(schema, value as Record<string, unknown>, path)
    : [];
}

function objectProblems(
  schema: ParameterSchema,
  value: Record<string, unknown>,
  path: string,
): string[] {
  const properties = schema.properties ?? {};
  const at = (key: string): string => (path === "" ? key : `${path}.${key}`);
  const missing = (schema.required ?? [])
    .filter((key) => !Object.hasOwn(value, key))
    .map((key) => `"${at(key)}": is required`);
  const others = Object.entries(value).flatMap(([key, child]) => {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (property !== undefined) return problemsOf(property, child, at(key));
    return schema.additionalProperties === false ? [`"${at(key)}": is not a parameter`] : [];
  });
  return [...missing, ...others];
}

function numberProblems(schema: ParameterSchema, value: number, name: string): string[] {
  const { minimum = -Infinity, maximum = Infinity } = schema;
  if (value < minimum) return [`${name}: expected at least ${minimum}`];
  return value > maximum ? [`${name}: expected at most ${maximum}`] : [];
}

function isOfType(type: ParameterSchema["type"], value: unknown): boolean {
  switch (type) {
    case "integer":
      return Number.isSafeInteger(value);
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "string":
    case "boolean":
      return typeof value === type;
  }
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
