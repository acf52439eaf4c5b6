import { backslash, isBlank, isNameCharacter, isQuote } from "./characters.ts";
import type { TextCodes } from "./text-codes.ts";

const longestName = 64;
const mostBlanks = 4;
const deepestEscape = 64;
const asterisk = 42;
const questionMark = 63;
const closingBracket = 93;

/** A set of letters as bits; names are tested before they are cut out and looked up. */
function bits(letters: string): number {
  let set = 0;
  for (const letter of letters) set |= 1 << (letter.charCodeAt(0) & 31);
  return set;
}

const key = bits("ke");
const pass = bits("pas");
const abbreviation = bits("pwd");
const secret = bits("secrt");
const authority = bits("auth");
const credential = bits("cred");
const code = bits("code");
const webToken = bits("jwt");
const bearer = bits("bear");
const oneTime = bits("otp");
const check = bits("cv");

/** Whether a name with these letters can be a secret's; written out because it is asked for every separator. */
function isTelling(letters: number): boolean {
  return (
    (letters & key) === key ||
    (letters & pass) === pass ||
    (letters & secret) === secret ||
    isRarelyTelling(letters)
  );
}

function isRarelyTelling(letters: number): boolean {
  return (
    (letters & abbreviation) === abbreviation ||
    (letters & authority) === authority ||
    (letters & credential) === credential ||
    (letters & code) === code ||
    (letters & webToken) === webToken ||
    (letters & bearer) === bearer ||
    (letters & oneTime) === oneTime ||
    (letters & check) === check
  );
}

/**
 * Reads the name that stands before a separator: bare, in quotes at any level of escaping, in brackets, or bold.
 * One instance is used again and again; `start`, `end` and `level` are those of the last name read.
 */
export class NameReader {
  /** Where the name begins. */
  start = 0;
  /** Where the name ends. */
  end = 0;
  /** Backslashes before the quotes around the name; -1 for a name without quotes around it. */
  level = -1;
  /** The quote around the name, or 0. */
  quote = 0;

  /** Whether a name that may be a secret's stands before `separator`. With `isAny`, whether any name does. */
  read(codes: TextCodes, separator: number, isAny: boolean): boolean {
    let at = beforeMarkup(codes, separator - 1);
    this.level = -1;
    const quote = codes.at(at);
    if (isQuote(quote)) {
      at -= 1;
      this.level = 0;
      while (this.level <= deepestEscape && codes.at(at - this.level) === backslash)
        this.level += 1;
      if (this.level > deepestEscape) return false;
      at -= this.level;
    }
    this.end = at + 1;
    const least = Math.max(0, this.end - longestName);
    let letters = 0;
    while (at >= least) {
      const character = codes.at(at);
      if (!isNameCharacter(character)) break;
      letters |= 1 << (character & 31);
      at -= 1;
    }
    this.start = at + 1;
    // A quote behind the name but none before it closes a string that ends like a name.
    if (codes.at(at) !== quote) this.level = -1;
    this.quote = this.level === -1 ? 0 : quote;
    if (this.start === this.end) return false;
    return isTelling(letters) || isAny || isParameter(codes.at(at));
  }
}

/** What stands before the name of a query parameter; those names are few, and judged by the list. */
function isParameter(before: number): boolean {
  return before === questionMark || before === 38 || before === 35;
}

/** Over blanks, `?` of an optional field, `**` of bold print and `]` of a subscript. */
function beforeMarkup(codes: TextCodes, from: number): number {
  let at = from;
  for (let blanks = 0; blanks < mostBlanks && isBlank(codes.at(at)); blanks++) at -= 1;
  if (codes.at(at) === questionMark) at -= 1;
  if (codes.at(at) === asterisk) at -= 1;
  if (codes.at(at) === asterisk) at -= 1;
  if (codes.at(at) === closingBracket) at -= 1;
  return at;
}
