/** Something odd in a usage object: which field, and what was done. */
export interface UsageIssue {
  readonly field: string;
  readonly kind:
    | "not_a_number"
    | "negative"
    | "too_large"
    | "fraction"
    | "text_number"
    | "parts_exceed_total"
    | "total_mismatch"
    | "unknown_shape";
}
