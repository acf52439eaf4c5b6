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
 *
 * At every level of escaping the unit is `level + 1`: a backslash of the content is written as two units, so a run of
 * backslashes before the closing quote is `level` modulo two units. A shorter run closes a string further out.
 */
export function stringEnd(text: string, from: number, place: StringPlace): number {
  const { level, limit } = place;
  const quote = String.fromCharCode(place.quote);
  let at = text.indexOf(quote, from);
  while (at !== -1 && at < limit) {
    const run = backslashesBefore(text, at, from);
    if (run < level) return at - run;
    if (run % (2 * (level + 1)) === level) return at - level;
    at = text.indexOf(quote, at + 1);
  }
  return -1;
}

/**
 * Where the object or list that begins at `start` ends. If the string around it ends first, that is its end.
 * Negative, with the position reached, if it does not end before `limit`.
 */
export function containerEnd(text: string, start: number, level: number, limit: number): number {
  let depth = 0;
  let isInString = false;
  const last = Math.min(text.length, limit);
  for (let at = start; at < last; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      const run = backslashesBefore(text, at, start);
      if (run < level) return at - run;
      if (run % (2 * (level + 1)) === level) isInString = !isInString;
    } else if (!isInString) {
      if (code === 123 || code === 91) depth += 1;
      else if (code === 125 || code === 93) depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -last;
}
