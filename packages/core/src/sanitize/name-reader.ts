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
    const { bytes } = codes;
    let at = separator - 1;
    // Most names stand right before the separator or its quote: what they are in is looked at only if they tell.
    if (at < 0 || isName[bytes[at] as number] === 0) {
      at = beforeMarkup(codes, at);
      if (isQuote(codes.at(at))) at = beforeQuote(codes, at);
    }
    const end = at + 1;
    const least = Math.max(0, end - longestName);
    let letters = 0;
    for (; at >= least; at--) {
      const code = bytes[at] as number;
      if (isName[code] === 0) break;
      letters |= 1 << (code & 31);
    }
    if (at + 1 === end) return false;
    if (!isTelling(letters) && !isAny && !isParameter(codes.at(at))) return false;
    this.start = at + 1;
    this.end = end;
    this.#readQuote(codes, separator);
    return true;
  }

  /** The quote around the name: one behind it with none before it closes a string that ends like a name. */
  #readQuote(codes: TextCodes, separator: number): void {
    const at = beforeMarkup(codes, separator - 1);
    const quote = codes.at(at);
    const isQuoted = isQuote(quote) && codes.at(this.start - 1) === quote;
    this.quote = isQuoted ? quote : 0;
    this.level = isQuoted ? at - this.end : -1;
  }
}

const isName: Uint8Array = new Uint8Array(256).map((_, code) => (isNameCharacter(code) ? 1 : 0));

/** Over a quote and the backslashes that escape it, at a depth that something real can have. */
function beforeQuote(codes: TextCodes, quote: number): number {
  let at = quote - 1;
  while (at >= quote - deepestEscape && codes.at(at) === backslash) at -= 1;
  return at;
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
