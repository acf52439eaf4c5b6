/** How many objects {@link deepFreeze} visits at most: a Proxy can invent children for ever. */
const mostObjects = 1_000_000;

const known = /* @__PURE__ */ new WeakSet<object>();

/**
 * Remembers that `value` and everything below it is frozen, and returns it.
 *
 * **Contract:** for whoever froze the tree while building it (the sanitiser). Marking a tree that is not frozen
 * takes its protection away, because {@link deepFreeze} will not walk it again.
 */
export function markFrozen<T extends object>(value: T): T {
  known.add(value);
  return value;
}

/** Whether `value` is the root of a tree known to be deep-frozen. False says nothing: it may be frozen all the same. */
export function isKnownFrozen(value: object): boolean {
  return known.has(value);
}

/**
 * Freezes `value` and every object in its own enumerable properties, all the way down, in place, and returns it.
 *
 * **Contract:** never throws; depth and cycles cost no stack. A getter is read once. What cannot be frozen is left
 * as it is: typed arrays, the content of `Map` and `Set`, a Proxy that refuses, and whatever lies beyond a million
 * objects. Trees below the root that were marked with {@link markFrozen} are not walked again.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  const found = freezeOne(value);
  // A set is walked in the order of insertion, what is added on the way included.
  if (found !== undefined) {
    for (const child of found) if (found.size < mostObjects) freezeOne(child, found);
  }
  return value;
}

/**
 * Freezes one object and adds the objects in it to `found`, which is made only when there are any. On the path of
 * every event: reading properties through descriptors, to spare getters, measured ten times slower
 * (bench/dispatch.bench.ts).
 */
function freezeOne(value: object, found?: Set<object>): Set<object> | undefined {
  try {
    Object.freeze(value);
    for (const key in value) {
      const child = (value as Record<string, unknown>)[key];
      if (typeof child !== "object" || child === null || known.has(child)) continue;
      if (Object.hasOwn(value, key)) (found ??= new Set()).add(child);
    }
  } catch {
    // What throws while it is looked at cannot be frozen from outside; what was found in it so far still is.
  }
  return found;
}
