import { bodyThresholdBytes, reservedKey } from "../format.ts";
import { hasBytes, isPlain, keyText, quote } from "./json-text.ts";
import { ListTrie } from "./list-trie.ts";
import { RecentNumbers } from "./recent-numbers.ts";
import type { FreshBody } from "./record-buffer.ts";
import { smallEventText } from "./small-event.ts";

const maxEntries = 16_384;
const maxListElements = 65_536;
/** From this length on a string reaches the threshold whatever it holds: two quotes come on top. */
const certainLength = bodyThresholdBytes - 2;
/** Below it a string cannot reach the threshold: a UTF-16 unit takes six bytes at most. */
const possibleLength = Math.ceil((bodyThresholdBytes - 2) / 6);
/** Up to this length a string is escaped where it is written, and only if it has to be. */
const longestRaw = 65_536;
const isReserved = (key: string): boolean => reservedKey.test(key);

/**
 * Turns payloads into stored text for one file: each sub-tree that reaches the threshold becomes a body, is stored
 * the first time and referenced by its number from then on. What is compared is always the stored text, after the
 * references inside it, so that the cost of a request that repeats the history is that of what is new in it.
 */
export class BodyEncoder {
  /** The bodies that the last `encode` found new; their numbers run on from `firstFresh`. */
  fresh: FreshBody[] = [];
  firstFresh = 0;
  #next: number;
  readonly #strings: RecentNumbers;
  readonly #objects: RecentNumbers;
  readonly #lists = new ListTrie(maxListElements);
  #byIdentity = new WeakMap<object, string>();

  constructor(next: number, maxChars: number) {
    this.#next = next;
    this.#strings = new RecentNumbers(maxEntries, maxChars);
    this.#objects = new RecentNumbers(maxEntries, maxChars);
  }

  /** Number of the next body. */
  get next(): number {
    return this.#next;
  }

  /** Characters held to recognise what was stored before. */
  get chars(): number {
    return this.#strings.chars + this.#objects.chars + this.#lists.chars;
  }

  /** Forgets what was stored. Numbers go on: none is used twice, also after a write that failed. */
  forget(): void {
    this.#strings.clear();
    this.#objects.clear();
    this.#lists.clear();
    this.#byIdentity = new WeakMap();
  }

  /** @throws what `JSON.stringify` throws: `TypeError` for a BigInt, `RangeError` for a cycle or excessive depth. */
  encode(payload: object): string {
    if (Array.isArray(payload) || !isPlain(payload))
      throw new TypeError("payload is no plain object");
    this.fresh = [];
    this.firstFresh = this.#next;
    return smallEventText(payload) ?? this.#object(payload);
  }

  #value(value: unknown): string | undefined {
    switch (typeof value) {
      case "string":
        return this.#string(value);
      case "number":
        return Number.isFinite(value) ? `${value}` : "null";
      case "boolean":
        return value ? "true" : "false";
      case "object":
        return value === null ? "null" : this.#container(value);
      case "bigint":
      case "function":
      case "symbol":
      case "undefined":
      default:
        return JSON.stringify(value);
    }
  }

  #string(value: string): string {
    if (value.length < possibleLength) return quote(value);
    const known = this.#strings.get(value);
    if (known !== undefined) return reference(known);
    const isCertain = value.length >= certainLength;
    // Lone surrogates only JSON.stringify escapes; of long strings the room for six bytes a unit would be waste.
    const isRaw = isCertain && value.length <= longestRaw && value.isWellFormed();
    const text = isRaw ? value : quote(value);
    if (!isCertain && !hasBytes(text, bodyThresholdBytes)) return text;
    const number = this.#store(text, isRaw);
    this.#strings.set(value, number);
    return reference(number);
  }

  #container(value: object): string | undefined {
    if (!isPlain(value)) return this.#converted(value);
    const known = this.#byIdentity.get(value);
    if (known !== undefined) return known;
    const text = Array.isArray(value) ? this.#list(value) : this.#bodyOrText(this.#object(value));
    // Frozen here means deep-frozen: payloads are, and what is not frozen may change under the same identity.
    if (text.startsWith('{"$body":') && Object.isFrozen(value)) this.#byIdentity.set(value, text);
    return text;
  }

  #object(value: object): string {
    let text = "{";
    for (const key of Object.keys(value)) {
      const member = this.#value((value as { readonly [key: string]: unknown })[key]);
      if (member === undefined) continue;
      text += (text === "{" ? "" : ",") + keyText(key, isReserved) + member;
    }
    return `${text}}`;
  }

  #bodyOrText(text: string): string {
    if (!hasBytes(text, bodyThresholdBytes)) return text;
    const known = this.#objects.get(text);
    if (known !== undefined) return reference(known);
    const number = this.#store(text);
    this.#objects.set(text, number);
    return reference(number);
  }

  #list(list: readonly unknown[]): string {
    const elements: string[] = [];
    let length = 1;
    for (const element of list) {
      const text = this.#value(element) ?? "null";
      elements.push(text);
      length += text.length + 1;
    }
    if (length * 3 < bodyThresholdBytes) return `[${elements.join(",")}]`;
    const prefix = this.#lists.find(elements);
    if (prefix === undefined) return this.#listText(`[${elements.join(",")}]`, elements);
    if (prefix.length === elements.length) return reference(prefix.body);
    const rest = elements.slice(prefix.length).join(",");
    const text = `[{"$items":${prefix.body}},${rest}]`;
    // With a body record due anyway, storing a short addition now is cheaper than repeating it in the next request.
    return this.fresh.length > 0 ? this.#newList(text, elements) : this.#listText(text, elements);
  }

  #listText(text: string, elements: readonly string[]): string {
    return hasBytes(text, bodyThresholdBytes) ? this.#newList(text, elements) : text;
  }

  #newList(text: string, elements: readonly string[]): string {
    const number = this.#store(text);
    this.#lists.add(elements, number);
    return reference(number);
  }

  /** Dates, boxed values and whatever else converts itself: stored as what `JSON.stringify` makes of them. */
  #converted(value: object): string | undefined {
    const text: string | undefined = JSON.stringify(value);
    return text === undefined ? undefined : this.#value(JSON.parse(text));
  }

  #store(text: string, isRawString = false): number {
    this.fresh.push({ text, isRawString });
    return this.#next++;
  }
}

function reference(number: number): string {
  return `{"$body":${number}}`;
}
