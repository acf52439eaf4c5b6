import { readFileSync } from "node:fs";
import { join } from "node:path";

import { repository } from "../workspace.ts";

/** A fenced block of a document. */
export interface FencedBlock {
  readonly document: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** `file#region` when the comment `<!-- from file#region -->` stands before the block. */
  readonly from: string | undefined;
}

/** A link of a document, images included. */
export interface Link {
  readonly document: string;
  readonly line: number;
  readonly text: string;
  readonly target: string;
}

interface Line {
  readonly number: number;
  readonly text: string;
}

/** Every fenced block of a document, in order. */
export function blocksOf(document: string): FencedBlock[] {
  const lines = readLines(document);
  const blocks: FencedBlock[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const opening = /^ *```(\w+)?/.exec(lines[index] ?? "");
    if (opening === null) continue;
    const end = lines.findIndex((line, at) => at > index && /^ *```\s*$/.test(line));
    if (end === -1) throw new Error(`${document}:${index + 1} opens a block that nothing closes`);
    blocks.push({
      document,
      line: index + 1,
      language: opening[1] ?? "",
      text: lines.slice(index + 1, end).join("\n"),
      from: originOf(lines.slice(0, index)),
    });
    index = end;
  }
  return blocks;
}

/** Every link outside of code, in order. */
export function linksOf(document: string): Link[] {
  return proseOf(document).flatMap(({ number, text }) =>
    [...text.replace(/`[^`]*`(?!\])/g, "").matchAll(/\[([^\]]*)\]\(([^)\s]+)\)/g)].map((found) => ({
      document,
      line: number,
      text: found[1] ?? "",
      target: found[2] ?? "",
    })),
  );
}

/** The anchors that a document's headings give. */
export function anchorsOf(document: string): Set<string> {
  return new Set(
    proseOf(document).flatMap(({ text }) => {
      const heading = /^#+ (.*)$/.exec(text)?.[1];
      return heading === undefined ? [] : [anchorOf(heading)];
    }),
  );
}

/** The lines between `// #region name` and `// #endregion` of a source file. */
export function regionOf(origin: string): string {
  const [file = "", name = ""] = origin.split("#");
  const lines = readLines(file);
  const start = lines.indexOf(`// #region ${name}`);
  const end = lines.findIndex((line, at) => at > start && line.startsWith("// #endregion"));
  if (start === -1 || end === -1) throw new Error(`${file} has no region "${name}"`);
  return lines.slice(start + 1, end).join("\n");
}

function readLines(path: string): string[] {
  return readFileSync(join(repository, path), "utf8").split("\n");
}

function proseOf(document: string): Line[] {
  let isCode = false;
  return readLines(document).flatMap((text, index) => {
    const isFence = /^ *```/.test(text);
    if (isFence) isCode = !isCode;
    return isFence || isCode ? [] : [{ number: index + 1, text }];
  });
}

/** What the comment right above a block, blank lines apart, says on where it comes from. */
function originOf(before: readonly string[]): string | undefined {
  const last = before.findLast((line) => line.trim() !== "");
  return /^<!-- from (\S+) -->$/.exec(last?.trim() ?? "")?.[1];
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}
