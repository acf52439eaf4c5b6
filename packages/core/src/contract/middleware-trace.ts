/** One middleware that touched a request or a tool call before its `pre_` hook fired. */
export interface MiddlewareTraceEntry {
  /** Who registered it, for example a plugin key. */
  readonly source?: string;
  /** Why it acted, in its own words. Some entries carry only `source`. */
  readonly reason?: string | null;
  /** Name of the middleware. */
  readonly name?: string | null;
}
