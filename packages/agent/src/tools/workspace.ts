import { constants, realpathSync } from "node:fs";
import { mkdir, open, realpath } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

import { AgentError } from "../agent-error.ts";

/**
 * The folder that an agent's file tools may touch. Paths are relative to it.
 *
 * **Contract:** a path that leaves the folder, by `..` or by a symbolic link, is refused with `AGENT_PATH_REFUSED`
 * before anything is opened. (Somebody who changes the folder at the very same time can still race this; shell
 * commands are not confined to the folder at all.)
 */
export class Workspace {
  /** The folder itself, absolute, links resolved. */
  readonly root: string;

  constructor(root: string) {
    this.root = realpathSync(root);
  }

  /** Absolute path of something that is there. */
  async existing(path: string): Promise<string> {
    const real = await realpath(this.#inside(path));
    if (!this.#holds(real)) throw refused(path, "a link in it leads out of the workspace");
    return real;
  }

  /** Opens a file for reading. Fails for what is no regular file, so that a pipe cannot hold a tool up. */
  async openForReading(path: string): Promise<FileHandle> {
    const real = await this.existing(path);
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    const file = await open(real, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
    if ((await file.stat()).isFile()) return file;
    await file.close();
    throw refused(path, "it is not a file");
  }

  /** Opens a file for writing, empty; makes the folders that it lies in. */
  async openForWriting(path: string): Promise<FileHandle> {
    const target = this.#inside(path);
    if (target === this.root) throw refused(path, "it is the workspace itself");
    const folder = dirname(target);
    await this.#checkAncestor(folder, path);
    await mkdir(folder, { recursive: true });
    const realFolder = await realpath(folder);
    if (!this.#holds(realFolder)) throw refused(path, "a link in it leads out of the workspace");
    const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
    const real = join(realFolder, basename(target));
    try {
      return await open(real, O_WRONLY | O_CREAT | O_TRUNC | (O_NOFOLLOW ?? 0), 0o644);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ELOOP") throw refused(path, "it is a link");
      throw error;
    }
  }

  /** The path as tools name it: relative, with `/`, `.` for the folder itself. */
  display(absolute: string): string {
    const path = relative(this.root, absolute).split(sep).join("/");
    return path === "" ? "." : path;
  }

  #inside(path: string): string {
    if (path.includes("\0")) throw refused(path.replaceAll("\0", "\\0"), "it holds a NUL");
    if (isAbsolute(path)) throw refused(path, "it must be relative to the workspace");
    const target = resolve(this.root, path);
    if (!this.#holds(target)) throw refused(path, "it lies outside of the workspace");
    return target;
  }

  /** The nearest folder that is there already must lie inside, or folders would be made behind a link. */
  async #checkAncestor(folder: string, path: string): Promise<void> {
    for (let current = folder; ; current = dirname(current)) {
      try {
        if (this.#holds(await realpath(current))) return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT" && current !== this.root) continue;
        throw error;
      }
      throw refused(path, "a link in it leads out of the workspace");
    }
  }

  #holds(absolute: string): boolean {
    return absolute === this.root || absolute.startsWith(this.root + sep);
  }
}

function refused(path: string, why: string): AgentError {
  return new AgentError("AGENT_PATH_REFUSED", `"${path}" is refused: ${why}`);
}
