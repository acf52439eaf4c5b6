import type { Content } from "./budget.ts";
import { contentExtra } from "./byte-cost.ts";
import { prototypeName } from "./key-rules.ts";
import { type KeyText, type KeyTexts, placeKey } from "./key-texts.ts";

/** A plain object that is being built. */
export type Fields = Record<PropertyKey, unknown>;

const noNames: readonly string[] = [];

/**
 * The fields of one object of the result, while they are found. As long as they are those of an earlier result, in
 * the same order, nothing is built; if they are to the end, the earlier object is the result.
 */
export class FieldsFilling implements Content {
  /** The flags of all keys so far. */
  flags = 0;
  /** Values that were built before their turn, by position. */
  early: Map<number, unknown> | undefined;
  readonly #known: Fields | undefined;
  readonly #names: readonly string[];
  /** How many fields are those of the earlier result, and which of its fields comes next. */
  #alike = 0;
  #next = 0;
  #out: Fields | undefined;
  #numbers: Map<string, number> | undefined;

  constructor(before: unknown) {
    this.#known = asFields(before);
    this.#names = this.#known === undefined ? noNames : Object.keys(this.#known);
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
    const known = this.#known;
    if (known === undefined) return undefined;
    return this.#names[this.#next] === key || Object.hasOwn(known, key) ? known[key] : undefined;
  }

  /** Adds a field. */
  add(key: KeyText, value: unknown): void {
    this.flags |= key.flags;
    if (this.#names[this.#next] === key.text) this.#next += 1;
    if (this.#out === undefined && this.#isAsBefore(key.text, value)) return;
    if ((key.flags & prototypeName) === 0) this.written()[key.text] = value;
    else defineField(this.written(), key.text, value);
  }

  /** The object as far as it is; from here on it is built. */
  written(): Fields {
    if (this.#out !== undefined) return this.#out;
    const out: Fields = {};
    const known = this.#known ?? out;
    for (let index = 0; index < this.#alike; index++) {
      const name = this.#names[index] as string;
      if (name === "__proto__") defineField(out, name, known[name]);
      else out[name] = known[name];
    }
    this.#out = out;
    return out;
  }

  /** What the fields so far cost beyond the price of their places. */
  extra(): number {
    if (this.#out !== undefined) return contentExtra(this.#out);
    return this.#known === undefined ? 0 : contentExtra(this.#known, this.#alike);
  }

  /** The object, frozen. */
  finish(): Fields {
    const known = this.#known;
    if (this.#out === undefined && known !== undefined && this.#alike === this.#names.length)
      return known;
    return Object.freeze(this.written());
  }

  #isAsBefore(key: string, value: unknown): boolean {
    const known = this.#known;
    if (known === undefined || this.#names[this.#alike] !== key || known[key] !== value)
      return false;
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
function defineField(out: Fields, key: string, value: unknown): void {
  Object.defineProperty(out, key, { value, writable: true, enumerable: true, configurable: true });
}
