import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** What these tests read of a `package.json`. */
export interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

/** A package of this repository: where it lies and what it declares. */
export interface WorkspacePackage {
  /** Path below `packages/`: `core`, `adapters/ai-sdk`. */
  readonly path: string;
  readonly directory: string;
  readonly manifest: Manifest;
}

/** The repository's folder, without a slash at the end. */
export const repository: string = dirname(dirname(fileURLToPath(import.meta.url)));

/** Reads a JSON file of the repository. */
export function readJson<Shape>(path: string): Shape {
  return JSON.parse(readFileSync(join(repository, path), "utf8")) as Shape;
}

/** The condition under which entries of our packages are their TypeScript sources. */
export function sourceCondition(): string {
  const { compilerOptions } = readJson<{ compilerOptions: { customConditions: string[] } }>(
    "tsconfig.base.json",
  );
  const [condition] = compilerOptions.customConditions;
  if (condition === undefined) throw new Error("tsconfig.base.json names no condition");
  return condition;
}

/** Every package, by path. */
export function readPackages(): WorkspacePackage[] {
  return globSync(["packages/*/package.json", "packages/adapters/*/package.json"], {
    cwd: repository,
  })
    .toSorted()
    .map((file) => ({
      path: dirname(file).replace(/^packages\//, ""),
      directory: join(repository, dirname(file)),
      manifest: readJson<Manifest>(file),
    }));
}

/** Paths of the files that belong to the repository and fit the pattern: nothing installed, built or measured. */
export function filesOf(pattern: string | readonly string[]): string[] {
  const left = /(?:^|\/)(?:node_modules|dist|coverage|\.git)(?:\/|$)/;
  return globSync(pattern, { cwd: repository, exclude: (path) => left.test(path) }).toSorted();
}
