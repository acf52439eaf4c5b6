import stringWidth from "string-width";

/** Width of a text in terminal cells: wide CJK and emoji 2, combining marks 0. */
export function cells(text: string): number {
  return plainAscii.test(text) ? text.length : stringWidth(text);
}

/** The text in at most `max` cells, cut between graphemes, with an ellipsis where something was cut. */
export function fit(text: string, max: number, ellipsis = "…"): string {
  if (cells(text) <= max) return text;
  const room = max - cells(ellipsis);
  if (room < 0) return "";
  let used = 0;
  const kept: string[] = [];
  for (const { segment } of segmenter.segment(text)) {
    const width = cells(segment);
    if (used + width > room) break;
    used += width;
    kept.push(segment);
  }
  let result = `${kept.join("").trimEnd()}${ellipsis}`;
  // A mark at the cut can join the ellipsis and change its width.
  while (cells(result) > max && kept.length > 0) {
    kept.pop();
    result = `${kept.join("")}${ellipsis}`;
  }
  return result;
}

/** The text with spaces before it, to `width` cells. */
export function padStart(text: string, width: number): string {
  return `${" ".repeat(Math.max(0, width - cells(text)))}${text}`;
}

/** Words in lines of at most `width` cells; a longer word is cut. */
export function wrap(words: readonly string[], width: number, ellipsis = "…"): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    const joined = line === "" ? word : `${line} ${word}`;
    if (cells(joined) <= width) {
      line = joined;
      continue;
    }
    if (line !== "") lines.push(line);
    line = fit(word, width, ellipsis);
  }
  if (line !== "") lines.push(line);
  return lines;
}

const plainAscii = /^[ -~]*$/;
const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
