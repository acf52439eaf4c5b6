import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { filesOf, readJson, repository } from "../workspace.ts";
import type { Manifest } from "../workspace.ts";
import { blocksOf } from "./markdown.ts";

/** A command line that a document tells its reader to type. */
interface Quoted {
  readonly document: string;
  readonly text: string;
}

const documents = filesOf(["*.md", "docs/**/*.md", "examples/**/*.md", "packages/**/*.md"]);
const lines = documents.flatMap(commandLinesOf);
const launcher = join(repository, "packages/cli/bin/hermes-observer.js");

test("every npm script that a document names exists", () => {
  const { scripts = {} } = readJson<Manifest>("package.json");
  const own = new Set(["ci", "exec", "install", "pack", "run", ...Object.keys(scripts)]);

  const unknown = lines.flatMap(({ document, text }) =>
    [...text.matchAll(/\bnpm (?:run )?([a-z][\w:-]*)/g)]
      .filter(([, name = ""]) => !own.has(name))
      .map(([found]) => `${document}: ${found}`),
  );

  expect(unknown).toEqual([]);
});

test("every hermes-observer command and option that a document names stands in its --help", () => {
  const helps = new Map<string, string>();
  const helpOf = (command: string): string => {
    const known = helps.get(command) ?? help(command === "" ? [] : [command]);
    helps.set(command, known);
    return known;
  };

  const unknown = lines.flatMap(({ document, text }) =>
    [...text.matchAll(/\bhermes-observer ([a-z][\w-]*)([^|&;\n]*)/g)].flatMap(
      ([, command = "", rest = ""]) => {
        if (!helpOf("").includes(`\n  ${command} `)) return [`${document}: ${command}`];
        const options = rest.replace(/"[^"]*"|'[^']*'/g, "").match(/(?<=\s)--[a-z][\w-]*/g) ?? [];
        return options
          .filter((option) => !helpOf(command).includes(option))
          .map((option) => `${document}: ${command} ${option}`);
      },
    ),
  );

  expect(unknown).toEqual([]);
});

/** Lines of shell blocks, and pieces of code in running text. */
function commandLinesOf(document: string): Quoted[] {
  const blocks = blocksOf(document).filter(({ language }) =>
    ["", "bash", "console", "sh", "shell"].includes(language),
  );
  const prose = readFileSync(join(repository, document), "utf8").replace(/```[\s\S]*?```/g, "");
  const pieces = [...prose.matchAll(/`([^`]+)`/g)].map((found) => found[1] ?? "");
  return [...blocks.map(({ text }) => text), ...pieces].map((text) => ({ document, text }));
}

function help(command: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...command, "--help"], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`hermes-observer ${command.join(" ")} --help: ${stderr}`);
  return stdout;
}
