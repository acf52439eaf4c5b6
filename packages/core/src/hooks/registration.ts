import { decidingHooks } from "../contract/events.ts";
import { ObserverError } from "./errors.ts";
import type { DeciderOptions, Plugin } from "./plugin.ts";

/** Throws a coded error unless the plugin has a name and a `register`. */
export function checkPlugin(plugin: Plugin, isTaken: (name: string) => boolean): void {
  const { name } = plugin ?? {};
  if (typeof name !== "string" || name === "" || typeof plugin.register !== "function") {
    fail(
      "OBS_INVALID_PLUGIN",
      `expected { name: "…", register(ctx) {…} }, got ${describe(plugin)}`,
    );
  }
  if (isTaken(name)) {
    fail(
      "OBS_DUPLICATE_PLUGIN",
      `"${name}" is already registered; give the second one another name`,
    );
  }
}

/** Throws a coded error unless the host fires this hook. */
export function checkHook(hook: string, known: ReadonlySet<string>): void {
  if (known.has(hook)) return;
  const names = [...known].join(", ");
  fail("OBS_UNKNOWN_HOOK", `"${hook}" is none of ${names}; a host adds more by extraHooks`);
}

/** Throws a coded error unless the callback and its options fit the hook. */
export function checkCallback(
  hook: string,
  callback: unknown,
  options: DeciderOptions | undefined,
): void {
  if (typeof callback !== "function") {
    fail("OBS_INVALID_CALLBACK", `"${hook}" needs a function, got ${describe(callback)}`);
  }
  if (options === undefined) return;
  if (options.decides !== true) {
    fail(
      "OBS_INVALID_OPTION",
      `options of "${hook}" must hold decides: true; leave them out to observe`,
    );
  }
  if (!(decidingHooks as readonly string[]).includes(hook)) {
    fail(
      "OBS_NOT_A_DECIDING_HOOK",
      `"${hook}" does not decide; only ${decidingHooks.join(", ")} do`,
    );
  }
  const { timeoutMs = 1, onFailure = "allow" } = options;
  if (onFailure === "block" && hook !== "pre_tool_call") {
    fail("OBS_INVALID_OPTION", `only "pre_tool_call" can block; leave onFailure out for "${hook}"`);
  }
  if (!(timeoutMs > 0) || (onFailure !== "allow" && onFailure !== "block")) {
    fail("OBS_INVALID_OPTION", `"${hook}": timeoutMs must be > 0 and onFailure "allow" or "block"`);
  }
}

/** A few words on a value of which nothing is known. Never throws. */
export function describe(value: unknown): string {
  try {
    return value instanceof Error
      ? `${value.name}: ${value.message}`
      : value === null
        ? "null"
        : typeof value;
  } catch {
    return "a value that cannot be looked at";
  }
}

export function fail(code: ObserverError["code"], message: string, cause?: unknown): never {
  throw new ObserverError(code, message, { cause });
}
