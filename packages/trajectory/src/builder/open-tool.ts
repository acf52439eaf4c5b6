import type { Entry, Scope } from "./entry.ts";
import { toolSlot } from "./filing.ts";
import type { ToolFields } from "./node-fields.ts";

/** First open call of that id in a turn, for what waits inside it. */
export function openToolIn(scope: Scope, toolCallId: string): Entry<ToolFields> | null {
  if (toolCallId === "") return null;
  return scope.tools.get(toolSlot(toolCallId, ""))?.[0] ?? null;
}
