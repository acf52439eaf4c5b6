/** A list that is being read. */
export interface ListReading {
  readonly items: readonly unknown[];
  readonly total: number;
  /** Whether the last item has been read; if not, `last` says nothing. */
  readonly hasLast: boolean;
  readonly last: unknown;
  /** The list at this place in an earlier result. */
  readonly known: readonly unknown[];
  /** What is finished, in the order in which it was read. */
  readonly built: unknown[];
}

/** Stands for the list of an earlier result where there is none. */
export const nothing: readonly unknown[] = [];

/** From the order in which messages are built to that in which they were sent; the marker stands behind the first. */
export function inOrder(built: readonly unknown[], kept: number, isCut: boolean): unknown[] {
  if (kept < 2) return built.toReversed();
  const marker = isCut ? [built[2]] : [];
  const later = built.slice(isCut ? 3 : 2).reverse();
  return [built[1], ...marker, ...later, built[0]];
}

/** Whether a list is the one from an earlier result. */
export function isAlike(out: readonly unknown[], known: readonly unknown[]): boolean {
  if (out.length !== known.length || known === nothing) return false;
  for (let index = 0; index < out.length; index++) if (out[index] !== known[index]) return false;
  return true;
}
