/** Anything but what `JSON.stringify` leaves as it is: controls, quotation marks, backslashes, surrogates. */
const special = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;
const keyTexts = new Map<string, string>();
const keptKeys = 4096;

/** Same text as `JSON.stringify(text)`; for short clean strings without the call into the runtime. */
export function quote(text: string): string {
  if (text.length < 64 && !special.test(text)) return `"${text}"`;
  return JSON.stringify(text);
}

/** `"key":` as it stands in stored text, one `$` more where the key would read like a reference. */
export function keyText(key: string, isReserved: (key: string) => boolean): string {
  const known = keyTexts.get(key);
  if (known !== undefined) return known;
  const text = `${quote(key.charCodeAt(0) === 36 && isReserved(key) ? `$${key}` : key)}:`;
  if (keyTexts.size < keptKeys && key.length < 64) keyTexts.set(key, text);
  return text;
}

/** Whether a JSON text has at least `limit` bytes in UTF-8; counts only where the length leaves it open. */
export function hasBytes(text: string, limit: number): boolean {
  if (text.length >= limit) return true;
  return text.length * 3 >= limit && Buffer.byteLength(text) >= limit;
}

/** Whether `JSON.stringify` treats the object member by member, without `toJSON` and without unboxing. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null && !Array.isArray(value)) return false;
  return typeof (value as { readonly toJSON?: unknown }).toJSON !== "function";
}
