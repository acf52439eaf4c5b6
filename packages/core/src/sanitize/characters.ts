/** The UTF-16 unit at `index`, or -1 outside the text. */
export function codeAt(text: string, index: number): number {
  return index >= 0 && index < text.length ? text.charCodeAt(index) : -1;
}

/** `"`, `'` or a backtick. */
export function isQuote(code: number): boolean {
  return code === 34 || code === 39 || code === 96;
}

/** A blank or a tab. */
export function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

/** A blank, a tab or the end of a line. */
export function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

/** One entry per UTF-16 unit, so that no look-up leaves the table. */
const nameCharacters = new Uint8Array(65_536);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.") {
  nameCharacters[character.charCodeAt(0)] = 1;
}
const dot = 46;

/** A letter, a digit, `_`, `-` or `.`: what names in text are made of. */
export function isNameCharacter(code: number): boolean {
  return nameCharacters[code & 0xffff] === 1;
}

/** A letter, a digit, `_` or `-`: what known tokens are made of between their dots. */
export function isTokenCharacter(code: number): boolean {
  return isNameCharacter(code) && code !== dot;
}

/** A letter or a digit of ASCII. */
export function isLetterOrDigit(code: number): boolean {
  return isNameCharacter(code) && code !== 45 && code !== dot && code !== 95;
}

export const backslash = 92;
export const colon = 58;
export const equals = 61;

/** How many backslashes stand directly before `index`, not counting any before `least`. */
export function backslashesBefore(text: string, index: number, least: number): number {
  let at = index;
  while (at > least && codeAt(text, at - 1) === backslash) at -= 1;
  return index - at;
}

/** The first index from `index` on that is no blank. */
export function skipBlanks(text: string, index: number): number {
  let at = index;
  while (isBlank(codeAt(text, at))) at += 1;
  return at;
}
