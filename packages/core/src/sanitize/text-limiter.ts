import { cutPart } from "./markers.ts";
import type { CutKind, ReportCounters } from "./report.ts";
import type { TextRedactor } from "./text-redactor.ts";
import { cutAt, detached, isWellFormed, toWellFormed } from "./unicode.ts";

/** How far beyond the cut a long text is searched, so that no secret is cut in two before it is found. */
const overlap = 65_536;
const openMask = /<(?:r(?:e(?:d(?:a(?:c(?:t(?:e(?:d(?::[a-z0-9-]{0,40})?)?)?)?)?)?)?)?)?$/;

/**
 * Makes one text well-formed, redacted and short enough.
 *
 * **Contract:** redaction comes before the cut; of a text that is longer than the limit only the part up to the limit
 * and 64 Ki units beyond it are read, however long it is.
 */
export class TextLimiter {
  readonly #most: number;
  readonly #redactor: TextRedactor | undefined;
  readonly #counters: ReportCounters;
  readonly #kind: CutKind;

  constructor(
    most: number,
    redactor: TextRedactor | undefined,
    counters: ReportCounters,
    kind: CutKind = "string",
  ) {
    this.#most = most;
    this.#redactor = redactor;
    this.#counters = counters;
    this.#kind = kind;
  }

  limit(text: string): string {
    if (text.length > this.#most) return this.#cut(text);
    // Only well-formed texts are known.
    const known = this.#redactor?.known(text);
    if (known !== undefined) return known;
    const clean = this.#clean(text);
    if (clean === text) this.#redactor?.remember(text);
    // Masks may be longer than what they stand for.
    return clean.length > this.#most ? this.#cut(clean) : clean;
  }

  #clean(text: string): string {
    let wellFormed = text;
    if (!isWellFormed(text)) {
      wellFormed = toWellFormed(text);
      this.#counters.converted("unicode");
    }
    return this.#redactor === undefined ? wellFormed : this.#redactor.redact(wellFormed);
  }

  #cut(original: string): string {
    this.#counters.cut(this.#kind);
    const window = cutAt(original, this.#most + overlap);
    const clean = this.#clean(window);
    let room = this.#most - cutPart(original.length, original.length, "chars").length;
    // What stands at the end of the window may be half a secret that no rule could know.
    if (window.length < original.length) {
      room = Math.min(room, Math.max(0, clean.length - overlap));
    }
    for (;;) {
      const head = cutAt(clean, room).replace(openMask, "");
      const text = head + cutPart(original.length - head.length, original.length, "chars");
      // A cut can make something look like a secret that was none before; a shorter head does not hold it.
      if (this.#redactor === undefined || this.#redactor.redact(text) === text)
        return detached(text);
      room = Math.floor(head.length / 2);
    }
  }
}
