/** Everything that is generated from the contract's types: the JSON Schemas and the reference page of the hooks. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format } from "oxfmt";
import { renderHookReference } from "./hook-reference.ts";
import { readContract } from "./read-contract.ts";
import type { JsonSchema } from "./read-contract.ts";
import { hookSchema, mapSchema, wireSchema } from "./schemas.ts";

export const repositoryRoot: string = fileURLToPath(new URL("../../../", import.meta.url));
export const schemasFolder = "packages/core/schemas";
const referencePage = "docs/reference/hooks.md";

/** Path from the root of the repository → text of the file, formatted as the repository is. */
export async function contractFiles(): Promise<ReadonlyMap<string, string>> {
  const contract = readContract();
  const schemas: [string, JsonSchema][] = contract.hooks.map((hook) => [
    `${hook.name}.schema.json`,
    hookSchema(contract, hook),
  ]);
  schemas.push(["observer-events.schema.json", mapSchema(contract)]);
  schemas.push(["wire-event.schema.json", wireSchema(contract)]);

  const files = new Map<string, string>();
  for (const [name, schema] of schemas) {
    const path = `${schemasFolder}/${name}`;
    files.set(path, await formatted(path, JSON.stringify(schema, null, 2)));
  }
  files.set(referencePage, await formatted(referencePage, renderHookReference(contract)));
  return files;
}

async function formatted(path: string, text: string): Promise<string> {
  const options: unknown = JSON.parse(readFileSync(`${repositoryRoot}.oxfmtrc.json`, "utf8"));
  const result = await format(path, text, options as Parameters<typeof format>[2]);
  if (result.errors.length > 0) throw new Error(`${path}: ${JSON.stringify(result.errors)}`);
  return result.code;
}
