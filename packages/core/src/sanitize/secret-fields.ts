import {
  messageList,
  schemaKeyword,
  schemaMap,
  sensitive,
  strong,
  tokenName,
} from "./key-rules.ts";
import type { KeyTexts } from "./key-texts.ts";
import { isMarker, mask } from "./markers.ts";
import type { ReportCounters } from "./report.ts";

/** The keys of this object are names of properties in a JSON Schema. */
const namesOfProperties: number = 1 << 16;
/** This value stands in the schema of a secret property: its defaults and examples are secret. */
export const schemaOfSecret: number = 1 << 17;
/** This list is cut from its oldest end. */
export const newestFirst: number = 1 << 18;
/** This value is an item of a list. */
export const inList: number = 1 << 19;
/** A field with none of these flags is just a value. */
export const special: number =
  sensitive | messageList | schemaMap | namesOfProperties | schemaOfSecret;

const longestName = 128;
const option = /^--[A-Za-z0-9][A-Za-z0-9_-]{1,62}$/;

/** What {@link SecretFields} asks of the walk that it serves. */
export interface ValueWalk {
  /** Any value as JSON; `mode` is what is handed down. */
  child(value: unknown, mode: number, before?: unknown): unknown;
  /** A text, redacted and within the limits. */
  text(value: string): string;
}

/** What {@link SecretFields} goes by. */
export interface SecretFieldsParts {
  readonly counters: ReportCounters;
  readonly keys: KeyTexts;
  readonly nameFields: readonly string[];
  readonly isPlaceholder: (value: string) => boolean;
}

/** Decides by the name of a field what is shown of its value. */
export class SecretFields {
  readonly #parts: SecretFieldsParts;
  readonly #walk: ValueWalk;

  constructor(parts: SecretFieldsParts, walk: ValueWalk) {
    this.#parts = parts;
    this.#walk = walk;
  }

  /** The value of a field; `flags` are those of its key and what is handed down, `before` is an earlier result's. */
  value(value: unknown, flags: number, before: unknown): unknown {
    const isName = (flags & namesOfProperties) !== 0;
    if ((flags & schemaOfSecret) !== 0) {
      if (isName) return this.#schema(value, strong, innerMode(flags));
      if ((flags & schemaKeyword) !== 0) return this.#walk.child(value, innerMode(flags));
      return this.#secret(value, strong);
    }
    if ((flags & sensitive) === 0) return this.#walk.child(value, innerMode(flags), before);
    if (isName) return this.#schema(value, flags, schemaOfSecret);
    // Whether it is a piece of text with its probability is known when all fields are there.
    return (flags & tokenName) === 0 ? this.#secret(value, flags) : this.#walk.child(value, 0);
  }

  /** Judges by what stands beside them: a `token` without its `logprob`, a `value` with a secret's `name`. */
  settle(out: Record<PropertyKey, unknown>, mode: number): void {
    const isSchema = (mode & namesOfProperties) !== 0 && typeof out["token"] === "object";
    if (Object.hasOwn(out, "token") && typeof out["logprob"] !== "number" && !isSchema) {
      out["token"] = this.#secret(out["token"], strong);
    }
    if (!Object.hasOwn(out, "value")) return;
    if (this.#parts.nameFields.some((field) => this.#isSecretName(out, field))) {
      out["value"] = this.#secret(out["value"], strong);
    }
  }

  /** Masks what follows an option such as `--password`. */
  settleList(out: unknown[]): void {
    for (let index = 1; index < out.length; index++) {
      const before = out[index - 1];
      if (typeof before !== "string" || !before.startsWith("--")) continue;
      if (this.#isArgument(before, out[index])) out[index] = this.#secret(out[index], strong);
    }
  }

  /** The schema of a secret property; what is no schema is the secret itself. */
  #schema(value: unknown, flags: number, mode: number): unknown {
    if (typeof value !== "object" || value === null) return this.#secret(value, flags);
    const schema = this.#walk.child(value, mode);
    return typeof schema === "object" ? schema : this.#secret(schema, flags);
  }

  /** Masks a value, unless it holds nothing. */
  #secret(value: unknown, flags: number): unknown {
    let shown = value;
    if (typeof value !== "string") {
      const isKept = (flags & strong) === 0 || value === null || typeof value === "boolean";
      if (isKept || typeof value === "function") shown = this.#walk.child(value, 0);
      // What was written as text is judged as text, since that is what the next pass sees.
      if (isKept && typeof shown !== "string") return shown;
    }
    if (typeof shown === "string" && this.#saysNothing(shown)) return this.#walk.text(shown);
    this.#parts.counters.masked("key");
    return mask;
  }

  #saysNothing(text: string): boolean {
    return text === "" || isMarker(text) || this.#parts.isPlaceholder(text);
  }

  #isSecretName(out: Record<PropertyKey, unknown>, field: string): boolean {
    const name = Object.hasOwn(out, field) ? out[field] : undefined;
    if (typeof name !== "string" || name.length > longestName || name.includes("<")) return false;
    return this.#parts.keys.isSecretName(name);
  }

  #isArgument(before: string, item: unknown): boolean {
    if (typeof item !== "string" || item.startsWith("-") || !option.test(before)) return false;
    return this.#parts.keys.isSecretName(before.slice(2));
  }
}

/** What is handed down to the value of a key. */
function innerMode(flags: number): number {
  const isMap = (flags & schemaMap) !== 0 && (flags & namesOfProperties) === 0;
  return (
    (isMap ? namesOfProperties : 0) |
    ((flags & messageList) === 0 ? 0 : newestFirst) |
    (flags & schemaOfSecret)
  );
}
