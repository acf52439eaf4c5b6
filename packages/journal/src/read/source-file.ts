import * as fs from "node:fs";

const maxOpen = 64;
const noFollow = fs.constants.O_NOFOLLOW ?? 0;

/**
 * Descriptors of the files that are being read. A session may have more files than a process may have descriptors:
 * the one longest unused is closed and opened again when it is needed.
 */
export class SourcePool {
  readonly #open = new Set<SourceFile>();

  source(path: string): SourceFile {
    return new SourceFile(path, this);
  }

  /** @internal */
  opened(file: SourceFile): void {
    if (this.#open.size >= maxOpen) {
      for (const oldest of this.#open) {
        oldest.close();
        break;
      }
    }
    this.#open.add(file);
  }

  /** @internal */
  closed(file: SourceFile): void {
    this.#open.delete(file);
  }
}

/** One file that is read at given places. No symbolic link is followed. */
export class SourceFile {
  readonly path: string;
  readonly #pool: SourcePool;
  #fd = -1;

  constructor(path: string, pool: SourcePool) {
    this.path = path;
    this.#pool = pool;
  }

  /** Reads up to `length` bytes into `into`; fewer at the end of the file. @throws the system's error. */
  read(into: Buffer, length: number, position: number): number {
    this.#open();
    let done = 0;
    while (done < length) {
      const count = fs.readSync(this.#fd, into, done, length - done, position + done);
      if (count === 0) break;
      done += count;
    }
    return done;
  }

  /** Length of the file now. @throws the system's error. */
  size(): number {
    this.#open();
    return fs.fstatSync(this.#fd).size;
  }

  close(): void {
    if (this.#fd === -1) return;
    fs.closeSync(this.#fd);
    this.#fd = -1;
    this.#pool.closed(this);
  }

  #open(): void {
    if (this.#fd !== -1) return;
    this.#fd = fs.openSync(this.path, fs.constants.O_RDONLY | noFollow);
    this.#pool.opened(this);
  }
}
