import { isNameCharacter, isTokenCharacter } from "./characters.ts";
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

const isToken: Uint8Array = new Uint8Array(256).map((_, code) => (isTokenCharacter(code) ? 1 : 0));

/**
 * Finds tokens of known shape.
 *
 * Text is walked in strides: a run of 16 cannot hide between two characters 16 apart unless both belong to it, so
 * that in prose and code about one character in eight is looked at.
 */
export class TokenScan {
  readonly #pattern: RegExp;
  readonly #masks: readonly { readonly rule: string; readonly replacement: string }[];

  constructor(data: RedactionRules["tokens"]) {
    const shapes = data.rules.map((rule) => `(${rule.pattern})`).join("|");
    this.#pattern = new RegExp(`${data.leftBoundary}(?:${shapes})`, "g");
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
      this.#examine(text, startOfToken(codes, from), end, edits);
      from = end + 1;
    }
  }

  #examine(text: string, start: number, end: number, edits: Edit[]): void {
    const token = text.slice(start, end);
    this.#pattern.lastIndex = 0;
    let match = this.#pattern.exec(token);
    while (match !== null) {
      const at = start + match.index;
      const found =
        this.#masks[match.findIndex((group, index) => index > 0 && group !== undefined) - 1];
      if (found !== undefined) edits.push({ start: at, end: at + match[0].length, ...found });
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
