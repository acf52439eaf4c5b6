/** The reference page of the hooks: one table of fields for each payload, and for each object within one. */
import type { Contract, JsonSchema } from "./read-contract.ts";
import { definitionName, isAddition, stampField, units } from "./read-contract.ts";
import { unitOf } from "./schemas.ts";

const families: readonly (readonly [title: string, hooks: readonly string[]])[] = [
  ["Session", ["on_session_start", "on_session_end", "on_session_finalize", "on_session_reset"]],
  ["Turn", ["pre_llm_call", "post_llm_call"]],
  ["API request", ["pre_api_request", "post_api_request", "api_request_error"]],
  ["Tool", ["pre_tool_call", "post_tool_call"]],
  ["Human input", ["on_human_input_request", "on_human_input_resolved"]],
  ["Approval", ["pre_approval_request", "post_approval_response"]],
  ["Subagent", ["subagent_start", "subagent_stop"]],
  ["Transform (legacy)", ["transform_tool_result", "transform_llm_output"]],
];

const introduction = `# Hooks of \`hermes.observer.v1\`

Generated from the types in \`packages/core/src/contract\` by \`npm run schemas\`; do not edit. The same types as JSON
Schemas are in \`@hermes-observer/core/schemas/\`: one \`<hook>.schema.json\` per hook, \`observer-events.schema.json\`
with all of them, and \`wire-event.schema.json\` for a line of the wire form.

How to read the tables:

- **always**: the field is on every event of the hook. Hermes sends \`""\` for an id it does not have, not null.
- **null**: the field may be null, which means unknown or none as the text says, never 0.
- A type that ends in \`string\` after known values is open: real hosts send further ones.
- **ours** marks fields that only hosts of this project send everywhere. Readers work without them.
- Every event also carries \`telemetry_schema_version\`, \`"hermes.observer.v1"\`, which the dispatcher stamps on it.
- Fields that a table does not list are allowed on every event and pass through untouched.
`;

export function renderHookReference(contract: Contract): string {
  const types = new Map(contract.hooks.map((hook) => [hook.name, hook.type]));
  const parts = [introduction];
  for (const [title, hooks] of families) {
    parts.push(`## ${title}`);
    for (const name of hooks) {
      const type = types.get(name);
      if (type === undefined) throw new Error(`no such hook: ${name}`);
      types.delete(name);
      parts.push(`### \`${name}\``, ...section(contract, type));
    }
  }
  if (types.size > 0) throw new Error(`in no family: ${[...types.keys()].join(", ")}`);

  parts.push("## Objects within payloads");
  const payloads = new Set(contract.hooks.map((hook) => hook.type));
  for (const name of Object.keys(contract.definitions).toSorted()) {
    if (payloads.has(name) || contract.definitions[name]?.properties === undefined) continue;
    parts.push(`### \`${name}\``, ...section(contract, name));
  }
  return `${parts.join("\n\n")}\n`;
}

function section(contract: Contract, type: string): string[] {
  const schema = contract.definitions[type] ?? {};
  const rows = Object.entries(schema.properties ?? {})
    .filter(([name]) => name !== stampField)
    .map(([name, field]) => {
      const always = schema.required?.includes(name) === true;
      return `| ${row(contract, name, field, always).join(" | ")} |`;
    });
  const head =
    "| field | type | unit | always | null | meaning |\n| --- | --- | --- | --- | --- | --- |";
  return [schema.description ?? "", [head, ...rows].join("\n")];
}

function row(contract: Contract, name: string, field: JsonSchema, always: boolean): string[] {
  const unit = unitOf(field);
  const alternatives = alternativesOf(contract, field).filter((type) => type !== "null");
  return [
    `\`${name}\``,
    alternatives.map((type) => (type.startsWith("[") ? type : `\`${type}\``)).join(", "),
    unit === undefined || unit === "count" ? "" : unit,
    always ? "yes" : isAddition(field) ? "ours" : "",
    alternativesOf(contract, field).includes("null") ? "yes" : "",
    [field.description ?? "", described(contract, field)].filter(Boolean).join(" "),
  ].map((cell) => cell.replace(/\s*\n\s*/g, " ").replaceAll("|", "\\|"));
}

/** The types that a field may have, each as a word, a literal or a link. */
function alternativesOf(contract: Contract, schema: JsonSchema): string[] {
  if (schema.$ref !== undefined) return alternativesOfType(contract, definitionName(schema.$ref));
  if (schema.anyOf !== undefined) {
    const all = schema.anyOf.flatMap((alternative) => alternativesOf(contract, alternative));
    return [...new Set(all)];
  }
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value));
  if (schema.type === "array") {
    const item = alternativesOf(contract, schema.items ?? {}).join(" or ");
    return [item.startsWith("[") ? `[list of ${item.slice(1)}` : `list of ${item}`];
  }
  return [schema.type ?? "any"].flat();
}

function alternativesOfType(contract: Contract, name: string): string[] {
  const target = contract.definitions[name] ?? {};
  if (target.properties !== undefined) return [`[\`${name}\`](#${name.toLowerCase()})`];
  return alternativesOf(contract, target);
}

/** What the type of a field says of itself, for types that have no table of their own. */
function described(contract: Contract, field: JsonSchema): string {
  const reference = field.$ref ?? field.anyOf?.find((alternative) => alternative.$ref)?.$ref;
  if (reference === undefined) return "";
  const name = definitionName(reference);
  const target = contract.definitions[name];
  if (units.has(name) || target?.properties !== undefined) return "";
  return target?.description ?? "";
}
