import type { HookName, ObserverEvents } from "../contract/events.ts";
import type { LifecycleContext } from "./context.ts";

/**
 * Something that was opened and closes exactly once: by its own methods, by the end of what it lies in, or by
 * `using`. A second close fires nothing and is counted as the deviation `late_close`.
 */
export abstract class Handle implements Disposable {
  protected readonly lifecycle: LifecycleContext;
  readonly #parent: Handle | undefined;
  readonly #open = new Set<Handle>();
  #isOpen = true;

  constructor(lifecycle: LifecycleContext, parent: Handle | undefined) {
    this.lifecycle = lifecycle;
    this.#parent = parent;
    parent?.adopt(this);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Closes it as something that was left without an outcome. */
  protected abstract abandon(): void;

  [Symbol.dispose](): void {
    if (this.#isOpen) this.abandon();
  }

  /** True once: what is still open below is closed first. `hook` is the event that a second close would have fired. */
  protected close(hook: HookName): boolean {
    if (!this.#isOpen) {
      this.lifecycle.deviate("late_close", hook);
      return false;
    }
    for (const child of [...this.#open].reverse()) child[Symbol.dispose]();
    this.#isOpen = false;
    this.#parent?.release(this);
    return true;
  }

  protected emit<Name extends HookName>(name: Name, build: () => ObserverEvents[Name]): void {
    this.lifecycle.emit(name, build);
  }

  private adopt(child: Handle): void {
    this.#open.add(child);
  }

  private release(child: Handle): void {
    this.#open.delete(child);
  }
}
