import {
  backslash,
  backslashesBefore,
  colon,
  equals,
  isBlank,
  isNameCharacter,
  isQuote,
  isSpace,
  skipBlanks,
  codeAt,
} from "./characters.ts";
import { containerEnd, stringEnd } from "./embedded-json.ts";
import type { Edit } from "./edits.ts";
import { header, password, strong, upperCase } from "./key-rules.ts";
import { LineEnds } from "./line-ends.ts";
import { isMarker, mask } from "./markers.ts";
import { PlainValues } from "./plain-values.ts";
import type { PlainValueData } from "./rule-types.ts";
import { WordEnds } from "./word-ends.ts";

/** The name that a value stands under. */
export interface ValueContext {
  readonly flags: number;
  /** Where the name begins. */
  readonly nameStart: number;
  /** Backslashes before the quotes of the name; -1 for a bare one. */
  readonly level: number;
  /** The quote around the name, or 0. */
  readonly quote: number;
  /** The name is a query parameter of a URL. */
  readonly isQuery: boolean;
}

const doubleQuote = 34;
const asterisk = 42;
const openBrace = 123;
const openBracket = 91;
const lessThan = 60;
const slash = 47;
const maskAt = /<redacted(?::[a-z0-9-]{1,40})?>/y;
const numberAt = /-?[0-9][0-9.eE+-]*(?=[ \t]*(?:[,}\]\r\n\\]|$))/y;
const numberOnly = /^[0-9][0-9.,_]*$/;
/** What follows a value in code, where the rest of the line is not part of it. */
const codeAfter =
  /[ \t]*(?:[;,]?[ \t]*(?:[)}\]]|$|\r|\n)|[,;][ \t]*(?:\\*["']?[A-Za-z_][A-Za-z0-9_-]*\\*["']?[ \t]*[:=]|\.\.\.))/y;
/** `export ` and the like before a name. */
const longestPrefix = 12;
const environmentLine = /(?:export |set |ENV )?[A-Za-z_][A-Za-z0-9_]{0,64}=/y;
const beforeEnvironmentName = /(?:^|[\r\n]|\\[nr]|["'`])(?:export |set |ENV |- )?$/;
const cookieAt = /[A-Za-z0-9_.-]{1,128}=/y;
const restIsEmpty = /[ \t]*[;,.]?[ \t]*(?:$|[\r\n\\"'`)}\]])/y;

/** Reads what stands behind a name and a separator, and says which part of it is secret. */
export class ValueReader {
  /** Where to look for the next separator. */
  next = 0;
  readonly #plain: PlainValues;
  readonly #lines = new LineEnds();
  readonly #words = new WordEnds("\"'`\\");
  readonly #queryWords = new WordEnds("&\"'`<>#\\)]};,");
  readonly #codeWords = new WordEnds("\"'`\\;&,)]}<>|");
  #text = "";

  constructor(data: PlainValueData) {
    this.#plain = new PlainValues(data);
  }

  /** Starts on another text. */
  reset(text: string): void {
    this.#text = text;
    this.#lines.reset(text);
    this.#words.reset(text);
    this.#queryWords.reset(text);
    this.#codeWords.reset(text);
  }

  /** The secret part of the value behind `separator`, as an edit. */
  read(separator: number, name: ValueContext): Edit | undefined {
    const text = this.#text;
    this.next = separator + 1;
    const operator = afterOperator(text, separator);
    if (operator === -1) return undefined;
    return this.#value(skipBlanks(text, skipBold(text, operator)), separator, name);
  }

  /** The secret value that begins at `at` and is one word or quoted, as after a command-line option. */
  readArgument(at: number): Edit | undefined {
    this.next = at;
    const open = endOfBackslashes(this.#text, at);
    if (isQuote(codeAt(this.#text, open))) {
      const isOpening = isEscapeLevel(open - at) && !this.#lines.isClosing(open);
      return isOpening ? this.#quoted(open, open - at) : undefined;
    }
    if (open > at) return undefined;
    if (this.#plain.standsForNothing(this.#text, at, false)) return undefined;
    return this.#edit(at, this.#words.of(at));
  }

  #value(at: number, separator: number, name: ValueContext): Edit | undefined {
    const text = this.#text;
    if (name.isQuery) return this.#edit(at, this.#queryWords.of(at));
    const open = endOfBackslashes(text, afterPrefix(text, at));
    const quote = codeAt(text, open);
    if (isQuote(quote)) {
      const level = backslashesBefore(text, open, at);
      const isClosing = name.quote === quote ? level < name.level : this.#lines.isClosing(open);
      return isClosing || !isEscapeLevel(level) ? undefined : this.#quoted(open, level);
    }
    if (name.quote === doubleQuote && codeAt(text, separator) === colon) {
      const found = this.#embedded(at, name);
      if (found !== null) return found;
    }
    return this.#bare(at, separator, name);
  }

  #quoted(open: number, level: number): Edit | undefined {
    const text = this.#text;
    const from = open + 1;
    const quote = codeAt(text, open);
    const limit = this.#lines.real(from);
    let end = stringEnd(text, from, { quote, level, limit });
    if (end === -1) end = this.#lines.value(from, quote);
    else if (quote !== doubleQuote) end = this.#lines.structure(from, end);
    const value = text.slice(from, end);
    this.next = Math.max(end, from);
    if (this.#plain.isPlaceholder(value) || this.#plain.isReference(value)) return undefined;
    return this.#edit(from, end);
  }

  /** A number or a container of JSON inside text; null if neither stands there. */
  #embedded(at: number, name: ValueContext): Edit | undefined | null {
    const text = this.#text;
    const code = codeAt(text, at);
    if (code === openBrace || code === openBracket) {
      if ((name.flags & strong) === 0 || this.#plain.isSchema(text, at)) return undefined;
      const end = containerEnd(text, at, name.level);
      if (end !== -1) return this.#inQuotes(at, end, name.level);
      // It was cut off: what follows to the end is part of the secret.
      return this.#edit(at, text.length);
    }
    numberAt.lastIndex = at;
    if (!numberAt.test(text)) return null;
    const end = numberAt.lastIndex;
    this.next = end;
    return (name.flags & strong) === 0 ? undefined : this.#inQuotes(at, end, name.level);
  }

  /** Masks a value that had no quotes so that the JSON around it stays JSON. */
  #inQuotes(start: number, end: number, level: number): Edit | undefined {
    this.next = end;
    if (/^(?:\{\}|\[\])$/.test(this.#text.slice(start, Math.min(end, start + 3)))) return undefined;
    const quote = `${"\\".repeat(level)}"`;
    return { start, end, replacement: `${quote}${mask}${quote}`, rule: "assignment" };
  }

  #bare(at: number, separator: number, name: ValueContext): Edit | undefined {
    const text = this.#text;
    const { flags } = name;
    const isPassword = (flags & password) !== 0;
    const isAssigned = codeAt(text, separator) === equals;
    const isTight = isAssigned && at === separator + 1;
    const isEnvironment = isTight && (flags & upperCase) !== 0;
    if (isSpace(codeAt(text, at)) || this.#isMarkup(at)) return undefined;
    if (this.#plain.standsForNothing(text, at, isPassword)) return undefined;
    if (!isEnvironment && this.#plain.isCode(text, at, isPassword)) return undefined;
    if (isTight) return this.#edit(at, this.#tightEnd(at, name));
    if ((flags & header) !== 0) return this.#headerValue(at, name);
    if (isPassword) return this.#passwordValue(at, isAssigned, name);
    return this.#wordValue(at, isAssigned, name);
  }

  #isMarkup(at: number): boolean {
    if (codeAt(this.#text, at) !== lessThan) return false;
    if (codeAt(this.#text, at + 1) === slash) return true;
    maskAt.lastIndex = at;
    if (!maskAt.test(this.#text)) return false;
    restIsEmpty.lastIndex = maskAt.lastIndex;
    return restIsEmpty.test(this.#text);
  }

  /** `NAME=value` without blanks: a word, or in a list of such lines the line. */
  #tightEnd(at: number, name: ValueContext): number {
    const text = this.#text;
    const before = text.slice(Math.max(0, name.nameStart - longestPrefix), name.nameStart);
    if (!beforeEnvironmentName.test(before)) return this.#codeWords.of(at);
    if (this.#hasNeighbour(at, name.nameStart)) return this.#lines.value(at, 0);
    return this.#words.of(at);
  }

  /** Whether the next line, or the one before, is an assignment too. */
  #hasNeighbour(at: number, nameStart: number): boolean {
    const text = this.#text;
    let next = this.#lines.serialised(at);
    while (codeAt(text, next) === backslash) next += 1;
    environmentLine.lastIndex = next + 1;
    if (next < text.length && environmentLine.test(text)) return true;
    const before = Math.max(0, nameStart - longestPrefix);
    const lineStart = before + text.slice(before, nameStart).lastIndexOf("\n");
    if (lineStart < before || lineStart === 0) return false;
    environmentLine.lastIndex = text.lastIndexOf("\n", lineStart - 1) + 1;
    return environmentLine.test(text);
  }

  /** A scheme with its credentials, pairs as in cookies, or a word that stands alone; not a sentence. */
  #headerValue(at: number, name: ValueContext): Edit | undefined {
    const text = this.#text;
    cookieAt.lastIndex = at;
    if (this.#plain.isScheme(text, at) || cookieAt.test(text)) {
      return this.#edit(at, this.#lines.value(at, this.#enclosing(name)));
    }
    const word = this.#words.of(at);
    restIsEmpty.lastIndex = word;
    return restIsEmpty.test(text) ? this.#edit(at, word) : undefined;
  }

  #passwordValue(at: number, isAssigned: boolean, name: ValueContext): Edit | undefined {
    const word = this.#codeWords.of(at);
    codeAfter.lastIndex = word;
    if (word > at && codeAfter.test(this.#text)) return this.#edit(at, word);
    if (isAssigned && !this.#isAtLineStart(name.nameStart)) return this.#edit(at, word);
    return this.#edit(at, this.#lines.value(at, this.#enclosing(name)));
  }

  /** A token, key or secret that is one word, unless it is a word of code or prose. */
  #wordValue(at: number, isAssigned: boolean, name: ValueContext): Edit | undefined {
    const text = this.#text;
    const end = this.#codeWords.of(at);
    const value = text.slice(at, Math.min(end, at + 4096));
    if ((name.flags & upperCase) !== 0) return this.#edit(at, end);
    if (numberOnly.test(value)) return undefined;
    restIsEmpty.lastIndex = end;
    const isAlone = restIsEmpty.test(text);
    if (this.#plain.isIdentifier(text, at)) {
      const isEntry = isAlone && !isAssigned && this.#isAtLineStart(name.nameStart);
      return isEntry ? this.#edit(at, end) : undefined;
    }
    return isAlone || (value.length >= 6 && /[0-9]/.test(value)) ? this.#edit(at, end) : undefined;
  }

  #isAtLineStart(nameStart: number): boolean {
    const before = this.#text.slice(Math.max(0, nameStart - longestPrefix), nameStart);
    return /(?:^|[\r\n]|\\[nr]|["'`])(?:[ \t]*(?:- |\* )?["'`*]{0,2})$/.test(before);
  }

  /** The quote directly before a bare name: the value ends where that string does. */
  #enclosing(name: ValueContext): number {
    const code = codeAt(this.#text, name.nameStart - 1);
    return name.level === -1 && isQuote(code) ? code : 0;
  }

  #edit(start: number, end: number): Edit | undefined {
    if (end <= start) return undefined;
    this.next = Math.max(this.next, end);
    if (end - start <= 64 && isMarker(this.#text.slice(start, end))) return undefined;
    return { start, end, replacement: mask, rule: "assignment" };
  }
}

/** After `=`, `==`, `=>`, `:`, `:=`; -1 where it is no assignment, as in `::`. */
function afterOperator(text: string, separator: number): number {
  const next = codeAt(text, separator + 1);
  if (codeAt(text, separator) === colon) {
    if (next === colon) return -1;
    return next === equals ? separator + 2 : separator + 1;
  }
  let at = separator + 1;
  while (at < separator + 4 && (codeAt(text, at) === equals || codeAt(text, at) === 62)) at += 1;
  return at;
}

function skipBold(text: string, from: number): number {
  let at = from;
  while (at < from + 2 && codeAt(text, at) === asterisk) at += 1;
  return at;
}

/** Over the letters of `f"…"`, `rb'…'` and the like. */
function afterPrefix(text: string, at: number): number {
  let end = at;
  while (end < at + 2 && /[fFrRbBuU]/.test(text.charAt(end))) end += 1;
  return end > at && isQuote(codeAt(text, end)) ? end : at;
}

/** Whether so many backslashes before a quote that opens a string can be its escape: 0, 1, 3, 7, … */
function isEscapeLevel(level: number): boolean {
  return (level & (level + 1)) === 0;
}

function endOfBackslashes(text: string, at: number): number {
  let end = at;
  while (codeAt(text, end) === backslash) end += 1;
  return end;
}

/** Whether a bare name may begin at `index`: nothing that names are made of stands before it. */
export function isNameStart(text: string, index: number): boolean {
  const code = codeAt(text, index - 1);
  return index === 0 || isBlank(code) || !isNameCharacter(code);
}
