import { bodyThresholdBytes } from "../format.ts";

/** No JSON text of a finite number is longer: `-1.2345678901234567e-308`. */
const longestNumber = 24;

/**
 * The text of an event none of whose sub-trees reaches the threshold, by one `JSON.stringify`; undefined for any
 * other event, and for one with a key that would read like a reference.
 */
export function smallEventText(payload: object): string | undefined {
  const largest = largestMember(payload, asciiSize);
  if (largest >= bodyThresholdBytes) return undefined;
  const text = JSON.stringify(payload);
  // A single character is searched several times faster than the pair.
  if (text.includes("$") && text.includes('"$')) return undefined;
  const extra = Buffer.byteLength(text) - text.length + escapeBytes(text);
  if (largest + extra < bodyThresholdBytes) return text;
  return largestMember(payload, escapedSize) < bodyThresholdBytes ? text : undefined;
}

/** At least what escapes add to the sizes that `asciiSize` counts. */
function escapeBytes(text: string): number {
  let bytes = 0;
  let at = text.indexOf("\\");
  while (at !== -1 && bytes < bodyThresholdBytes) {
    bytes += text.charCodeAt(at + 1) === 117 ? 5 : 1;
    at = text.indexOf("\\", at + 2);
  }
  return bytes;
}

/** A bound for the bytes of the largest sub-tree; not exact once it has passed the threshold. */
function largestMember(container: object, sizeOf: (text: string) => number): number {
  let largest = 0;
  for (const key in container) {
    const value: unknown = (container as { readonly [key: string]: unknown })[key];
    let size = 0;
    if (typeof value === "string") size = sizeOf(value);
    else if (typeof value === "object" && value !== null) size = boundOf(value, sizeOf);
    if (size > largest) largest = size;
    if (largest >= bodyThresholdBytes) return largest;
  }
  return largest;
}

/** An upper bound of the text's bytes; not exact once it has passed the threshold. */
function boundOf(container: object, sizeOf: (text: string) => number): number {
  let bound = 2;
  if (Array.isArray(container)) {
    for (const value of container) {
      bound += 1 + boundOfValue(value, sizeOf);
      if (bound >= bodyThresholdBytes) return bound;
    }
    return bound;
  }
  for (const key in container) {
    const value: unknown = (container as { readonly [key: string]: unknown })[key];
    bound += sizeOf(key) + 2 + boundOfValue(value, sizeOf);
    if (bound >= bodyThresholdBytes) return bound;
  }
  return bound;
}

function boundOfValue(value: unknown, sizeOf: (text: string) => number): number {
  if (typeof value === "string") return sizeOf(value);
  return typeof value === "object" && value !== null ? boundOf(value, sizeOf) : longestNumber;
}

function asciiSize(text: string): number {
  return text.length + 2;
}

function escapedSize(text: string): number {
  if (text.length + 2 >= bodyThresholdBytes) return text.length + 2;
  let size = 2;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 34 || unit === 92) size += 2;
    else if (unit < 32 || (unit >= 0xd800 && unit <= 0xdfff)) size += 6;
    else if (unit < 128) size += 1;
    else size += unit < 2048 ? 2 : 3;
  }
  return size;
}
