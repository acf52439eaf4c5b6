import { BrokenReference, type BodyStore } from "./body-store.ts";

/** A reference, or a key that was escaped because it looks like one. */
const token = /\{"\$(body|items)":(\d+)\}|[{,]"\$\$+(?:body|items)":/g;
const listReference = /^\[\{"\$items":(\d+)\}/;
const cacheChars = 16 * 1024 * 1024;

/**
 * Turns stored text into the text that was recorded, by replacing references with what they refer to. A quotation
 * mark cannot stand unescaped inside a JSON string, so that a reference is found without parsing.
 */
export class Expander {
  readonly #bodies: BodyStore;
  readonly #maxChars: number;
  /** Expanded texts, least recently used first. */
  readonly #cache = new Map<number, string>();
  #cached = 0;

  constructor(bodies: BodyStore, maxChars: number) {
    this.#bodies = bodies;
    this.#maxChars = maxChars;
  }

  /** @throws BrokenReference; RangeError when references nest deeper than any payload can. */
  expand(stored: string, below: number = Number.POSITIVE_INFINITY): string {
    if (!stored.includes('"$')) return stored;
    let text = "";
    let done = 0;
    for (const match of stored.matchAll(token)) {
      const { 0: found, 1: kind, 2: digits, index } = match;
      text += stored.slice(done, index);
      done = index + found.length;
      if (kind === undefined) {
        text += found.slice(0, 2) + found.slice(3);
      } else {
        const body = this.#body(Number(digits), below);
        text += kind === "items" ? body.slice(1, -1) : body;
      }
      this.#bound(text.length);
    }
    this.#bound(text.length + stored.length - done);
    return text + stored.slice(done);
  }

  #body(number: number, below: number): string {
    const known = this.#cache.get(number);
    if (known !== undefined && number < below) return this.#remember(number, known);
    // A list that continues another one may be the last of thousands: this is a loop, not a recursion.
    const additions: string[] = [];
    let next = number;
    let limit = below;
    let base: string | undefined;
    while (base === undefined) {
      if (next >= limit) throw new BrokenReference("missing_body", `body ${next} comes too late`);
      base = this.#cache.get(next);
      if (base !== undefined) break;
      const stored = this.#bodies.text(next);
      const list = listReference.exec(stored);
      if (list === null) {
        base = this.expand(stored, next);
        break;
      }
      additions.push(this.expand(stored.slice(list[0].length, -1), next));
      limit = next;
      next = Number(list[1]);
    }
    if (additions.length === 0) return this.#remember(number, base);
    const text = `${base.slice(0, -1)}${additions.reverse().join("")}]`;
    this.#bound(text.length);
    return this.#remember(number, text);
  }

  #bound(length: number): void {
    if (length <= this.#maxChars) return;
    throw new BrokenReference("too_large", "the payload expands to more than the reader takes");
  }

  #remember(number: number, text: string): string {
    if (this.#cache.delete(number)) this.#cached -= text.length;
    if (text.length > cacheChars / 2) return text;
    this.#cache.set(number, text);
    this.#cached += text.length;
    for (const [oldest, held] of this.#cache) {
      if (this.#cached <= cacheChars) break;
      this.#cache.delete(oldest);
      this.#cached -= held.length;
    }
    return text;
  }
}
