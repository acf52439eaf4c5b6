import type { TurnScope } from "./context.ts";
import type { Handle } from "./handle.ts";

/** Where something that a turn or a tool call started lies: what closes it, and the ids that its events carry. */
export interface Place {
  readonly parent: Handle;
  readonly turn: TurnScope;
  /** The tool call that it belongs to. */
  readonly tool_call_id?: string;
  /** The wait for a human that it belongs to. */
  readonly request_id?: string;
}
