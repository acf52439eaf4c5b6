/** The demo's price table, in the shape of a price table file: prices per million tokens. The model is made up. */
export interface DemoPrices {
  readonly currency: string;
  readonly as_of: string;
  readonly prices: readonly {
    readonly model: string;
    readonly input: number;
    readonly output: number;
    readonly cache_read: number;
    readonly cache_write: number;
  }[];
}

/** Name of the demo's model. */
export const demoModelName = "demo-large";

export const demoPrices: DemoPrices = {
  currency: "USD",
  as_of: "2026-01-01",
  prices: [{ model: demoModelName, input: 2.5, output: 10, cache_read: 0.25, cache_write: 3.125 }],
};
