import { AssignmentScan } from "./assignment-scan.ts";
import { CleanCache } from "./clean-cache.ts";
import { type Edit, applyEdits, uniteEdits } from "./edits.ts";
import type { KeyRules } from "./key-rules.ts";
import type { LiteralSecrets } from "./literal-secrets.ts";
import { isMarker, maskOf } from "./markers.ts";
import { PatternScan } from "./pattern-scan.ts";
import type { ReportCounters } from "./report.ts";
import type { RedactionRules } from "./rule-types.ts";
import { TextCodes } from "./text-codes.ts";
import { TokenScan } from "./token-scan.ts";
import { isWellFormed } from "./unicode.ts";

/** Texts shorter than this hold no secret that a rule could tell from a word. */
const shortest = 4;
/** Texts shorter than this hold a secret only behind a separator. */
const shortestToken = 16;
const separator = /[:=<-]|(?:earer|asic) /;
const rememberedCharacters = 4_194_304;
const rememberedTexts = 8_192;
const mostRounds = 5;
/** What stands for a text in which masking makes new matches again and again. */
const unstable: string = maskOf("unstable");

/** Where the parts of a {@link TextRedactor} come from. */
export interface TextRedactorOptions {
  readonly rules: RedactionRules;
  readonly keys: KeyRules;
  readonly literals: LiteralSecrets;
  readonly counters: ReportCounters;
  readonly isAnyName: boolean;
}

/**
 * Masks secrets in text.
 *
 * **Contract:** masking the result again changes nothing: the scan is repeated on its own result until it finds
 * nothing. The cost is linear in the length of the text.
 */
export class TextRedactor {
  readonly #literals: LiteralSecrets;
  readonly #counters: ReportCounters;
  readonly #patterns: PatternScan;
  readonly #tokens: TokenScan;
  readonly #assignments: AssignmentScan;
  readonly #clean = new CleanCache(rememberedCharacters, rememberedTexts);
  readonly #codes = new TextCodes();
  #edits: Edit[] = [];

  constructor(options: TextRedactorOptions) {
    const { rules, keys, isAnyName } = options;
    this.#literals = options.literals;
    this.#counters = options.counters;
    this.#patterns = new PatternScan(rules.patterns.rules);
    this.#tokens = new TokenScan(rules.tokens);
    this.#assignments = new AssignmentScan(keys, rules.plainValues, isAnyName);
  }

  /** The text itself, or its first instance, if it is known or plain to see that no rule finds anything in it. */
  known(text: string): string | undefined {
    const known = this.#clean.get(text);
    if (known !== undefined) return known;
    if (text.length >= shortestToken || !this.#isHarmless(text)) return undefined;
    this.#clean.add(text);
    return text;
  }

  /** The text with masks in place of secrets. It is well-formed, and whether it is `known` has been asked. */
  redact(text: string): string {
    return this.#find(text) ? this.#settle(text) : text;
  }

  /** Remembers that nothing is found in a text. It is kept alive, with whatever it was cut from. */
  remember(text: string): void {
    this.#clean.add(text);
  }

  /** A word: it has no separator, and is none of the secrets that are known. */
  #isHarmless(text: string): boolean {
    if (!isWellFormed(text)) return false;
    return text.length < shortest || (this.#literals.isEmpty && !separator.test(text));
  }

  /** Masks what was found, until nothing is found any more. */
  #settle(original: string): string {
    let edits = uniteEdits(original, this.#edits);
    for (const edit of edits) this.#counters.masked(edit.rule);
    let text = original;
    for (let round = 0; round < mostRounds; round++) {
      if (edits.length === 0) return text;
      text = applyEdits(text, edits);
      edits = this.#find(text) ? uniteEdits(text, this.#edits) : [];
    }
    return unstable;
  }

  #find(text: string): boolean {
    if (isMarker(text)) return false;
    const edits: Edit[] = (this.#edits = []);
    if (!this.#literals.isEmpty) this.#literals.scan(text, edits);
    this.#codes.load(text);
    const hasAddress = this.#assignments.scan(text, this.#codes, edits);
    this.#patterns.scan(text, hasAddress, edits);
    this.#tokens.scan(text, this.#codes, edits);
    return edits.length > 0;
  }
}
