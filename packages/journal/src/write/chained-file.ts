import * as fs from "node:fs";
import { zeroHash } from "../format.ts";
import { createFile, reopenFile } from "./safe-open.ts";
import type { RecordBuffer } from "./record-buffer.ts";

/** The system calls of an append; tests of disk failures pass others. */
export interface FileCalls {
  write(fd: number, bytes: Buffer, offset: number, length: number): number;
  truncate(fd: number, size: number): void;
  sync(fd: number): void;
}

/** The real ones. */
export const nodeFileCalls: FileCalls = {
  write: fs.writeSync,
  truncate: fs.ftruncateSync,
  sync: fs.fdatasyncSync,
};

/** What another thread needs to go on with a file. */
export interface ChainedFileState {
  readonly directory: string;
  readonly name: string;
  readonly created: boolean;
  readonly size: number;
  readonly prev: string;
  readonly torn: boolean;
}

/** One append-only file of chained records: at the end of each successful write it ends with a whole record. */
export class ChainedFile {
  readonly directory: string;
  readonly name: string;
  fd = -1;
  created = false;
  /** Length of the file as far as this writer knows it. */
  size = 0;
  /** Hash of the last whole record. */
  prev: string = zeroHash;
  /** A failed write left bytes behind that could not be taken back: the next write begins with a line break. */
  torn = false;
  /** How long the system calls of the last write took, in milliseconds. */
  writeMs = 0;
  /** How many of the records of the last write stand in the file: all, or, of one that failed, mostly none. */
  landed = 0;
  /** Written to since the last sync. */
  dirty = false;
  readonly #calls: FileCalls;

  constructor(directory: string, name: string, calls: FileCalls) {
    this.directory = directory;
    this.name = name;
    this.#calls = calls;
  }

  get path(): string {
    return `${this.directory}/${this.name}`;
  }

  state(): ChainedFileState {
    const { directory, name, created, size, prev, torn } = this;
    return { directory, name, created, size, prev, torn };
  }

  restore(state: ChainedFileState): void {
    this.created = state.created;
    this.size = state.size;
    this.prev = state.prev;
    this.torn = state.torn;
  }

  /** Opens for appending; creates the file the first time. @throws the system's error, `EEXIST` when the name is taken. */
  open(root: string): void {
    if (!this.created) {
      this.fd = createFile(root, this.directory, this.name);
      this.created = true;
      return;
    }
    const reopened = reopenFile(root, this.directory, this.name);
    this.fd = reopened.fd;
    // Somebody else's bytes may end without a line break; ours must not continue them.
    if (reopened.size === this.size) return;
    this.size = reopened.size;
    this.torn = true;
  }

  /** Writes the whole buffer, or leaves the file as it was and throws the system's error. */
  write(buffer: RecordBuffer, prev: string): void {
    const { bytes, length } = buffer;
    const start = performance.now();
    this.dirty = true;
    let done = 0;
    try {
      done = this.#calls.write(this.fd, bytes, 0, length);
      while (done < length) {
        const more = this.#calls.write(this.fd, bytes, done, length - done);
        if (more === 0) throw Object.assign(new Error("write took no byte"), { code: "EIO" });
        done += more;
      }
    } catch (error) {
      this.landed = 0;
      if (done > 0) this.#undo(buffer, done);
      // Only the last line break is missing: everything is recorded.
      if (this.landed === buffer.records) return;
      throw error;
    } finally {
      this.writeMs = performance.now() - start;
    }
    this.size += length;
    this.prev = prev;
    this.landed = buffer.records;
    this.torn = false;
  }

  sync(): void {
    if (!this.dirty || this.fd === -1) return;
    this.#calls.sync(this.fd);
    this.dirty = false;
  }

  close(): void {
    if (this.fd === -1) return;
    const fd = this.fd;
    this.fd = -1;
    try {
      fs.closeSync(fd);
    } catch {
      // The records are written; a descriptor that cannot be closed is gone either way.
    }
  }

  #undo(buffer: RecordBuffer, partialBytes: number): void {
    try {
      this.#calls.truncate(this.fd, this.size);
    } catch {
      // The partial line stays: the next write begins on a new line, and readers report the damaged span. Records
      // before it in the same write are whole, and the chain goes on from them.
      const { count, hash } = buffer.wholeWithin(partialBytes);
      this.size += partialBytes;
      this.prev = hash ?? this.prev;
      this.landed = count;
      this.torn = true;
    }
  }
}
