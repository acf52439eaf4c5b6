/** How far a producer can fire one hook: so that "not seen" and "did not happen" differ. */
export type Capability = "full" | "partial" | "never";

/** Capability of a producer by hook name; a hook that is not listed is unknown, not "never". */
export type CapabilityRow = Readonly<Record<string, Capability>>;

/** Who makes the events: a host or an adapter. */
export interface Producer {
  readonly name: string;
  readonly version: string;
  readonly capabilities?: CapabilityRow;
}
