import * as fs from "node:fs";
import { existsSync } from "node:fs";

const { O_APPEND, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = fs.constants;
/** Windows lacks these flags (and POSIX modes): what they give is not promised there. */
const noFollow = O_NOFOLLOW ?? 0;
const onlyDirectory = O_DIRECTORY ?? 0;
const descriptorFolder = "/proc/self/fd";
const hasDescriptorFolder = process.platform === "linux" && existsSync(descriptorFolder);

/**
 * Creates a new file 0600 in `<root>/<folder>/`, making both folders 0700 where they are missing, and returns its
 * descriptor. No symbolic link below the root is followed: not the folder's, not the file's.
 *
 * @throws the system's error; `EEXIST` when the name is taken.
 */
export function createFile(root: string, folder: string, name: string): number {
  makeFolders(root, folder);
  return openInFolder(`${root}/${folder}`, name, O_WRONLY | O_APPEND | O_CREAT | O_EXCL);
}

/** Opens a file that `createFile` made once more, under the same rules. */
export function reopenFile(
  root: string,
  folder: string,
  name: string,
): { readonly fd: number; readonly size: number } {
  const fd = openInFolder(`${root}/${folder}`, name, O_WRONLY | O_APPEND);
  try {
    return { fd, size: fs.fstatSync(fd).size };
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
}

function makeFolders(root: string, folder: string): void {
  try {
    fs.mkdirSync(`${root}/${folder}`, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    if (code !== "ENOENT") throw error;
    fs.mkdirSync(root, { recursive: true, mode: 0o700 });
    fs.mkdirSync(`${root}/${folder}`, { mode: 0o700 });
  }
}

/**
 * The folder is opened first, without following a link, and the file through that descriptor where the system has
 * `/proc/self/fd`: so nobody can put a link in the folder's place between the two.
 */
function openInFolder(folder: string, name: string, flags: number): number {
  if (process.platform === "win32") return fs.openSync(`${folder}/${name}`, flags, 0o600);
  const folderFd = fs.openSync(folder, O_RDONLY | onlyDirectory | noFollow);
  try {
    const base = hasDescriptorFolder ? `${descriptorFolder}/${String(folderFd)}` : folder;
    return fs.openSync(`${base}/${name}`, flags | noFollow, 0o600);
  } finally {
    fs.closeSync(folderFd);
  }
}
