import { stringAt } from "./arguments.ts";
import { pathError, toolError } from "./tool-error.ts";
import type { Tool } from "./tool.ts";

/** Bytes that `read_file` reads at most of one file. */
const MAX_READ_BYTES = 256 * 1024;

/** Reads a text file of the workspace. */
export const readFileTool: Tool = {
  name: "read_file",
  description: "Read a text file. Long files are cut after 256 KiB.",
  parameters: {
    type: "object",
    properties: {
      path: { type: "string", minLength: 1, description: "Path relative to the workspace" },
    },
    required: ["path"],
    additionalProperties: false,
  },
  async run(args, { workspace }) {
    const path = stringAt(args, "path");
    try {
      const file = await workspace.openForReading(path);
      try {
        const { size } = await file.stat();
        const { buffer, bytesRead } = await file.read(
          Buffer.alloc(Math.min(size, MAX_READ_BYTES)),
          {
            position: 0,
          },
        );
        const content = buffer.subarray(0, bytesRead);
        if (content.includes(0)) return toolError(`"${path}" is not a text file`);
        const cut =
          size > MAX_READ_BYTES
            ? `\n[cut: ${size - MAX_READ_BYTES} of ${size} bytes left out]`
            : "";
        return { status: "ok", result: content.toString("utf8") + cut };
      } finally {
        await file.close();
      }
    } catch (error) {
      return pathError(path, error);
    }
  },
};

/** Writes a text file of the workspace, replacing what was there. */
export const writeFileTool: Tool = {
  name: "write_file",
  description: "Write a text file, replacing what was there. Folders are made as needed.",
  parameters: {
    type: "object",
    properties: {
      path: { type: "string", minLength: 1, description: "Path relative to the workspace" },
      content: { type: "string" },
    },
    required: ["path", "content"],
    additionalProperties: false,
  },
  async run(args, { workspace }) {
    const path = stringAt(args, "path");
    try {
      const file = await workspace.openForWriting(path);
      try {
        const bytes = Buffer.from(stringAt(args, "content"));
        await file.writeFile(bytes);
        return { status: "ok", result: `Wrote ${bytes.length} bytes to ${path}` };
      } finally {
        await file.close();
      }
    } catch (error) {
      return pathError(path, error);
    }
  },
};
