import { cutPart, cutWhole, cycle, unreadable } from "./markers.ts";
import { lengthOf } from "./object-reading.ts";
import type { ReportCounters } from "./report.ts";

/** What stands in the result instead of what cannot stand there; each is counted. */
export class Replacements {
  readonly #counters: ReportCounters;

  constructor(counters: ReportCounters) {
    this.#counters = counters;
  }

  /** A number that JSON has. */
  number(value: number): number | string {
    // -0 has no form of its own in JSON.
    if (Number.isFinite(value)) return value === 0 ? 0 : value;
    this.#counters.converted("number");
    return String(value);
  }

  /** A reference to an object that the value stands in. */
  cycle(): string {
    this.#counters.cycle();
    return cycle;
  }

  /** The marker of a list of which items were left out. */
  cutItems(removed: number, total: number): string {
    this.#counters.cut("list");
    return cutPart(removed, total, "items");
  }

  /** One property; a marker when reading it throws. */
  read(source: object, key: PropertyKey): unknown {
    try {
      // Whatever it is: reading a property of an object is allowed, and what comes of it is not trusted.
      return (source as Record<PropertyKey, unknown>)[key];
    } catch {
      this.#counters.unreadable();
      return unreadable;
    }
  }

  /** A container of which nothing fits any more. */
  tooMuch(total: number, unit: "items" | "keys"): string {
    this.#counters.cut("total");
    return cutWhole(total, unit);
  }

  /** A container that lies too deep. */
  tooDeep(value: object): string {
    this.#counters.cut("depth");
    try {
      if (Array.isArray(value)) return cutWhole(lengthOf(value), "items");
      return cutWhole(Object.keys(value).length, "keys");
    } catch {
      this.#counters.unreadable();
      return unreadable;
    }
  }
}
