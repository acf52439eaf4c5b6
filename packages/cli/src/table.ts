import stringWidth from "string-width";
import { cleanText } from "@hermes-observer/trajectory";

/** Lines up cells under their headers by the cells of a terminal; the last column is cut to the width. */
export function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
): string {
  const clean = [header, ...rows.map((row) => row.map((cell) => cleanText(cell)))];
  const widths = header.map((_, column) =>
    Math.max(...clean.map((row) => stringWidth(row[column] ?? ""))),
  );
  const fixed = widths.slice(0, -1).reduce((sum, cell) => sum + cell + 2, 0);
  const last = Math.max(12, width - fixed);
  return clean
    .map((row) =>
      row
        .map((cell, column) =>
          column === header.length - 1 ? cut(cell, last) : pad(cell, widths[column] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function pad(cell: string, width: number): string {
  return cell + " ".repeat(Math.max(0, width - stringWidth(cell)));
}

function cut(cell: string, width: number): string {
  if (stringWidth(cell) <= width) return cell;
  let kept = "";
  for (const { segment } of new Intl.Segmenter().segment(cell)) {
    if (stringWidth(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}
