import { backslashesBefore } from "./characters.ts";

/** A string inside text. */
export interface StringPlace {
  /** Its quote. */
  readonly quote: number;
  /** Backslashes before its opening quote: 0 in JSON, 1 in JSON inside a JSON string, then 3, 7, … */
  readonly level: number;
  /** The string does not reach further than this. */
  readonly limit: number;
}

/**
 * Where the string that begins at `from` ends, before the closing quote's own backslashes; -1 if it does not.
 * If a string further out ends first, that is its end too.
 */
export function stringEnd(text: string, from: number, place: StringPlace): number {
  const quote = String.fromCharCode(place.quote);
  let at = text.indexOf(quote, from);
  while (at !== -1 && at < place.limit) {
    const closed = closedLevel(backslashesBefore(text, at, from));
    if (closed <= place.level) return at - closed;
    at = text.indexOf(quote, at + 1);
  }
  return -1;
}

/**
 * The level of the string that a quote with so many backslashes before it opens or closes. A backslash of the content
 * is written as two, four, eight, … backslashes, so the level is what the lowest bits say: none set, level 0; one,
 * level 1; two, level 3; and so on.
 */
function closedLevel(backslashes: number): number {
  return backslashes & ~(backslashes + 1);
}

/**
 * Where the object or list that begins at `start` ends. If the string around it ends first, that is its end.
 * -1 if nothing ends.
 */
export function containerEnd(text: string, start: number, level: number): number {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      const closed = closedLevel(backslashesBefore(text, at, start));
      if (closed < level) return at - closed;
      if (closed === level) isInString = !isInString;
    } else if (!isInString) {
      if (code === 123 || code === 91) depth += 1;
      else if (code === 125 || code === 93) depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}
