import { equals, isBlank, isNameCharacter, skipBlanks, codeAt } from "./characters.ts";
import type { Edit } from "./edits.ts";
import { type KeyRules, queryName, sensitive } from "./key-rules.ts";
import { mask } from "./markers.ts";
import { NameReader } from "./name-reader.ts";
import type { PlainValueData } from "./rule-types.ts";
import type { TextCodes } from "./text-codes.ts";
import { ValueReader, isNameStart } from "./value-reader.ts";

const hyphen = 45;
const slash = 47;
const longestTag = 64;
const longestOpening = 256;
const longestContent = 4_096;

/** Finds values that stand behind a secret's name: `NAME=value`, `"name": "value"`, `--name value`, `<name>value</name>`. */
export class AssignmentScan {
  readonly #keys: KeyRules;
  readonly #isAnyName: boolean;
  readonly #name = new NameReader();
  readonly #value: ValueReader;

  /** With `isAnyName` no name is passed over for its letters: the operator added names of their own. */
  constructor(keys: KeyRules, data: PlainValueData, isAnyName: boolean) {
    this.#keys = keys;
    this.#isAnyName = isAnyName;
    this.#value = new ValueReader(data);
  }

  /** Adds an edit for every value found; true if an address with `://` was seen on the way. */
  scan(text: string, codes: TextCodes, edits: Edit[]): boolean {
    this.#value.reset(text);
    this.#scanOptions(text, codes, edits);
    this.#scanElements(text, edits);
    return this.#scanSeparators(text, codes, edits);
  }

  #scanSeparators(text: string, codes: TextCodes, edits: Edit[]): boolean {
    let hasAddress = false;
    let colonAt = nextOf(text, ":", 0);
    let equalsAt = nextOf(text, "=", 0);
    while (colonAt < text.length || equalsAt < text.length) {
      const separator = Math.min(colonAt, equalsAt);
      let next = separator + 1;
      if (codes.at(next) === slash && codes.at(next + 1) === slash) {
        hasAddress = true;
      } else if (this.#name.read(codes, separator, this.#isAnyName)) {
        const edit = this.#readAt(text, separator);
        next = Math.max(next, this.#value.next);
        if (edit !== undefined) edits.push(edit);
      }
      if (colonAt < next) colonAt = nextOf(text, ":", next);
      if (equalsAt < next) equalsAt = nextOf(text, "=", next);
    }
    return hasAddress;
  }

  #readAt(text: string, separator: number): Edit | undefined {
    const name = this.#name;
    this.#value.next = separator + 1;
    const before = text.charAt(name.start - 1);
    const isQuery = codeAt(text, separator) === equals && /[?&;#]/.test(before);
    let nameStart = name.start;
    let flags = this.#flags(text, nameStart, name.end);
    // The n of a serialised line feed is no part of the name behind it.
    if (before === "\\" && /[nrt]/.test(text.charAt(nameStart)) && name.end - nameStart > 1) {
      const inner = this.#flags(text, nameStart + 1, name.end);
      if ((inner & sensitive) !== 0) {
        flags = inner;
        nameStart += 1;
      }
    }
    const wanted = isQuery && before !== ";" ? sensitive | queryName : sensitive;
    if ((flags & wanted) === 0) return undefined;
    return this.#value.read(separator, {
      flags,
      nameStart,
      level: name.level,
      quote: name.quote,
      isQuery,
    });
  }

  /** The flags of a name; `key` and `code` take the word before them along, as in `API key`. */
  #flags(text: string, start: number, end: number): number {
    const flags = this.#keys.flags(text.slice(start, end));
    if ((flags & sensitive) !== 0 || end - start > 6) return flags;
    if (
      !isBlank(codeAt(text, start - 1)) ||
      !/^(?:keys?|codes?|phrase|tokens)$/i.test(text.slice(start, end))
    ) {
      return flags;
    }
    let from = start - 1;
    while (from > 0 && start - from < 24 && isNameCharacter(codeAt(text, from - 1))) from -= 1;
    return flags | this.#keys.flags(text.slice(from, end));
  }

  #scanOptions(text: string, codes: TextCodes, edits: Edit[]): void {
    let next = 0;
    for (let at = text.indexOf("--"); at !== -1; at = text.indexOf("--", next)) {
      next = at + 2;
      if (isNameStart(text, at)) next = this.#readOption(text, codes, next, edits);
    }
  }

  /** Reads the option whose name begins at `start`, and says where to go on. */
  #readOption(text: string, codes: TextCodes, start: number, edits: Edit[]): number {
    let end = start;
    while (end < start + longestTag && isNameCharacter(codes.at(end))) end += 1;
    const value = skipBlanks(text, end);
    if (value === end || end < start + 2 || codes.at(value) === hyphen) return end;
    if ((this.#keys.flags(text.slice(start, end)) & sensitive) === 0) return end;
    const edit = this.#value.readArgument(value);
    if (edit !== undefined) edits.push(edit);
    return Math.max(end, this.#value.next);
  }

  #scanElements(text: string, edits: Edit[]): void {
    const first = text.indexOf("</");
    if (first === -1) return;
    let open = -1;
    let nextOpen = text.indexOf(">");
    for (let at = first; at !== -1; at = text.indexOf("</", at + 2)) {
      while (nextOpen !== -1 && nextOpen < at) {
        open = nextOpen;
        nextOpen = text.indexOf(">", nextOpen + 1);
      }
      let end = at + 2;
      while (end < at + 2 + longestTag && isNameCharacter(codeAt(text, end))) end += 1;
      const name = text.slice(at + 2, end);
      if ((this.#keys.flags(name) & sensitive) === 0 || !isOpenedBy(text, open, name)) continue;
      const content = text.slice(open + 1, Math.min(at, open + longestContent));
      if (!/^[^<"]*[^<"\s][^<"]*$/.test(content)) continue;
      edits.push({ start: open + 1, end: at, replacement: mask, rule: "assignment" });
    }
  }
}

/** Where the character occurs next; the length of the text if nowhere. */
function nextOf(text: string, character: string, from: number): number {
  const at = text.indexOf(character, from);
  return at === -1 ? text.length : at;
}

/** Whether the tag that ends at `end` opens an element of this name. */
function isOpenedBy(text: string, end: number, name: string): boolean {
  const before = text.slice(Math.max(0, end - longestOpening), Math.max(0, end));
  const tag = before.slice(before.lastIndexOf("<") + 1);
  return tag.startsWith(name) && /^(?:$|[\s/])/.test(tag.slice(name.length, name.length + 1));
}
