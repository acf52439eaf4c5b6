import { type KeyRules, sensitive } from "./key-rules.ts";
import { cutPart } from "./markers.ts";
import type { ReportCounters } from "./report.ts";
import { TextLimiter } from "./text-limiter.ts";
import type { TextRedactor } from "./text-redactor.ts";
import { cutAt } from "./unicode.ts";

/** A key as it will stand in the result. */
export interface KeyText {
  readonly text: string;
  readonly flags: number;
}

/** Room for the number that tells keys apart which became alike. */
const numberRoom = 9;
const mostRemembered = 8_192;

/** Judges keys and makes them well-formed, redacted and short enough; remembers those that needed nothing. */
export class KeyTexts {
  readonly #rules: KeyRules;
  readonly #most: number;
  readonly #texts: TextLimiter;
  readonly #counters: ReportCounters;
  readonly #known = new Map<string, KeyText>();

  constructor(
    rules: KeyRules,
    most: number,
    redactor: TextRedactor | undefined,
    counters: ReportCounters,
  ) {
    this.#rules = rules;
    this.#most = most;
    this.#texts = new TextLimiter(most * 4, redactor, counters, "key");
    this.#counters = counters;
  }

  /** What becomes of a key. */
  of(key: string): KeyText {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const text = this.#limit(key);
    const flags = this.#rules.flags(key);
    // A key that was changed is judged in both forms, since the next pass sees only the second.
    if (text !== key) return { text, flags: flags | this.#rules.flags(text) };
    const made: KeyText = { text, flags };
    if (this.#known.size >= mostRemembered) this.#known.clear();
    this.#known.set(key, made);
    return made;
  }

  /** What a key says of its value. */
  flags(key: string): number {
    return this.#known.get(key)?.flags ?? this.#rules.flags(key);
  }

  /** Whether a text that names something says that it is secret: the `name` beside a `value`, an option. */
  isSecretName(name: string): boolean {
    return (this.#rules.flags(name) & sensitive) !== 0;
  }

  /** A key with a number behind it, judged in both forms. */
  numbered(key: KeyText, number: number): KeyText {
    const text = `${key.text}#${number}`;
    return { text, flags: key.flags | this.#rules.flags(text) };
  }

  #limit(key: string): string {
    const clean = this.#texts.limit(key);
    if (clean.length <= this.#most - (clean === key ? 0 : numberRoom)) return clean;
    if (key.length <= this.#most * 4) this.#counters.cut("key");
    const marker = cutPart(key.length, key.length, "chars");
    const head = cutAt(clean, this.#most - numberRoom - marker.length);
    const cut = head + cutPart(key.length - head.length, key.length, "chars");
    return this.#texts.limit(cut) === cut ? cut : marker;
  }
}

/**
 * A key that was changed may have become like another one of its object: it then gets a number, so that none hides
 * another. `numbers` are the last ones given in this object.
 */
export function placeKey(
  key: KeyText,
  out: object,
  numbers: Map<string, number>,
  texts: KeyTexts,
): KeyText {
  if (!Object.hasOwn(out, key.text)) return key;
  let number = numbers.get(key.text) ?? 2;
  while (Object.hasOwn(out, `${key.text}#${number}`)) number += 1;
  numbers.set(key.text, number + 1);
  return texts.numbered(key, number);
}
