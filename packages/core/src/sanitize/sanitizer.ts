import { ObserverError } from "../hooks/errors.ts";
import { isKnownFrozen, markFrozen } from "../frozen.ts";
import { KeyRules } from "./key-rules.ts";
import { KeyTexts } from "./key-texts.ts";
import { type SanitizeLimits, resolveLimits } from "./limits.ts";
import { LiteralSecrets } from "./literal-secrets.ts";
import { unreadable } from "./markers.ts";
import { PlainValues } from "./plain-values.ts";
import { RecentResults } from "./recent-results.ts";
import { ReportCounters, type SanitizeReport } from "./report.ts";
import { redactionRules } from "./rules.ts";
import { TextLimiter } from "./text-limiter.ts";
import { TextRedactor } from "./text-redactor.ts";
import { TreeWalk } from "./tree-walk.ts";
import type { WalkParts } from "./walk-parts.ts";

/** Results that are kept to compare the next ones with: hooks have about as many kinds of payload. */
const mostRecent = 8;

/** A value of JSON, deep-frozen. */
export type SanitizedJson =
  | null
  | boolean
  | number
  | string
  | readonly SanitizedJson[]
  | { readonly [key: string]: SanitizedJson };

/** How a sanitiser is set up. */
export interface SanitizeOptions {
  /** Bounds; those not given have their defaults. */
  readonly limits?: Partial<SanitizeLimits>;
  /** Whether text is searched for secrets. Default true; false leaves redaction by key alone. */
  readonly values?: boolean;
  /** Secrets that are known, masked wherever they stand: letter by letter, longest first. */
  readonly secrets?: readonly string[];
  /** Names whose values are masked besides those of the rules; case, `-`, `_` and camelCase make no difference. */
  readonly sensitiveKeys?: readonly string[];
  /** Names whose values are not masked although the rules say so. */
  readonly harmlessKeys?: readonly string[];
  /** Whether the `stack` of errors is kept. Default false: it tells paths of the machine. */
  readonly errorStack?: boolean;
}

/**
 * Makes any value plain, bounded, redacted JSON.
 *
 * **Contract:** never throws, never changes its input, calls a getter and `toJSON` at most once each. The result is
 * deep-frozen and, given to the same sanitiser again, comes out the same to the byte.
 */
export interface Sanitizer {
  /** The value as plain JSON. `undefined` becomes null. */
  sanitize(value: unknown): SanitizedJson;
  /** The text without secrets, well-formed and cut to the limit of one string. */
  sanitizeText(text: string): string;
  /** What was masked, cut and converted since the start or the last `takeReport`. */
  readonly report: SanitizeReport;
  /** The same, and starts counting anew. */
  takeReport(): SanitizeReport;
}

/**
 * A sanitiser with its own caches and counters. Make one and keep it: what it has seen before is faster.
 *
 * @throws ObserverError `OBS_INVALID_OPTION` for limits out of range and lists that are not lists of strings.
 */
export function createSanitizer(options: SanitizeOptions = {}): Sanitizer {
  return new TreeSanitizer(options);
}

/** Sanitises one value with a sanitiser made for it; to do it often, keep one from {@link createSanitizer}. */
export function sanitize(value: unknown, options?: SanitizeOptions): SanitizedJson {
  return createSanitizer(options).sanitize(value);
}

class TreeSanitizer implements Sanitizer {
  readonly #counters: ReportCounters;
  readonly #parts: WalkParts;

  constructor(options: SanitizeOptions) {
    const limits = resolveLimits(options.limits);
    const literals = new LiteralSecrets(strings("secrets", options.secrets));
    const sensitiveKeys = strings("sensitiveKeys", options.sensitiveKeys);
    const harmlessKeys = strings("harmlessKeys", options.harmlessKeys);
    const keys = new KeyRules(redactionRules.keys, { sensitiveKeys, harmlessKeys });
    const counters = new ReportCounters(literals.ignored);
    const isAnyName = sensitiveKeys.length > 0;
    const redactor =
      options.values === false
        ? undefined
        : new TextRedactor({ rules: redactionRules, keys, literals, counters, isAnyName });
    const plainValues = new PlainValues(redactionRules.plainValues);
    const texts = new TextLimiter(limits.stringLength, redactor, counters);
    this.#counters = counters;
    this.#parts = {
      limits,
      counters,
      recent: new RecentResults(mostRecent),
      keys: new KeyTexts(keys, limits.keyLength, redactor, counters),
      texts,
      nameFields: redactionRules.keys.nameFields,
      isPlaceholder: (value) => plainValues.isPlaceholder(value),
      isErrorStackKept: options.errorStack === true,
    };
  }

  get report(): SanitizeReport {
    return this.#counters.snapshot();
  }

  sanitize(value: unknown): SanitizedJson {
    try {
      const result = new TreeWalk(this.#parts).walk(value);
      // The walk makes nothing but JSON values and freezes each container when it is full.
      if (typeof result === "object" && result !== null && !isKnownFrozen(result))
        markFrozen(result);
      return result as SanitizedJson;
    } catch {
      // Only when the caller left no stack to work with: anything that a value throws is caught where it is read.
      return unreadable;
    }
  }

  sanitizeText(text: string): string {
    return this.#parts.texts.limit(typeof text === "string" ? text : String(text));
  }

  takeReport(): SanitizeReport {
    const report = this.#counters.snapshot();
    this.#counters.reset();
    return report;
  }
}

function strings(option: string, given: readonly string[] = []): readonly string[] {
  const list: unknown = given;
  if (Array.isArray(list) && list.every((item) => typeof item === "string")) return given;
  throw new ObserverError("OBS_INVALID_OPTION", `${option} must be a list of strings`);
}
