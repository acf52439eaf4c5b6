import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { readJson, readPackages, repository } from "../workspace.ts";
import type { WorkspacePackage } from "../workspace.ts";
import { findCycle, readImports } from "./import-graph.ts";
import type { ImportEdge } from "./import-graph.ts";

/** What each package may import of this repository. A new package is a new row, by an ADR. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  core: [],
  trajectory: ["core"],
  journal: ["core"],
  host: ["core"],
  agent: ["core", "host"],
  cli: ["core", "trajectory", "journal", "host", "agent"],
};

const packages = readPackages();
const byName = new Map(packages.map((owner) => [owner.manifest.name, owner]));
const graph = new Map(
  packages.map((owner) => [owner, readImports(owner, new Set(byName.keys()))] as const),
);

test("every package has a row in the table of arrows, and every row a package", () => {
  expect(packages.map((owner) => owner.path)).toEqual(Object.keys(mayImport).toSorted());
});

describe.each([...graph].map(([owner, edges]) => [owner.path, owner, edges] as const))(
  "%s",
  (path, owner, edges) => {
    test("has sources, so that the tests below look at something", () => {
      expect(edges.length).toBeGreaterThan(0);
    });

    test("imports no package that its row does not name", () => {
      const allowed = new Set(mayImport[path]);

      const wrong = edges.filter((edge) => {
        const other = packageOf(edge);
        return other !== undefined && other !== owner && !allowed.has(other.path);
      });

      expect(wrong.map(describeEdge)).toEqual([]);
    });

    test("declares everything that it imports", () => {
      const declared = declaredBy(owner);

      const missing = edges.filter(
        ({ target }) =>
          (target.kind === "external" || target.kind === "workspace") &&
          target.name !== owner.manifest.name &&
          !declared.has(target.name),
      );

      expect(missing.map(describeEdge)).toEqual([]);
    });

    test("references for the compiler the packages that it declares", () => {
      const { references = [] } = readJson<{ references?: { path: string }[] }>(
        `packages/${path}/tsconfig.json`,
      );
      const referenced = references.map((reference) => reference.path.replace(/^(?:\.\.\/)+/, ""));

      const declared = [...declaredBy(owner)].flatMap((name) => byName.get(name)?.path ?? []);

      expect(referenced.toSorted()).toEqual(declared.toSorted());
    });

    test("reaches other packages by their public entries only", () => {
      const wrong = edges.filter((edge) => {
        const { target } = edge;
        if (target.kind === "file") return !target.path.startsWith(`packages/${path}/src/`);
        const entries = packageOf(edge)?.manifest.exports;
        return target.kind === "workspace" && entries?.[target.subpath] === undefined;
      });

      expect(wrong.map(describeEdge)).toEqual([]);
    });

    test("has no cycle among its files, imports of types alone included", () => {
      expect(findCycle(edges)).toBeUndefined();
    });
  },
);

test("every dependency from outside is pinned exactly and has its reason in CONTRIBUTING.md", () => {
  const reasons = readFileSync(join(repository, "CONTRIBUTING.md"), "utf8");

  const wrong = packages.flatMap(({ path, manifest }) =>
    Object.entries(manifest.dependencies ?? {})
      .filter(([name]) => !byName.has(name))
      .filter(
        ([name, version]) => !/^\d+\.\d+\.\d+$/.test(version) || !reasons.includes(`\`${name}\``),
      )
      .map(([name, version]) => `${path}: ${name} ${version}`),
  );

  expect(wrong).toEqual([]);
});

describe("core", () => {
  const core = packages.find((owner) => owner.path === "core");
  const edges = core === undefined ? [] : (graph.get(core) ?? []);

  test("declares no dependency of any kind", () => {
    expect(core?.manifest).toBeDefined();
    expect(core?.manifest).not.toHaveProperty("dependencies");
    expect(core?.manifest).not.toHaveProperty("peerDependencies");
    expect(core?.manifest).not.toHaveProperty("optionalDependencies");
  });

  test("imports its own files and nothing else, no module of Node either", () => {
    expect(edges.filter(({ target }) => target.kind !== "file").map(describeEdge)).toEqual([]);
  });
});

function packageOf({ target }: ImportEdge): WorkspacePackage | undefined {
  return target.kind === "workspace" ? byName.get(target.name) : undefined;
}

function declaredBy({ manifest }: WorkspacePackage): Set<string> {
  return new Set(
    [manifest.dependencies, manifest.peerDependencies, manifest.optionalDependencies].flatMap(
      (group) => Object.keys(group ?? {}),
    ),
  );
}

function describeEdge({ from, specifier }: ImportEdge): string {
  return `${from} imports ${specifier}`;
}
