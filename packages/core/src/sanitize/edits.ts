/** A piece of text to be replaced. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  readonly rule: string;
}

/**
 * The edits in order, overlapping ones united under the replacement of the first, those that change nothing left out.
 */
export function uniteEdits(text: string, edits: Edit[]): Edit[] {
  edits.sort((left, right) => left.start - right.start || right.end - left.end);
  const united: Edit[] = [];
  for (const edit of edits) {
    const last = united.at(-1);
    if (last === undefined || edit.start >= last.end) united.push(edit);
    else if (edit.end > last.end) united[united.length - 1] = { ...last, end: edit.end };
  }
  return united.filter((edit) => text.slice(edit.start, edit.end) !== edit.replacement);
}

/** The text with the edits made; they are in order and do not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const edit of edits) {
    parts.push(text.slice(from, edit.start), edit.replacement);
    from = edit.end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}
