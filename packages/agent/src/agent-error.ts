const marker = Symbol.for("hermes-observer.agent-error");

/** Codes of the errors that setting an agent or a model server up can throw; a running turn throws none of them. */
export type AgentErrorCode =
  | "AGENT_INVALID_MODEL"
  | "AGENT_INVALID_OPTION"
  | "AGENT_INVALID_SCRIPT"
  | "AGENT_NO_API_KEY"
  | "AGENT_PATH_REFUSED"
  | "AGENT_SCRIPT_MISMATCH"
  | "AGENT_SESSION_BUSY"
  | "AGENT_SESSION_CLOSED";

/** An error of using this package: what was given, what was expected, how to mend it. */
export class AgentError extends Error {
  readonly code: AgentErrorCode;

  constructor(code: AgentErrorCode, message: string, options?: ErrorOptions) {
    super(`${code}: ${message}`, options);
    this.name = "AgentError";
    this.code = code;
    Object.defineProperty(this, marker, { value: true });
  }

  /** True for an `AgentError` of any copy of this package in the process. */
  static isInstance(value: unknown): value is AgentError {
    return typeof value === "object" && value !== null && marker in value;
  }
}
