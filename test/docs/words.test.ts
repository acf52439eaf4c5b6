import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { filesOf, repository } from "../workspace.ts";

/** Where machines keep checkouts and their user's home; put together so that this file does not hold them. */
const roots = ["root", "work"].map((name) => ["", name, ""].join("/"));

test("no file of the repository holds a path of the machine that it was written on", () => {
  const found = filesOf("**/*").flatMap((file) => {
    const text = readText(file);
    return roots.filter((path) => holdsPath(text, path)).map((path) => `${file}: ${path}`);
  });

  expect(found).toEqual([]);
});

/** True when the path stands at the beginning of a path, not in the middle of another. */
function holdsPath(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at !== -1; at = text.indexOf(path, at + 1)) {
    if (!/[\w.~}-]/.test(text.charAt(at - 1))) return true;
  }
  return false;
}

function readText(file: string): string {
  try {
    return readFileSync(join(repository, file), "utf8");
  } catch {
    // A folder, or a link that leads nowhere: no text to look at.
    return "";
  }
}
