/** What every payload carries, whatever its hook. */
export interface Stamped {
  /**
   * Version of the contract, `hermes.observer.v1`. Stamped by the dispatcher on every payload; callers leave it out.
   * Real Hermes leaves it off one hook outside the specification (`gateway_platform_event`).
   */
  readonly telemetry_schema_version?: string;
}
