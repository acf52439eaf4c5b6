import { readFileSync, statSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { basename, dirname, extname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import type { Plugin } from "@hermes-observer/core";

import { HostError } from "./host-error.ts";
import { packageEntry } from "./package-entry.ts";

/** Where a plugin is looked for. */
export interface LoadPluginOptions {
  /** Folder that relative paths and package names are resolved from. Default: the working folder. */
  readonly from?: string;
}

/**
 * Loads a plugin that the user named: a path to a `.ts`, `.js` or `.mjs` file, a `file:` URL, or a package name.
 *
 * The module exports `register(ctx)` and, if it likes, `name`; a default export of that shape is taken too. Without
 * a name the plugin is called after its package or file.
 *
 * **Contract:** loading runs the module's code. Call it only with what the user typed or trusted, never with what a
 * folder that was merely opened says.
 *
 * @throws HostError `HOST_PLUGIN_NOT_FOUND`, `HOST_PLUGIN_FAILED` (the module threw while loading),
 *   `HOST_PLUGIN_INVALID` (no `register`)
 */
export async function loadPlugin(
  specifier: string,
  options: LoadPluginOptions = {},
): Promise<Plugin> {
  const from = resolve(options.from ?? ".");
  const file = isPath(specifier) ? pathOf(specifier, from) : packageFile(specifier, from);
  const loaded = await importModule(specifier, file);
  const fallbackName = isPath(specifier) ? basename(file, extname(file)) : specifier;
  return asPlugin(specifier, loaded, fallbackName);
}

function isPath(specifier: string): boolean {
  return (
    /^(?:\.{0,2}[/\\]|\.{1,2}$|~?[/\\]|file:|[a-z]:[/\\])/i.test(specifier) ||
    /\.(?:ts|mts|js|mjs|cjs)$/i.test(specifier)
  );
}

function pathOf(specifier: string, from: string): string {
  const file = specifier.startsWith("file:") ? fileURLToPath(specifier) : resolve(from, specifier);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === true) return file;
  throw new HostError(
    "HOST_PLUGIN_NOT_FOUND",
    `there is no plugin file "${specifier}" (looked at ${file}); give the path of a .ts, .js or .mjs file`,
  );
}

function packageFile(specifier: string, from: string): string {
  try {
    const manifest = findPackageJSON(specifier, pathToFileURL(join(from, "plugins.js")));
    if (manifest !== undefined) {
      const entry = packageEntry(JSON.parse(readFileSync(manifest, "utf8")));
      return join(dirname(manifest), entry);
    }
  } catch (error) {
    throw notInstalled(specifier, from, error);
  }
  throw notInstalled(specifier, from);
}

function notInstalled(specifier: string, from: string, cause?: unknown): HostError {
  return new HostError(
    "HOST_PLUGIN_NOT_FOUND",
    `there is no plugin package "${specifier}" to be found from ${from}; install it there, or give a path ` +
      `that starts with ./`,
    { cause },
  );
}

async function importModule(specifier: string, file: string): Promise<unknown> {
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    const cause = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw new HostError(
      "HOST_PLUGIN_FAILED",
      `plugin "${specifier}" failed while loading: ${cause}`,
      {
        cause: error,
      },
    );
  }
}

function asPlugin(specifier: string, loaded: unknown, fallbackName: string): Plugin {
  const candidates = [loaded, isObject(loaded) ? loaded["default"] : undefined];
  for (const candidate of candidates) {
    if (!isObject(candidate) || typeof candidate["register"] !== "function") continue;
    const { name } = candidate;
    if (name !== undefined && (typeof name !== "string" || name === "")) {
      throw new HostError(
        "HOST_PLUGIN_INVALID",
        `"name" of plugin "${specifier}" must be a non-empty string`,
      );
    }
    // The check above guarantees the one method; what it does with its context is the dispatcher's to guard.
    const plugin = candidate as unknown as Plugin;
    return { name: name ?? fallbackName, register: (ctx) => plugin.register(ctx) };
  }
  throw new HostError(
    "HOST_PLUGIN_INVALID",
    `plugin "${specifier}" exports no register function; expected: export function register(ctx) { … }`,
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
