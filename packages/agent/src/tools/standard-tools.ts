import { delegateTaskTool } from "./delegate-task.ts";
import { readFileTool, writeFileTool } from "./file-tools.ts";
import { listFilesTool, searchFilesTool } from "./search-tools.ts";
import { terminalTool } from "./terminal.ts";
import type { TerminalOptions } from "./terminal.ts";
import type { Tool } from "./tool.ts";

/** The tools that an agent has if it is given no others. */
export function standardTools(
  options: { readonly terminal?: TerminalOptions } = {},
): readonly Tool[] {
  return [
    terminalTool(options.terminal),
    readFileTool,
    writeFileTool,
    listFilesTool,
    searchFilesTool,
    delegateTaskTool,
  ];
}
