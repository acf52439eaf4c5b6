import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

import { Hooks } from "@hermes-observer/core";
import { afterEach, beforeEach, expect, test } from "vitest";

import { HostError, loadPlugin } from "../src/index.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hermes-host-"));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function put(path: string, text: string): Promise<string> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

async function failure(specifier: string): Promise<HostError> {
  const error: unknown = await loadPlugin(specifier, { from: folder }).catch(
    (thrown: unknown) => thrown,
  );
  expect(HostError.isInstance(error)).toBe(true);
  return error as HostError;
}

test("a module that exports register and name is a plugin", async () => {
  const file = await put(
    "audit.mjs",
    "export const name = 'audit'; export function register(ctx) {}",
  );

  const plugin = await loadPlugin(file);

  expect(plugin.name).toBe("audit");
});

test("a TypeScript file is loaded as it is, and is named after itself", async () => {
  await put(
    "counter.ts",
    "export function register(ctx: { pluginName: string }): void { void ctx; }",
  );

  const plugin = await loadPlugin("./counter.ts", { from: folder });

  expect(plugin.name).toBe("counter");
});

test("a default-exported object is a plugin and keeps its this", async () => {
  await put(
    "object.mjs",
    "export default { name: 'object', seen: [], register(ctx) { this.seen.push(ctx.pluginName); } };",
  );
  const hooks = new Hooks();

  hooks.register(await loadPlugin("./object.mjs", { from: folder }));

  const module = (await import(pathToFileURL(join(folder, "object.mjs")).href)) as {
    default: { seen: string[] };
  };
  expect(module.default.seen).toEqual(["object"]);
});

test("a file URL is a path", async () => {
  const file = await put("url.js", "export function register() {}");

  expect((await loadPlugin(pathToFileURL(file).href)).name).toBe("url");
});

test.each([
  ["an exports string", { exports: "./plugin.mjs" }],
  ["exports by condition", { exports: { ".": { types: "./no.d.ts", import: "./plugin.mjs" } } }],
  [
    "exports in a list",
    { exports: [{ require: "./no.cjs" }, { node: { default: "./plugin.mjs" } }] },
  ],
  ["main", { main: "plugin.mjs" }],
])("a package is found from the given folder by %s", async (_kind, entry) => {
  const root = "node_modules/@acme/observer";
  await put(`${root}/package.json`, JSON.stringify({ name: "@acme/observer", ...entry }));
  await put(`${root}/plugin.mjs`, "export function register() {}");

  const plugin = await loadPlugin("@acme/observer", { from: folder });

  expect(plugin.name).toBe("@acme/observer");
});

test("a package without exports and main has its index.js loaded", async () => {
  await put("node_modules/plain/package.json", JSON.stringify({ name: "plain", type: "module" }));
  await put("node_modules/plain/index.js", "export const register = () => {};");

  expect((await loadPlugin("plain", { from: folder })).name).toBe("plain");
});

test("a file that is not there is named, with where it was looked for", async () => {
  const error = await failure("./none.ts");

  expect(error.code).toBe("HOST_PLUGIN_NOT_FOUND");
  expect(error.message).toContain('"./none.ts"');
  expect(error.message).toContain(join(folder, "none.ts"));
});

test("a folder is not a plugin file", async () => {
  await mkdir(join(folder, "plugins"));

  expect((await failure("./plugins")).code).toBe("HOST_PLUGIN_NOT_FOUND");
});

test("a package that is not installed says what to do", async () => {
  const error = await failure("hermes-plugin-that-is-not-there");

  expect(error.code).toBe("HOST_PLUGIN_NOT_FOUND");
  expect(error.message).toContain("install it there");
});

test("a package that cannot be imported is not found", async () => {
  await put(
    "node_modules/old/package.json",
    JSON.stringify({ name: "old", exports: { require: "./x.cjs" } }),
  );

  expect((await failure("old")).code).toBe("HOST_PLUGIN_NOT_FOUND");
});

test("a module that throws while loading is reported with its cause", async () => {
  await put("broken.mjs", "throw new Error('no licence');");

  const error = await failure("./broken.mjs");

  expect(error.code).toBe("HOST_PLUGIN_FAILED");
  expect(error.message).toContain("no licence");
  expect((error.cause as Error).message).toBe("no licence");
});

test.each([
  ["nothing", "export const other = 1;"],
  ["a register that is no function", "export const register = {};"],
  ["an empty name", "export const name = ''; export function register() {}"],
  ["a name that is no string", "export default { name: 7, register() {} };"],
])("a module that exports %s is refused", async (_kind, text) => {
  await put("invalid.mjs", text);

  expect((await failure("./invalid.mjs")).code).toBe("HOST_PLUGIN_INVALID");
});

test("an ordinary error is no HostError", () => {
  expect(HostError.isInstance(new Error("x"))).toBe(false);
  expect(HostError.isInstance(undefined)).toBe(false);
});
