import type { PlainValueData } from "./rule-types.ts";

/** Recognises values that give nothing away: placeholders, references to a secret, code that fetches one. */
export class PlainValues {
  readonly #exact: RegExp;
  readonly #reference: RegExp;
  readonly #wholeReference: RegExp;
  readonly #typeWord: RegExp;
  readonly #typeOnly: RegExp;
  readonly #environmentRead: RegExp;
  readonly #call: RegExp;
  readonly #dotted: RegExp;
  readonly #dottedInCode: RegExp;
  readonly #identifier: RegExp;
  readonly #schemaStart: RegExp;
  readonly #scheme: RegExp;
  readonly #leadingWord = /(?:await|new|return|typeof)[ \t]+/y;

  constructor(data: PlainValueData) {
    this.#exact = new RegExp(`^${data.exact}$`, "i");
    this.#reference = new RegExp(data.reference, "y");
    this.#wholeReference = new RegExp(`^(?:[A-Za-z]+ )?${data.reference}$`);
    this.#typeWord = new RegExp(data.typeWord, "y");
    this.#typeOnly = new RegExp(`${data.typeWord}[ \\t]*(?:$|[;,)|=\\[<\\]}&\\r\\n\\\\"'?])`, "y");
    this.#environmentRead = new RegExp(data.environmentRead, "y");
    this.#call = new RegExp(data.call, "y");
    this.#dotted = new RegExp(data.dotted, "y");
    this.#dottedInCode = new RegExp(`${data.dotted}[;,)]`, "y");
    this.#identifier = new RegExp(data.identifier, "y");
    this.#schemaStart = new RegExp(data.schemaStart, "y");
    this.#scheme = new RegExp(data.scheme, "iy");
  }

  /** A whole value that is a placeholder. */
  isPlaceholder(value: string): boolean {
    return value.length <= 64 && this.#exact.test(value);
  }

  /** A whole quoted value that refers to a secret instead of holding it. */
  isReference(value: string): boolean {
    return value.length <= 256 && this.#wholeReference.test(value);
  }

  /** A value at `at` that is a placeholder word, a variable or an environment look-up, whatever its name. */
  standsForNothing(text: string, at: number, mayHoldBlanks: boolean): boolean {
    return (
      matchesAt(mayHoldBlanks ? this.#typeOnly : this.#typeWord, text, at) ||
      matchesAt(this.#reference, text, at) ||
      matchesAt(this.#environmentRead, text, at)
    );
  }

  /** A value at `at` that is code: a call, a subscript, a path of names. */
  isCode(text: string, at: number, isPassword: boolean): boolean {
    const from = matchesAt(this.#leadingWord, text, at) ? this.#leadingWord.lastIndex : at;
    const dotted = isPassword ? this.#dottedInCode : this.#dotted;
    return matchesAt(this.#call, text, from) || matchesAt(dotted, text, from);
  }

  /** A value at `at` that is one word of letters only. */
  isIdentifier(text: string, at: number): boolean {
    return matchesAt(this.#identifier, text, at);
  }

  /** A container at `at` that begins like a JSON Schema. */
  isSchema(text: string, at: number): boolean {
    return matchesAt(this.#schemaStart, text, at);
  }

  /** A value at `at` that begins with the name of an authentication scheme. */
  isScheme(text: string, at: number): boolean {
    return matchesAt(this.#scheme, text, at);
  }
}

function matchesAt(sticky: RegExp, text: string, at: number): boolean {
  sticky.lastIndex = at;
  return sticky.test(text);
}
