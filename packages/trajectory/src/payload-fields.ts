/*
 * Tolerant reading of payload fields. Real streams break the types of the contract, so every field is `unknown` until
 * one of these has looked at it, and none of them throws.
 */

/** Text of an id or label; a number counts as its digits, everything else as absent (`""`). */
export function asText(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" && Number.isFinite(value) ? String(value) : "";
}

/** A finite number, or null. */
export function asNumber(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** A boolean, or null when the field is absent or something else. */
export function asFlag(value: unknown): boolean | null {
  return typeof value === "boolean" ? value : null;
}

/** A JSON object (no list), or null. */
export function asObject(value: unknown): { readonly [field: string]: unknown } | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  return value as { readonly [field: string]: unknown }; // an object that is no list may be read by field
}

/**
 * The first `max` UTF-16 units of a text, never half a surrogate pair, in memory of its own: a plain slice would keep
 * the whole text (a prompt, a file) alive for as long as the node lives.
 */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 2);
  const end = last >= 0xd800 && last <= 0xdbff ? max - 2 : max - 1;
  return JSON.parse(JSON.stringify(`${text.slice(0, end)}…`)) as string; // a string parses to a string
}

/** Text of a value for a one-line preview: itself, or the first text inside a list or object. */
export function previewOf(value: unknown, max: number): string {
  return clip(firstText(value, 3), max);
}

/** Depth first, a `text` field before the others, within few levels and fields: previews are made for every call. */
function firstText(value: unknown, levels: number): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "object" || value === null || levels === 0) return "";
  const fields = asObject(value);
  const parts: readonly unknown[] =
    fields === null ? Object.values(value) : [fields["text"], ...Object.values(fields)];
  for (const part of parts.slice(0, 16)) {
    const text = firstText(part, levels - 1);
    if (text !== "") return text;
  }
  return "";
}
