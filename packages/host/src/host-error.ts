const marker = Symbol.for("hermes-observer.host-error");

/** Codes of the errors of this package. */
export type HostErrorCode =
  | "HOST_NO_HOME"
  | "HOST_PLUGIN_FAILED"
  | "HOST_PLUGIN_INVALID"
  | "HOST_PLUGIN_NOT_FOUND";

/** An error of setting a host up: what was given, what was expected, how to mend it. */
export class HostError extends Error {
  readonly code: HostErrorCode;

  constructor(code: HostErrorCode, message: string, options?: ErrorOptions) {
    super(`${code}: ${message}`, options);
    this.name = "HostError";
    this.code = code;
    Object.defineProperty(this, marker, { value: true });
  }

  /** True for a `HostError` of any copy of this package in the process. */
  static isInstance(value: unknown): value is HostError {
    return typeof value === "object" && value !== null && marker in value;
  }
}
