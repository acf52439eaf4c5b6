import type { Edit } from "./edits.ts";
import { maskOf } from "./markers.ts";

const shortest = 4;
const longest = 65_536;
const ownMarks = /<(?:redacted(?::[a-z0-9-]{1,40})?|truncated(?:: [0-9a-z ]{1,60})?)>/g;

interface Literal {
  readonly text: string;
  /** The last `period` characters, where `period` is the least shift at which the text overlaps itself. */
  readonly tail: string;
}

/**
 * Secrets that the operator knows, searched for letter by letter, also in the forms that JSON and URLs give them.
 *
 * **Contract:** what is shorter than 4 or longer than 65,536 characters is not searched for but counted in `ignored`.
 * Longest first; overlapping places are masked as one.
 */
export class LiteralSecrets {
  readonly ignored: number;
  readonly #literals: readonly Literal[];

  constructor(secrets: readonly string[]) {
    const usable = secrets.filter((text) => text.length >= shortest && text.length <= longest);
    const forms = new Set<string>();
    for (const secret of usable) {
      forms.add(secret);
      forms.add(JSON.stringify(secret).slice(1, -1));
      forms.add(encodeURIComponent(secret.replace(/[\uD800-\uDFFF]/g, "")));
    }
    this.ignored = secrets.length - usable.length;
    this.#literals = [...forms]
      .filter((text) => text.length >= shortest)
      .sort((left, right) => right.length - left.length)
      .map((text) => ({ text, tail: text.slice(-leastPeriod(text)) }));
  }

  get isEmpty(): boolean {
    return this.#literals.length === 0;
  }

  /** Adds an edit for every place where one of the secrets stands, but not within our own marks. */
  scan(text: string, edits: Edit[]): void {
    const before = edits.length;
    for (const literal of this.#literals) findLiteral(text, literal, edits);
    if (edits.length === before) return;
    const marks = [...text.matchAll(ownMarks)].map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
    }));
    const found = edits.splice(before);
    for (const edit of found) {
      if (!isInside(edit, marks)) edits.push(edit);
    }
  }
}

function findLiteral(text: string, literal: Literal, edits: Edit[]): void {
  const { length } = literal.text;
  let start = text.indexOf(literal.text);
  while (start !== -1) {
    // A run of copies that overlap is followed by its tails: comparing whole copies would be quadratic.
    let end = start + length;
    while (text.startsWith(literal.tail, end)) end += literal.tail.length;
    edits.push({ start, end, replacement: maskOf("secret"), rule: "secret" });
    start = text.indexOf(literal.text, end - length + 1);
  }
}

/** The spans are in order and do not overlap. */
function isInside(edit: Edit, spans: readonly { start: number; end: number }[]): boolean {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const span = spans[middle];
    if (span !== undefined && span.end < edit.end) low = middle + 1;
    else high = middle;
  }
  const span = spans[low];
  return span !== undefined && span.start <= edit.start && edit.end <= span.end;
}

/** Knuth, Morris and Pratt: the length less the longest proper border. */
function leastPeriod(text: string): number {
  const borders = new Uint32Array(text.length);
  let border = 0;
  for (let index = 1; index < text.length; index++) {
    // `border` is never more than `index`, so there is an entry before it.
    while (border > 0 && text[index] !== text[border]) border = borders[border - 1] as number;
    if (text[index] === text[border]) border += 1;
    borders[index] = border;
  }
  return text.length - border;
}
