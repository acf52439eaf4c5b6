import type { KeyRuleData } from "./rule-types.ts";

/** The name says that the value is secret, whatever the value is. */
export const strong = 1;
/** The name says that the value is secret if it is text. */
const weak = 2;
/** A list under this name holds messages: it is cut from its oldest end. */
export const messageList = 4;
/** The keys below this name are names of properties in a JSON Schema. */
export const schemaMap = 8;
/** The name is a keyword of JSON Schema. */
export const schemaKeyword = 16;
/** The name is exactly `token`, as providers name the pieces of text beside a `logprob`. */
export const tokenName = 64;
/** The name is `value`: a sibling may name what it is the value of. */
export const valueName = 128;
/** A password of a kind that may hold blanks. */
export const password = 256;
/** A header such as `Authorization` or `Cookie`. */
export const header = 512;
/** Written like an environment variable. */
export const upperCase = 1024;
/** Secret as the name of a query parameter of a URL. */
export const queryName = 2048;
/** Secret, by whatever rule. */
export const sensitive: number = strong | weak;

/** How much of a name is looked at: its end, where the telling word stands. */
const longestName = 128;
const mostRemembered = 8_192;
/** What a mask says of a secret that stood in the name is no word of the name. */
const ownMasks = /<redacted(?::[a-z0-9-]{1,40})?>/g;

/** The form in which names are compared: camelCase split, everything else to `_`, lower case, between two `_`. */
function normaliseName(name: string): string {
  const words = name
    .slice(-longestName)
    .replace(ownMasks, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toLowerCase();
  return `${words.startsWith("_") ? "" : "_"}${words}${words.endsWith("_") && words !== "_" ? "" : "_"}`;
}

/** Names that the operator adds to or takes from the rules. */
export interface NameOptions {
  readonly sensitiveKeys?: readonly string[];
  readonly harmlessKeys?: readonly string[];
}

/** Says of a name what its value may be. Answers are remembered, for a bounded number of names. */
export class KeyRules {
  readonly #flags = new Map<string, number>();
  readonly #exact = new Map<string, number>();
  readonly #added: ReadonlySet<string>;
  readonly #removed: ReadonlySet<string>;
  readonly #query: ReadonlySet<string>;
  readonly #strong: RegExp;
  readonly #weak: RegExp;
  readonly #environment: RegExp;
  readonly #environmentAllowed: RegExp;
  readonly #allowed: RegExp;
  readonly #password: RegExp;
  readonly #header: RegExp;

  constructor(data: KeyRuleData, options: NameOptions) {
    this.#added = new Set(options.sensitiveKeys?.map(normaliseName));
    this.#removed = new Set(options.harmlessKeys?.map(normaliseName));
    this.#query = new Set(data.queryNames.map(normaliseName));
    this.#strong = anyOf(data.strong);
    this.#weak = anyOf(data.weak);
    this.#environment = anyOf(data.environment);
    this.#environmentAllowed = anyOf(data.environmentAllowed);
    this.#allowed = anyOf(data.allowed);
    this.#password = new RegExp(data.passwords);
    this.#header = new RegExp(data.headers);
    this.#setExact(data.messageLists, messageList);
    this.#setExact(data.schemaMaps, schemaMap);
    this.#setExact(data.schemaKeywords, schemaKeyword);
    this.#setExact(["token"], tokenName);
    this.#setExact(["value"], valueName);
  }

  /** The flags of a name. */
  flags(name: string): number {
    let flags = this.#flags.get(name);
    if (flags !== undefined) return flags;
    flags = this.#judge(name);
    if (name.length > longestName) return flags;
    if (this.#flags.size >= mostRemembered) this.#flags.clear();
    this.#flags.set(name, flags);
    return flags;
  }

  #judge(name: string): number {
    const normal = normaliseName(name);
    const isUpper = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/.test(name.slice(0, longestName));
    let flags = (this.#exact.get(name) ?? 0) | this.#secrecy(normal, isUpper);
    if (isUpper) flags |= upperCase;
    if (this.#password.test(normal)) flags |= password;
    if (this.#header.test(normal)) flags |= header;
    if ((flags & sensitive) !== 0 || this.#query.has(normal)) flags |= queryName;
    return flags;
  }

  #secrecy(normal: string, isUpper: boolean): number {
    if (this.#removed.has(normal)) return 0;
    if (this.#added.has(normal)) return strong;
    if (this.#allowed.test(normal)) return 0;
    if (this.#strong.test(normal)) return strong;
    if (this.#weak.test(normal)) return weak;
    const isKey = isUpper && this.#environment.test(normal);
    return isKey && !this.#environmentAllowed.test(normal) ? weak : 0;
  }

  #setExact(names: readonly string[], flag: number): void {
    for (const name of names) this.#exact.set(name, (this.#exact.get(name) ?? 0) | flag);
  }
}

function anyOf(patterns: readonly string[]): RegExp {
  return new RegExp(patterns.map((pattern) => `(?:${pattern})`).join("|"));
}
