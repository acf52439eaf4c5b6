import { contentExtra, itemPrice, keyExtra, textExtra, valueExtra } from "./byte-cost.ts";
import type { SanitizeLimits } from "./limits.ts";

/** JSON never needs more bytes than this for one UTF-16 unit. */
const mostBytesPerUnit = 6;

/** What a container holds while it is built. */
export interface Content {
  /** What its children cost so far, beyond the price of their own places. */
  extra(): number;
}

/**
 * The nodes and bytes that one sanitised value may still take.
 *
 * A container pays for the places of all its children when it is entered, so that a marker always fits in a place
 * already paid for, and what was accepted once is accepted again: the cost of the result never exceeds the limit, and
 * nothing is cut unless the cost would exceed it. Counting bytes means reading every character, so at first an upper
 * bound is added up; only when that reaches the limit is what is there counted, and from then on everything.
 */
export class Budget {
  #nodes: number;
  #bytes: number;
  #bound = 0;
  #isExact = false;
  /** The containers that are open, and what each paid for its places. */
  readonly #open: (Content | unknown[])[] = [];
  readonly #paid: number[] = [];
  /** Values that were built before their turn and are not in their container yet. */
  readonly #early: unknown[] = [];

  constructor(limits: SanitizeLimits) {
    this.#nodes = limits.nodes - 1;
    this.#bytes = limits.totalBytes - itemPrice;
  }

  /** Pays for as many of `wanted` places in `content` as can be had, opens it, and says how many; 0 opens nothing. */
  open(wanted: number, price: number, content: Content | unknown[]): number {
    let places = Math.min(wanted, this.#nodes);
    if (this.#mustCount(places * price)) {
      places = Math.min(places, Math.floor(this.#bytes / price));
      this.#bytes -= places * price;
    }
    if (places === 0 && wanted > 0) return 0;
    this.#nodes -= places;
    this.#open.push(content);
    this.#paid.push(places * price);
    return places;
  }

  /** The upper bound, in bytes; infinite where it is no longer kept. */
  get bound(): number {
    return this.#isExact ? Infinity : this.#bound;
  }

  /** How many containers are open. */
  get depth(): number {
    return this.#paid.length;
  }

  /** Closes the containers opened since there were `depth` of them. */
  closeTo(depth: number): void {
    while (this.#paid.length > depth) {
      this.#paid.pop();
      this.#open.pop();
    }
  }

  /** Tells of a value of an open container that is finished before its turn. */
  holdEarly(value: unknown): void {
    this.#early.push(value);
  }

  /** Tells that a value that was held is about to take its place. */
  placeEarly(value: unknown): void {
    this.#early.splice(this.#early.indexOf(value), 1);
  }

  /** Whether a text of so many units cannot be afforded, whatever it holds. */
  isBeyond(units: number): boolean {
    return this.#isExact && units + 3 - itemPrice > this.#bytes;
  }

  /** Pays for a string; false if it cannot be afforded. */
  payText(text: string): boolean {
    if (!this.#mustCount(text.length * mostBytesPerUnit)) return true;
    return this.#pay(textExtra(text, this.#bytes));
  }

  /** Pays for the key of a value that is finished and paid for; false if the key cannot be afforded. */
  payKey(key: string, value: unknown): boolean {
    if (!this.#mustCount(key.length * mostBytesPerUnit, value)) return true;
    return this.#pay(keyExtra(key, this.#bytes));
  }

  #pay(cost: number): boolean {
    if (cost > this.#bytes) return false;
    this.#bytes -= cost;
    return true;
  }

  /** Adds to the upper bound; true once that no longer says that everything fits. */
  #mustCount(bound: number, unplaced?: unknown): boolean {
    if (this.#isExact) return true;
    this.#bound += bound;
    if (this.#bound <= this.#bytes) return false;
    this.#countAll(unplaced);
    return true;
  }

  #countAll(unplaced: unknown): void {
    this.#isExact = true;
    for (const paid of this.#paid) this.#bytes -= paid;
    for (const content of this.#open) {
      this.#bytes -= Array.isArray(content) ? contentExtra(content) : content.extra();
    }
    this.#bytes -= valueExtra(unplaced);
    for (const value of this.#early) this.#bytes -= valueExtra(value);
  }
}
