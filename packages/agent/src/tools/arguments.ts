import type { ToolArguments } from "./tool.ts";

/** The text under a name; `""` when there is none. The schema has been checked before. */
export function stringAt(args: ToolArguments, name: string): string {
  const value = args[name];
  return typeof value === "string" ? value : "";
}

/** The number under a name; `undefined` when there is none. The schema has been checked before. */
export function numberAt(args: ToolArguments, name: string): number | undefined {
  const value = args[name];
  return typeof value === "number" ? value : undefined;
}
