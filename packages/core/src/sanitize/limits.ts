import { ObserverError } from "../hooks/errors.ts";

/** Bounds of one sanitised value. Each is inclusive: what just fits stays. */
export interface SanitizeLimits {
  /** How many containers may stand inside one another. Default 64. */
  readonly depth: number;
  /** Items per list and keys per object, the marker included. Default 10,000. */
  readonly breadth: number;
  /** Values in the whole tree, containers and markers included. Default 200,000. */
  readonly nodes: number;
  /** Length of one string in UTF-16 units, the marker included. Default 262,144. */
  readonly stringLength: number;
  /** Length of one key in UTF-16 units, the marker included. Default 256. */
  readonly keyLength: number;
  /** Bytes of the whole tree as JSON in UTF-8; a small value counts as 48, with a key as 64. Default 16 MiB. */
  readonly totalBytes: number;
}

/** The limits of a sanitiser that was given none. */
export const defaultLimits: SanitizeLimits = Object.freeze({
  depth: 64,
  breadth: 10_000,
  nodes: 200_000,
  stringLength: 262_144,
  keyLength: 256,
  totalBytes: 16_777_216,
});

/** Smallest and largest value that each limit may have: markers must fit, and the stack must hold. */
const ranges: Readonly<Record<keyof SanitizeLimits, readonly [number, number]>> = {
  depth: [1, 500],
  breadth: [4, 1_000_000],
  nodes: [4, 100_000_000],
  stringLength: [128, 67_108_864],
  keyLength: [64, 65_536],
  totalBytes: [512, 1_073_741_824],
};

/**
 * The default limits with the given ones in their place.
 *
 * @throws ObserverError `OBS_INVALID_OPTION` for a name that is no limit and for a value out of range.
 */
export function resolveLimits(given: Partial<SanitizeLimits> = {}): SanitizeLimits {
  const limits: Record<string, number> = { ...defaultLimits };
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const range = Object.hasOwn(ranges, name) ? ranges[name as keyof SanitizeLimits] : undefined;
    if (range === undefined) {
      throw new ObserverError(
        "OBS_INVALID_OPTION",
        `"${name}" is not a limit of the sanitiser; the limits are ${Object.keys(ranges).join(", ")}`,
      );
    }
    if (!Number.isSafeInteger(value) || value < range[0] || value > range[1]) {
      throw new ObserverError(
        "OBS_INVALID_OPTION",
        `limits.${name} is ${String(value)}; give a whole number from ${range[0]} to ${range[1]}`,
      );
    }
    limits[name] = value;
  }
  // Every name of the interface is in defaultLimits, and only those were written to.
  return Object.freeze(limits) as unknown as SanitizeLimits;
}
