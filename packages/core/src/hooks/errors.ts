const marker = Symbol.for("hermes-observer.error");

/** Codes of the errors that registering and configuring throw; emitting throws none. */
export type ObserverErrorCode =
  | "OBS_DUPLICATE_PLUGIN"
  | "OBS_INVALID_CALLBACK"
  | "OBS_INVALID_OPTION"
  | "OBS_INVALID_PLUGIN"
  | "OBS_NOT_A_DECIDING_HOOK"
  | "OBS_PLUGIN_FAILED"
  | "OBS_UNKNOWN_HOOK";

/** An error of registering or configuring: what was given, what was expected, how to mend it. */
export class ObserverError extends Error {
  readonly code: ObserverErrorCode;

  constructor(code: ObserverErrorCode, message: string, options?: ErrorOptions) {
    super(`${code}: ${message}`, options);
    this.name = "ObserverError";
    this.code = code;
    Object.defineProperty(this, marker, { value: true });
  }

  /** True for an `ObserverError` of any copy of this package in the process. */
  static isInstance(value: unknown): value is ObserverError {
    return typeof value === "object" && value !== null && marker in value;
  }
}
