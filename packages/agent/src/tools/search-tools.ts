import { readdir } from "node:fs/promises";
import { join } from "node:path";

import { stringAt } from "./arguments.ts";
import { pathError } from "./tool-error.ts";
import type { Tool } from "./tool.ts";
import type { Workspace } from "./workspace.ts";

const MAX_ENTRIES = 1_000;
const MAX_MATCHES = 200;
const MAX_LINE = 300;
/** Files above this size are not searched. */
const MAX_SEARCHED_BYTES = 1024 * 1024;
const skippedFolders = new Set([".git", "node_modules"]);

/** Lists what lies in a folder of the workspace, with everything below. */
export const listFilesTool: Tool = {
  name: "list_files",
  description:
    "List the files below a folder. Leaves out .git and node_modules; links are not followed.",
  parameters: {
    type: "object",
    properties: {
      path: {
        type: "string",
        description: "Folder, relative to the workspace; default: all of it",
      },
    },
    additionalProperties: false,
  },
  async run(args, { workspace, signal }) {
    const path = stringAt(args, "path") || ".";
    try {
      const files = await filesBelow(await workspace.existing(path), signal);
      const shown = files.slice(0, MAX_ENTRIES).map((file) => workspace.display(file));
      if (files.length > MAX_ENTRIES) shown.push(`[cut: more than ${MAX_ENTRIES} files]`);
      return { status: "ok", result: shown.length === 0 ? "(no files)" : shown.join("\n") };
    } catch (error) {
      return pathError(path, error);
    }
  },
};

/** Searches the text files of the workspace for a text. */
export const searchFilesTool: Tool = {
  name: "search_files",
  description:
    "Find the lines that contain a text (exactly as given, no pattern) in the files below a folder.",
  parameters: {
    type: "object",
    properties: {
      text: { type: "string", minLength: 1 },
      path: {
        type: "string",
        description: "Folder, relative to the workspace; default: all of it",
      },
    },
    required: ["text"],
    additionalProperties: false,
  },
  async run(args, { workspace, signal }) {
    const path = stringAt(args, "path") || ".";
    const text = stringAt(args, "text");
    try {
      const matches: string[] = [];
      for (const file of await filesBelow(await workspace.existing(path), signal)) {
        if (matches.length > MAX_MATCHES) break;
        matches.push(...(await linesWith(workspace, workspace.display(file), text)));
      }
      const shown = matches.slice(0, MAX_MATCHES);
      if (matches.length > MAX_MATCHES) shown.push(`[cut: more than ${MAX_MATCHES} matches]`);
      return { status: "ok", result: shown.length === 0 ? "(no matches)" : shown.join("\n") };
    } catch (error) {
      return pathError(path, error);
    }
  },
};

/** Absolute paths in the order of their names, one more than the limit at most. */
async function filesBelow(folder: string, signal: AbortSignal): Promise<string[]> {
  const files: string[] = [];
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    signal.throwIfAborted();
    const entries = await readdir(next, { withFileTypes: true });
    // By code unit, not by the machine's language, so that the order is the same everywhere.
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    const below: string[] = [];
    for (const entry of entries) {
      if (entry.isFile()) files.push(join(next, entry.name));
      if (entry.isDirectory() && !skippedFolders.has(entry.name))
        below.push(join(next, entry.name));
    }
    folders.push(...below.reverse());
    if (files.length > MAX_ENTRIES) break;
  }
  return files;
}

async function linesWith(workspace: Workspace, path: string, text: string): Promise<string[]> {
  try {
    const lines = (await textOf(workspace, path)).split("\n");
    return lines.flatMap((line, index) =>
      line.includes(text) ? [`${path}:${index + 1}: ${line.slice(0, MAX_LINE)}`] : [],
    );
  } catch (error) {
    return [`[skipped: ${pathError(path, error).result}]`];
  }
}

async function textOf(workspace: Workspace, path: string): Promise<string> {
  const file = await workspace.openForReading(path);
  try {
    if ((await file.stat()).size > MAX_SEARCHED_BYTES) return "";
    const content = await file.readFile();
    return content.includes(0) ? "" : content.toString("utf8");
  } finally {
    await file.close();
  }
}
