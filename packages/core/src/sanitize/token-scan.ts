import { isLetterOrDigit, isNameCharacter, isTokenCharacter } from "./characters.ts";
import type { Edit } from "./edits.ts";
import { maskOf } from "./markers.ts";
import type { RedactionRules } from "./rule-types.ts";
import type { TextCodes } from "./text-codes.ts";

/** Every known token shape holds a run of this many letters, digits, `_` or `-`. */
const runLength = 16;
/** How far a token may reach to the left of its run, over a dot. */
const mostBefore = 64;
const dot = 46;
const colon = 58;

interface TokenMask {
  readonly rule: string;
  readonly replacement: string;
}

const isToken: Uint8Array = new Uint8Array(256).map((_, code) => (isTokenCharacter(code) ? 1 : 0));

/**
 * Finds tokens of known shape.
 *
 * Text is walked in strides: a run of 16 cannot hide between two characters 16 apart unless both belong to it, so
 * that in prose and code about one character in eight is looked at.
 */
export class TokenScan {
  readonly #pattern: RegExp;
  readonly #starts: ReadonlySet<number>;
  readonly #masks: readonly TokenMask[];

  constructor(data: RedactionRules["tokens"]) {
    const shapes = data.rules.map((rule) => `(${rule.pattern})`).join("|");
    this.#pattern = new RegExp(`${data.leftBoundary}(?:${shapes})`, "g");
    const starts = data.rules.flatMap((rule) => rule.starts ?? []);
    this.#starts = new Set(starts.map((start) => packed(...charCodes(start))));
    this.#masks = data.rules.map(({ id }) => ({ rule: id, replacement: maskOf(id) }));
  }

  scan(text: string, codes: TextCodes, edits: Edit[]): void {
    const { bytes, length } = codes;
    let from = 0;
    while (from + runLength <= length) {
      let probe = from + runLength - 1;
      while (probe >= from && isToken[bytes[probe] as number] === 1) probe -= 1;
      if (probe >= from) {
        from = probe + 1;
        continue;
      }
      const end = endOfToken(codes, from + runLength);
      const start = startOfToken(codes, from);
      if (this.#mayHold(codes, start, end)) this.#examine(text, start, end, edits);
      from = end + 1;
    }
  }

  /** Whether one of the patterns can match at all: trying them takes ten times as long as this. */
  #mayHold(codes: TextCodes, start: number, end: number): boolean {
    let isInside = false;
    for (let at = start; at < end; at++) {
      const code = codes.at(at);
      if (code === dot || code === colon) return true;
      const isLetter = isLetterOrDigit(code);
      if (
        isLetter &&
        !isInside &&
        this.#starts.has(packed(code, codes.at(at + 1), codes.at(at + 2)))
      ) {
        return true;
      }
      isInside = isLetter;
    }
    return false;
  }

  #examine(text: string, start: number, end: number, edits: Edit[]): void {
    const token = text.slice(start, end);
    this.#pattern.lastIndex = 0;
    let match = this.#pattern.exec(token);
    while (match !== null) {
      const at = start + match.index;
      const group = match.findIndex((text, index) => index > 0 && text !== undefined);
      // One group for each of the masks, and one of them took part.
      const mask = this.#masks[group - 1] as TokenMask;
      edits.push({ start: at, end: at + match[0].length, ...mask });
      match = this.#pattern.exec(token);
    }
  }
}

/** Over dots that stand between two word characters. */
function endOfToken(codes: TextCodes, from: number): number {
  let end = from;
  for (;;) {
    if (isTokenCharacter(codes.at(end))) end += 1;
    else if (codes.at(end) === dot && isTokenCharacter(codes.at(end + 1))) end += 2;
    else return end;
  }
}

/** Over what stands to the left of a run and may be the beginning of a token: `SG.`, or `12345678:`. */
function startOfToken(codes: TextCodes, from: number): number {
  const before = codes.at(from - 1);
  if (before !== dot && before !== colon) return from;
  let start = from - 1;
  const least = Math.max(0, from - mostBefore);
  while (start > least && isNameCharacter(codes.at(start - 1))) start -= 1;
  return start;
}

function packed(first: number, second: number, third: number): number {
  return (first << 16) | (second << 8) | third;
}

function charCodes(start: string): [number, number, number] {
  return [start.charCodeAt(0), start.charCodeAt(1), start.charCodeAt(2)];
}
