import { backslash, isBlank, isQuote, codeAt } from "./characters.ts";

/** What follows a string in JSON, and in code that looks like it. */
const closing = new Set(",}]):".split("").map((end) => end.charCodeAt(0)));

/** The answer for every position from `from` to `at`. */
interface Found {
  readonly from: number;
  readonly at: number;
}

function isKnown(found: Found, from: number): boolean {
  return from >= found.from && from <= found.at;
}

/**
 * Where lines and enclosing strings of one text end. Answers for ascending positions cost the text's length in all,
 * however many are asked for.
 */
export class LineEnds {
  #text = "";
  #real: Found = { from: 0, at: -1 };
  #serialised: Found = { from: 0, at: -1 };
  #backslash: Found = { from: 0, at: -1 };

  /** Starts on another text. */
  reset(text: string): void {
    this.#text = text;
    this.#real = { from: 0, at: -1 };
    this.#serialised = { from: 0, at: -1 };
    this.#backslash = { from: 0, at: -1 };
  }

  /** The end of the line: a line feed, or the end of the text. */
  real(from: number): number {
    if (!isKnown(this.#real, from)) this.#real = { from, at: this.#next("\n", from) };
    return this.#real.at;
  }

  /** The end of the line, also where a line feed or return is written as `\n` or `\r`. */
  serialised(from: number): number {
    if (isKnown(this.#serialised, from)) return this.#serialised.at;
    const text = this.#text;
    const end = this.real(from);
    let at = this.#backslashFrom(from);
    while (at < end && !isLineEscape(text, at)) at = this.#backslashFrom(at + 1);
    at = Math.min(at, end);
    // Backslashes before the one that escapes belong to it: `\\n` is a line feed one level deeper.
    while (at < end && at > from && codeAt(text, at - 1) === backslash) at -= 1;
    this.#serialised = { from, at };
    return at;
  }

  #backslashFrom(from: number): number {
    if (!isKnown(this.#backslash, from)) this.#backslash = { from, at: this.#next("\\", from) };
    return this.#backslash.at;
  }

  #next(character: string, from: number): number {
    const at = this.#text.indexOf(character, from);
    return at === -1 ? this.#text.length : at;
  }

  /** The end of a value that may hold blanks: the line's, or before it that of the string which holds the line. */
  value(from: number, enclosing: number): number {
    const text = this.#text;
    const limit = this.serialised(from);
    let at = from;
    while (at < limit && !this.#isEndingQuote(at, limit, enclosing)) at += 1;
    while (at > from && isTrailing(codeAt(text, at - 1))) at -= 1;
    return at;
  }

  /** The first quote from `from` on that closes an enclosing string and is followed by what follows strings in JSON. */
  structure(from: number, limit: number): number {
    let at = from;
    while (at < limit && !this.isClosing(at)) at += 1;
    while (at < limit && at > from && codeAt(this.#text, at - 1) === backslash) at -= 1;
    return at;
  }

  /** Whether the character at `at` closes the string around it instead of opening one. */
  isClosing(at: number): boolean {
    return this.#isEndingQuote(at, this.serialised(at), 0);
  }

  #isEndingQuote(at: number, limit: number, enclosing: number): boolean {
    const code = codeAt(this.#text, at);
    if (!isQuote(code)) return false;
    if (code === enclosing) return true;
    let next = at + 1;
    while (next < limit && isBlank(codeAt(this.#text, next))) next += 1;
    if (next >= limit || closing.has(codeAt(this.#text, next))) return true;
    // The quote of the next string out, which is one level less escaped.
    while (codeAt(this.#text, next) === backslash) next += 1;
    return next > at + 1 && isQuote(codeAt(this.#text, next));
  }
}

function isLineEscape(text: string, at: number): boolean {
  const next = codeAt(text, at + 1);
  return next === 110 || next === 114;
}

/** Blanks, commas, semicolons, returns, and a backslash that belongs to what follows. */
function isTrailing(code: number): boolean {
  return isBlank(code) || code === 44 || code === 59 || code === 13 || code === backslash;
}
