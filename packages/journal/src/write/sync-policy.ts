import { fdatasync } from "node:fs";
import type { ChainedFile } from "./chained-file.ts";

/**
 * When written bytes are forced to the disk. `never`: whenever the system likes; a killed process loses nothing, a
 * power cut the last seconds. `interval`: once a second, off the emitting thread. `always`: before `append` returns.
 */
export type FsyncPolicy = "never" | "interval" | "always";

const intervalMs = 1000;

/** Applies the policy to the files that are written. */
export class SyncPolicy {
  readonly #policy: FsyncPolicy;
  readonly #onError: (error: unknown) => void;
  readonly #dirty = new Set<ChainedFile>();
  #timer: NodeJS.Timeout | undefined;

  constructor(policy: FsyncPolicy, onError: (error: unknown) => void) {
    this.#policy = policy;
    this.#onError = onError;
  }

  /** To be called after each write. @throws the system's error under `always`. */
  wrote(file: ChainedFile): void {
    if (this.#policy === "never") return;
    if (this.#policy === "always") {
      file.sync();
      return;
    }
    this.#dirty.add(file);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#syncLater();
    }, intervalMs).unref();
  }

  /** To be called before a descriptor is closed: afterwards there is nothing to sync by. */
  closing(file: ChainedFile): void {
    if (this.#dirty.delete(file)) this.#now(file);
  }

  syncAll(): void {
    for (const file of this.#dirty) this.#now(file);
    this.#dirty.clear();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.syncAll();
  }

  #syncLater(): void {
    for (const file of this.#dirty) {
      if (file.fd === -1) continue;
      file.dirty = false;
      fdatasync(file.fd, (error) => {
        // EBADF: the descriptor was closed meanwhile, after a sync of its own.
        if (error !== null && error.code !== "EBADF") this.#onError(error);
      });
    }
    this.#dirty.clear();
  }

  #now(file: ChainedFile): void {
    try {
      file.sync();
    } catch (error) {
      this.#onError(error);
    }
  }
}
