import type { Content } from "./budget.ts";
import { contentExtra } from "./byte-cost.ts";
import { type KeyText, type KeyTexts, placeKey } from "./key-texts.ts";

/** A plain object that is being built. */
export type Fields = Record<PropertyKey, unknown>;

const noNames: readonly string[] = [];
const noFields: Fields = Object.freeze({});

/**
 * The fields of one object of the result, while they are found. As long as they are those of an earlier result, in
 * the same order, nothing is built; if they are to the end, the earlier object is the result.
 */
export class FieldsFilling implements Content {
  /** The flags of all keys so far. */
  flags = 0;
  /** Values that were built before their turn, by position. */
  early: Map<number, unknown> | undefined;
  readonly #known: Fields;
  readonly #names: readonly string[];
  /** How many fields are those of the earlier result, and which of its fields comes next. */
  #alike = 0;
  #next = 0;
  /** Undefined as long as all fields are those of the earlier result. */
  #out: Fields | undefined;
  #numbers: Map<string, number> | undefined;

  constructor(before: unknown) {
    const known = asFields(before);
    this.#known = known ?? noFields;
    this.#names = known === undefined ? noNames : Object.keys(known);
    this.#out = known === undefined ? {} : undefined;
  }

  /** The key under which the value of `name` is to be placed: one that was changed must not hide another. */
  key(name: string, texts: KeyTexts): KeyText {
    const key = texts.of(name);
    if (key.text === name && this.#numbers === undefined) return key;
    this.#numbers ??= new Map();
    return placeKey(key, this.written(), this.#numbers, texts);
  }

  /** What stood under this key in the earlier result. */
  before(key: string): unknown {
    if (this.#names.length === 0) return undefined;
    const isNext = this.#names[this.#next] === key;
    return isNext || Object.hasOwn(this.#known, key) ? this.#known[key] : undefined;
  }

  /** Adds a field. */
  add(key: KeyText, value: unknown): void {
    this.flags |= key.flags;
    if (this.#names[this.#next] === key.text) this.#next += 1;
    if (this.#out === undefined && this.#isAsBefore(key.text, value)) return;
    place(this.written(), key.text, value);
  }

  /** The object as far as it is; from here on it is built. */
  written(): Fields {
    if (this.#out !== undefined) return this.#out;
    const out: Fields = {};
    for (const name of this.#names.slice(0, this.#alike)) place(out, name, this.#known[name]);
    this.#out = out;
    return out;
  }

  /** What the fields so far cost beyond the price of their places. */
  extra(): number {
    return this.#out === undefined
      ? contentExtra(this.#known, this.#alike)
      : contentExtra(this.#out);
  }

  /** The object, frozen. */
  finish(): Fields {
    const isAsBefore = this.#out === undefined && this.#alike === this.#names.length;
    return isAsBefore ? this.#known : Object.freeze(this.written());
  }

  #isAsBefore(key: string, value: unknown): boolean {
    if (this.#names[this.#alike] !== key || this.#known[key] !== value) return false;
    this.#alike += 1;
    return true;
  }
}

function asFields(before: unknown): Fields | undefined {
  if (typeof before !== "object" || before === null || Array.isArray(before)) return undefined;
  // Earlier results hold no other objects than plain ones.
  return before as Fields;
}

/** Assigning `__proto__` would set the prototype. */
function place(out: Fields, key: string, value: unknown): void {
  if (key !== "__proto__") {
    out[key] = value;
    return;
  }
  Object.defineProperty(out, key, { value, writable: true, enumerable: true, configurable: true });
}
