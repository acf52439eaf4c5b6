import { join, relative } from "node:path";

import ts from "typescript";
import { describe, expect, test } from "vitest";

import { filesOf, repository } from "../workspace.ts";
import { blocksOf, regionOf } from "./markdown.ts";
import type { FencedBlock } from "./markdown.ts";

const blocks = filesOf(["*.md", "docs/**/*.md", "examples/**/*.md", "packages/**/*.md"]).flatMap(
  blocksOf,
);
const quoted = blocks.filter((block) => block.from !== undefined);
const written = blocks.filter(
  ({ from, language }) => from === undefined && ["ts", "typescript"].includes(language),
);

describe("blocks that come from a file", () => {
  test.each(quoted.map((block) => [`${block.document}:${block.line}`, block] as const))(
    "%s equals its region to the byte",
    (_place, { from = "", text }) => {
      expect(text).toBe(regionOf(from));
    },
  );

  test.each(["README.md", "packages/core/README.md", "docs/guides/write-a-plugin.md"])(
    "%s quotes the specification's minimal plugin",
    (document) => {
      const origins = quoted.filter((block) => block.document === document).map(({ from }) => from);

      expect(origins).toContain("examples/minimal-plugin/minimal-plugin.ts#minimal-plugin");
    },
  );
});

test("every other TypeScript block of the documents is a module that type-checks", () => {
  expect(written.length).toBeGreaterThan(3);
  expect(typeErrorsOf(written)).toEqual([]);
}, 120_000);

/** Checks each block as a module of its own, as if it lay beside this file. */
function typeErrorsOf(snippets: readonly FencedBlock[]): string[] {
  const byPath = new Map(
    snippets.map((block, index) => [join(repository, `test/docs/snippet-${index}.ts`), block]),
  );
  const options = readOptions();
  const host = ts.createCompilerHost(options);
  const fileExists = host.fileExists.bind(host);
  const getSourceFile = host.getSourceFile.bind(host);
  host.fileExists = (path) => byPath.has(path) || fileExists(path);
  host.getSourceFile = (path, languageVersion, ...rest) => {
    const block = byPath.get(path);
    return block === undefined
      ? getSourceFile(path, languageVersion, ...rest)
      : ts.createSourceFile(path, `${block.text}\nexport {};\n`, languageVersion);
  };
  const program = ts.createProgram([...byPath.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const block = byPath.get(file?.fileName ?? "");
    const line = file === undefined ? 0 : ts.getLineAndCharacterOfPosition(file, start).line + 1;
    const message = ts.flattenDiagnosticMessageText(messageText, " ");
    return block === undefined
      ? `${relative(repository, file?.fileName ?? "")}:${line} ${message}`
      : `${block.document}:${block.line + line} ${message}`;
  });
}

/** The options of the test project; a snippet may name what it does not use. */
function readOptions(): ts.CompilerOptions {
  const path = join(repository, "tsconfig.test.json");
  const parsed = ts.getParsedCommandLineOfConfigFile(
    path,
    {},
    {
      ...ts.sys,
      readDirectory: () => [],
      onUnRecoverableConfigFileDiagnostic: () => {},
    },
  );
  if (parsed === undefined) throw new Error(`${path} cannot be read`);
  return {
    ...parsed.options,
    moduleDetection: ts.ModuleDetectionKind.Force,
    noUnusedLocals: false,
    noUnusedParameters: false,
  };
}
