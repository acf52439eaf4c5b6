/** The length of a list; a Proxy may say anything. */
export function lengthOf(list: readonly unknown[]): number {
  const length: unknown = list.length;
  return typeof length === "number" && length >= 0 ? Math.min(Math.floor(length), 2 ** 32 - 1) : 0;
}

/** Whether the last item of a list makes it a list of messages. */
export function hasRole(item: unknown): boolean {
  try {
    return typeof item === "object" && item !== null && "role" in item;
  } catch {
    // What cannot be looked at is no message.
    return false;
  }
}

/** Whether an object is what `{}` makes, or has no prototype. */
export function isPlainObject(value: object): boolean {
  try {
    const prototype: unknown = Object.getPrototypeOf(value);
    return prototype === Object.prototype || prototype === null;
  } catch {
    // A Proxy that hides its prototype may have fields all the same.
    return false;
  }
}

/**
 * What the object's `toJSON` returns, called once; the object itself if it has none or it throws. A getter of this
 * name is not called where it is a field of the object, because the field is read later.
 */
export function jsonOf(value: object): unknown {
  try {
    const method: unknown = Object.hasOwn(value, "toJSON")
      ? Object.getOwnPropertyDescriptor(value, "toJSON")?.value
      : (value as { toJSON?: unknown }).toJSON;
    return typeof method === "function" ? (Reflect.apply(method, value, [""]) as unknown) : value;
  } catch {
    // The object is then shown by its fields, as if it had no such method.
    return value;
  }
}
