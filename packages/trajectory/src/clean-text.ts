/** How line breaks come out. */
export interface CleanOptions {
  /** `"space"` (default) makes one line; `"keep"` leaves `\n` and tabs, for texts that are shown as blocks. */
  readonly lines?: "space" | "keep";
}

/**
 * Makes text from a payload safe to print on a terminal: no escape sequence (CSI, OSC with its content, DCS and their
 * kind), no other control character (C0, DEL, C1), no bidi control, no line or paragraph separator, no lone surrogate.
 * What was a line break or tab becomes a space. Linear in the length of the text.
 */
export function cleanText(text: string, options: CleanOptions = {}): string {
  if (!suspicious.test(text)) return text;
  const plain = text.replace(sequences, "").toWellFormed();
  if (options.lines === "keep") {
    return plain.replace(/\r\n?|[\u2028\u2029\u0085]/g, "\n").replace(controlsButLines, "");
  }
  return plain.replace(breaks, " ").replace(controls, "");
}

/* oxlint-disable no-control-regex -- control characters are what these are about */

/** Anything that needs a second look. */
const suspicious =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]/;

/**
 * Whole sequences. No class can run over the start of another sequence, so that a text made of starts without ends
 * still costs linear time; a start without an end loses only its introducer, below.
 */
const sequences = new RegExp(
  [
    "(?:\\u001b[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])[^\\u0007\\u001b\\u0080-\\u009f]*(?:\\u0007|\\u001b\\\\|\\u009c)",
    "(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]",
    "\\u001b[ -/]*[0-~]",
  ].join("|"),
  "g",
);

const breaks = /\r\n|[\t\n\v\f\r\u0085\u2028\u2029]/g;
const controls =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
const controlsButLines =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
