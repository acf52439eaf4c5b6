/** One line of a table of results. */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What is asked for, in words; absent where a figure only stands beside others. */
  readonly goal?: string;
  readonly isMet?: boolean;
}

/** A figure with a goal. */
export function goalRow(name: string, value: number, unit: string, max: number): Row {
  return { name, value, unit, goal: `≤ ${max}`, isMet: value <= max };
}
