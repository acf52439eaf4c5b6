/** Ways in which something was left out. */
export type CutKind = "string" | "key" | "list" | "object" | "depth" | "total";

/** Kinds of values that JSON does not have and that were written in another form. */
export type ConvertedKind =
  | "bigint"
  | "binary"
  | "date"
  | "error"
  | "function"
  | "map"
  | "number"
  | "set"
  | "symbol"
  | "to_json"
  | "unicode"
  | "other";

/** What a sanitiser did since the last report, in numbers only: no content, no names. */
export interface SanitizeReport {
  /** Values and pieces of text that were masked. */
  readonly masked: number;
  /** The same by rule: `key` is a secret name of an object, `assignment` one in text, the others as in the rules. */
  readonly rules: Readonly<Record<string, number>>;
  /** What was left out, by kind. */
  readonly cut: Readonly<Partial<Record<CutKind, number>>>;
  /** What was written in another form, by kind. */
  readonly converted: Readonly<Partial<Record<ConvertedKind, number>>>;
  /** References to an object that the value stands in. */
  readonly cycles: number;
  /** Values that threw when they were read. */
  readonly unreadable: number;
  /** Known secrets that were given but are not searched for: shorter than 6 characters, or part of a marker. */
  readonly ignoredSecrets: number;
}

/** The counters behind a {@link SanitizeReport}. */
export class ReportCounters {
  readonly #rules = new Map<string, number>();
  readonly #cut = new Map<CutKind, number>();
  readonly #converted = new Map<ConvertedKind, number>();
  #cycles = 0;
  #unreadable = 0;
  readonly #ignoredSecrets: number;

  constructor(ignoredSecrets: number) {
    this.#ignoredSecrets = ignoredSecrets;
  }

  masked(rule: string): void {
    increase(this.#rules, rule);
  }

  cut(kind: CutKind): void {
    increase(this.#cut, kind);
  }

  converted(kind: ConvertedKind): void {
    increase(this.#converted, kind);
  }

  cycle(): void {
    this.#cycles += 1;
  }

  unreadable(): void {
    this.#unreadable += 1;
  }

  snapshot(): SanitizeReport {
    let masked = 0;
    for (const count of this.#rules.values()) masked += count;
    return Object.freeze({
      masked,
      rules: record(this.#rules),
      cut: record(this.#cut),
      converted: record(this.#converted),
      cycles: this.#cycles,
      unreadable: this.#unreadable,
      ignoredSecrets: this.#ignoredSecrets,
    });
  }

  reset(): void {
    this.#rules.clear();
    this.#cut.clear();
    this.#converted.clear();
    this.#cycles = 0;
    this.#unreadable = 0;
  }
}

function increase<Kind>(counts: Map<Kind, number>, kind: Kind): void {
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
}

function record<Kind extends string>(counts: Map<Kind, number>): Readonly<Record<Kind, number>> {
  // An entry per kind that was counted; the type of a lookup elsewhere says that it may be absent.
  return Object.freeze(Object.fromEntries(counts)) as Readonly<Record<Kind, number>>;
}
