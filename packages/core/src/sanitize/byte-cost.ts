/** What a value in a list is charged at least: any marker fits into it. */
export const itemPrice = 48;
/** What a value under a key is charged at least, key included: any marker under the marker's key fits into it. */
export const entryPrice = 64;
const keyPrice: number = entryPrice - itemPrice;

/** Bytes of the text as JSON in UTF-8, without quotes; counting stops somewhere above `enough`. */
function jsonBytes(text: string, enough: number): number {
  let bytes = 0;
  for (let index = 0; index < text.length && bytes <= enough; index++) {
    bytes += unitBytes(text.charCodeAt(index));
  }
  return bytes;
}

/** Backspace, tab, line feed, form feed, return, quote, backslash: written with one backslash before them. */
const shortEscapes = new Set([8, 9, 10, 12, 13, 34, 92]);

/** One UTF-16 unit; a surrogate is half of four bytes. */
function unitBytes(code: number): number {
  if (code < 0x80) {
    if (shortEscapes.has(code)) return 2;
    return code < 0x20 ? 6 : 1;
  }
  if (code < 0x800) return 2;
  return code >= 0xd800 && code <= 0xdfff ? 2 : 3;
}

/** What a string costs beyond the price of its place: quotes and comma are in it. */
export function textExtra(text: string, enough: number): number {
  return Math.max(0, jsonBytes(text, enough + itemPrice) + 3 - itemPrice);
}

/** What a key costs beyond the price of its place: quotes and colon are in it. */
export function keyExtra(key: string, enough: number): number {
  return Math.max(0, jsonBytes(key, enough + keyPrice) + 3 - keyPrice);
}

/** What the first `count` children of a container cost beyond the price of their own places. */
export function contentExtra(container: object, count: number = Infinity): number {
  let cost = 0;
  if (Array.isArray(container)) {
    for (const item of container.slice(0, count)) cost += valueExtra(item);
    return cost;
  }
  for (const [key, value] of Object.entries(container).slice(0, count)) {
    cost += keyExtra(key, Infinity) + valueExtra(value);
  }
  return cost;
}

/** What a finished value costs beyond the price of its own place. */
export function valueExtra(value: unknown): number {
  if (typeof value === "string") return textExtra(value, Infinity);
  if (typeof value !== "object" || value === null) return 0;
  const places = Array.isArray(value)
    ? value.length * itemPrice
    : Object.keys(value).length * entryPrice;
  return places + contentExtra(value);
}
