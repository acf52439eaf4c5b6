import type { Workspace } from "./workspace.ts";

/** The part of JSON Schema that tool parameters are described with, and that is checked. */
export interface ParameterSchema {
  readonly type: "string" | "integer" | "number" | "boolean" | "array" | "object";
  readonly description?: string;
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly items?: ParameterSchema;
  readonly properties?: Readonly<Record<string, ParameterSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}

/** Arguments that fit the tool's schema. */
export type ToolArguments = Record<string, unknown>;

/** How a call ended. `result` is what the model is told. */
export type ToolOutcome =
  | { readonly status: "ok"; readonly result: string }
  | {
      readonly status: "error" | "blocked" | "cancelled" | "timeout";
      readonly result: string;
      /** Kind of the failure: `tool_error`, `tool_timeout`, `approval_denied`, … */
      readonly errorType: string;
      /** One line for whoever looks at the run. */
      readonly message: string;
    };

/** Something about a call that needs a human's yes. */
export interface Danger {
  readonly patternKey: string;
  readonly description: string;
}

/** Work for a child agent. */
export interface DelegatedTask {
  readonly goal: string;
  readonly role: "leaf" | "orchestrator";
}

/** What a tool may use while it runs. */
export interface ToolContext {
  /** Aborts when the turn is interrupted or the tool's time is over. */
  readonly signal: AbortSignal;
  readonly workspace: Workspace;
  /** Runs a child agent to its end. */
  delegate(task: DelegatedTask): Promise<ToolOutcome>;
}

/**
 * A tool.
 *
 * **Contract:** `run` gets arguments that fit `parameters` and should stop soon after its signal aborts; a tool that
 * does not is left behind. What it throws becomes the outcome `error`. Its results must not hold what differs from
 * run to run (absolute paths, times, random names), or a run cannot be repeated.
 */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: ParameterSchema;
  /** True for a tool that keeps its own time. */
  readonly hasOwnDeadline?: boolean;
  /** Text of the call that a human is shown with `dangers`. */
  commandOf?(args: ToolArguments): string;
  /** What of this call needs a human's yes. */
  dangers?(args: ToolArguments): readonly Danger[];
  run(args: ToolArguments, context: ToolContext): Promise<ToolOutcome>;
}
