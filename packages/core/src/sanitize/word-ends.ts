import { codeAt, isSpace } from "./characters.ts";

/**
 * Where words of one text end: at white space or one of a set of characters. The last answer is kept, since every
 * position inside a word has the same, so that asking at many positions of one long word stays linear.
 */
export class WordEnds {
  readonly #ends: ReadonlySet<number>;
  #text = "";
  #from = 0;
  #end = -1;

  constructor(ends: string) {
    this.#ends = new Set(ends.split("").map((end) => end.charCodeAt(0)));
  }

  /** Starts on another text. */
  reset(text: string): void {
    this.#text = text;
    this.#from = 0;
    this.#end = -1;
  }

  /** The end of the word that `at` is in. */
  of(at: number): number {
    if (at >= this.#from && at <= this.#end) return this.#end;
    this.#from = at;
    let end = at;
    while (end < this.#text.length) {
      const code = codeAt(this.#text, end);
      if (isSpace(code) || this.#ends.has(code)) break;
      end += 1;
    }
    this.#end = end;
    return end;
  }
}
