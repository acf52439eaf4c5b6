/** A JSON object as it stands in an event: sanitised, deep-frozen, fields named as the contract spells them. */
export type Payload = { readonly [field: string]: unknown };

/**
 * What the dispatcher knows of one event: made once, before the first observer, and handed to each.
 *
 * **Contract:** observers take time and identity from here and nowhere else, so that a replay that passes the
 * recorded envelope gives the same result as the live run.
 */
export interface Envelope {
  /** Key of the event in every store. Our own writers make `<writer>:<n>`; ids of other producers are opaque. */
  readonly id: string;
  /** When the event was emitted, in epoch seconds. */
  readonly at: number;
  /** Name of the hook, also one that this version of the contract does not know. */
  readonly hook: string;
}

/** One event with its envelope: what the journal stores, and what a line of the wire form becomes on the way in. */
export interface EventRecord extends Envelope {
  readonly payload: Payload;
}
