import { AgentError } from "../agent-error.ts";
import type { ToolOutcome } from "./tool.ts";

const texts: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EEXIST: "it is there already",
  EISDIR: "it is a folder",
  ELOOP: "it is a link",
  ENAMETOOLONG: "the name is too long",
  ENOENT: "no such file or folder",
  ENOSPC: "no space left on the disk",
  ENOTDIR: "a part of the path is not a folder",
  EROFS: "the disk is read-only",
};

/** An outcome `error` whose message the model gets as its result. */
export function toolError(message: string, errorType = "tool_error"): ToolOutcome {
  return { status: "error", result: `Error: ${message}`, errorType, message };
}

/** An outcome for what went wrong with a path, without the absolute path that the system puts into its errors. */
export function pathError(path: string, error: unknown): ToolOutcome {
  if (AgentError.isInstance(error))
    return toolError(error.message.replace(/^[A-Z_]+: /, ""), "path_refused");
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  if (typeof code !== "string") throw error;
  return toolError(`"${path}": ${texts[code] ?? code}`);
}
