import { existsSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative } from "node:path";

import ts from "typescript";

import { filesOf, repository } from "../workspace.ts";
import type { WorkspacePackage } from "../workspace.ts";

/** One import, export-from, `import()` or `import("…")` type in a source file. */
export interface ImportEdge {
  /** The importing file, from the repository's folder. */
  readonly from: string;
  readonly specifier: string;
  /** True when nothing of it is left at run time. */
  readonly isTypeOnly: boolean;
  readonly target: ImportTarget;
}

/** What a specifier stands for. `subpath` is `.` or `./…` as in an exports map. */
type ImportTarget =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "workspace"; readonly name: string; readonly subpath: string }
  | { readonly kind: "external"; readonly name: string }
  | { readonly kind: "builtin"; readonly name: string };

/** Every import that the sources of a package hold. */
export function readImports(
  owner: WorkspacePackage,
  workspaceNames: ReadonlySet<string>,
): ImportEdge[] {
  return filesOf(`packages/${owner.path}/src/**/*.ts`).flatMap((from) =>
    importsOf(join(repository, from)).map(({ specifier, isTypeOnly }) => ({
      from,
      specifier,
      isTypeOnly,
      target: targetOf(from, specifier, workspaceNames),
    })),
  );
}

/** The first cycle among the files that these edges join, as a list of files that ends where it begins. */
export function findCycle(edges: readonly ImportEdge[]): string[] | undefined {
  const next = new Map<string, string[]>();
  for (const { from, target } of edges) {
    if (target.kind === "file") next.set(from, [...(next.get(from) ?? []), target.path]);
  }
  const done = new Set<string>();
  for (const start of next.keys()) {
    const cycle = cycleFrom(start, next, done, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

function cycleFrom(
  file: string,
  next: ReadonlyMap<string, readonly string[]>,
  done: Set<string>,
  path: readonly string[],
): string[] | undefined {
  if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
  if (done.has(file)) return undefined;
  for (const target of next.get(file) ?? []) {
    const cycle = cycleFrom(target, next, done, [...path, file]);
    if (cycle !== undefined) return cycle;
  }
  done.add(file);
  return undefined;
}

interface FoundImport {
  readonly specifier: string;
  readonly isTypeOnly: boolean;
}

function importsOf(file: string): FoundImport[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
  const found: FoundImport[] = [];
  const visit = (node: ts.Node): void => {
    const one = importOf(node);
    if (one !== undefined) found.push(one);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function importOf(node: ts.Node): FoundImport | undefined {
  if (ts.isImportDeclaration(node)) {
    const isTypeOnly = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    return found(node.moduleSpecifier, isTypeOnly);
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
    return found(node.moduleSpecifier, node.isTypeOnly);
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return found(node.argument.literal, true);
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return found(node.arguments[0], false);
  }
  return undefined;
}

/** Only literals: what `import(variable)` loads is decided at run time, by the user. */
function found(specifier: ts.Node | undefined, isTypeOnly: boolean): FoundImport | undefined {
  if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return undefined;
  return { specifier: specifier.text, isTypeOnly };
}

function targetOf(
  from: string,
  specifier: string,
  workspaceNames: ReadonlySet<string>,
): ImportTarget {
  if (specifier.startsWith(".")) {
    const path = relative(repository, join(repository, dirname(from), specifier));
    if (!existsSync(join(repository, path)))
      throw new Error(`${from} imports ${path}: no such file`);
    return { kind: "file", path };
  }
  if (isBuiltin(specifier)) return { kind: "builtin", name: specifier };
  const parts = specifier.split("/");
  const name = parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
  const subpath = [".", ...parts.slice(name.split("/").length)].join("/");
  return workspaceNames.has(name)
    ? { kind: "workspace", name, subpath }
    : { kind: "external", name };
}
