import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

import { describe, expect, test } from "vitest";

import { filesOf, readPackages, repository } from "../workspace.ts";
import { anchorsOf, linksOf } from "./markdown.ts";
import type { Link } from "./markdown.ts";

const links = filesOf("**/*.md").flatMap(linksOf);
const ownLinks = links.filter(({ target }) => !/^[a-z][a-z+.-]*:/.test(target));

test("the documents have links, so that the tests below look at something", () => {
  expect(ownLinks.length).toBeGreaterThan(20);
});

test("every link of a document to the repository leads to a file or folder", () => {
  const dead = ownLinks.filter((link) => !existsSync(join(repository, fileOf(link))));

  expect(dead.map(describeLink)).toEqual([]);
});

test("every anchor that a link names is a heading", () => {
  const dead = ownLinks.filter((link) => {
    const anchor = link.target.split("#")[1];
    const file = fileOf(link);
    return anchor !== undefined && file.endsWith(".md") && !anchorsOf(file).has(anchor);
  });

  expect(dead.map(describeLink)).toEqual([]);
});

test("every link of a guide to a test file bears the name of a test in it", () => {
  const wrong = ownLinks.filter((link) => {
    const file = fileOf(link);
    return (
      link.document.startsWith("docs/guides/") &&
      file.endsWith(".test.ts") &&
      !readFileSync(join(repository, file), "utf8").includes(link.text)
    );
  });

  expect(wrong.map(describeLink)).toEqual([]);
});

test("every package has a README", () => {
  const without = readPackages().filter(
    ({ directory }) => !existsSync(join(directory, "README.md")),
  );

  expect(without.map(({ path }) => path)).toEqual([]);
});

describe("ARCHITECTURE.md", () => {
  const page = readFileSync(join(repository, "ARCHITECTURE.md"), "utf8");

  test("has at most 200 lines", () => {
    expect(page.trimEnd().split("\n").length).toBeLessThanOrEqual(200);
  });

  test("names only files and folders that exist, below the folder that the heading names", () => {
    const missing: string[] = [];
    let folder = "";
    for (const line of page.split("\n")) {
      folder = /^#+ .*`((?:packages|test)\/[^`]*)`/.exec(line)?.[1] ?? folder;
      for (const [, path = ""] of line.matchAll(/`([\w./-]+(?:\.ts|\.js|\.json|\.md|\/))`/g)) {
        const places = [join(repository, folder, path), join(repository, path)];
        if (!places.some((place) => existsSync(place))) missing.push(`${folder}: ${path}`);
      }
    }

    expect(missing).toEqual([]);
  });

  test("has a section for every package", () => {
    const sections = [...page.matchAll(/^#+ .*`packages\/([^/`]+)/gm)].map(
      (found) => found[1] ?? "",
    );

    expect(new Set(sections)).toEqual(new Set(readPackages().map(({ path }) => path)));
  });
});

function fileOf({ document, target }: Link): string {
  const path = target.split("#")[0] ?? "";
  if (path === "") return document;
  const file = normalize(join(dirname(document), path));
  const full = join(repository, file);
  const readme = join(file, "README.md");
  const isFolderWithPage =
    existsSync(full) && statSync(full).isDirectory() && existsSync(join(repository, readme));
  return isFolderWithPage ? readme : file;
}

function describeLink({ document, line, text, target }: Link): string {
  return `${document}:${line} [${text}](${target})`;
}
