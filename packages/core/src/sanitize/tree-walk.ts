import { Budget } from "./budget.ts";
import { entryPrice, itemPrice } from "./byte-cost.ts";
import { FieldsFilling } from "./fields-filling.ts";
import { messageList, tokenName, valueName } from "./key-rules.ts";
import type { KeyTexts } from "./key-texts.ts";
import { type ListReading, inOrder, isAlike, nothing } from "./list-reading.ts";
import { cutKey, cutPart, cutWhole, unreadable } from "./markers.ts";
import { hasRole, isPlainObject, jsonOf, lengthOf } from "./object-reading.ts";
import type { Compared } from "./recent-results.ts";
import { Replacements } from "./replacements.ts";
import type { ReportCounters } from "./report.ts";
import { SecretFields, inList, newestFirst, schemaOfSecret, special } from "./secret-fields.ts";
import { type FieldsShape, type Shape, bigintText, builtInShape, ownFields } from "./shapes.ts";
import type { TextLimiter } from "./text-limiter.ts";
import type { WalkParts } from "./walk-parts.ts";

/** Lists of messages are built before their siblings down to here, so that nothing before them uses up the limits. */
const deepestEarly = 3;
const longestSymbol = 256;
/** Results beyond this, in bytes at most, are not kept for comparison. */
const mostRemembered = 8_388_608;

/** One pass over one value; what it builds is frozen as it is finished. */
export class TreeWalk {
  readonly #parts: WalkParts;
  readonly #counters: ReportCounters;
  readonly #instead: Replacements;
  readonly #keys: KeyTexts;
  readonly #texts: TextLimiter;
  readonly #breadth: number;
  readonly #depth: number;
  readonly #secrets: SecretFields;
  readonly #budget: Budget;
  readonly #path: object[] = [];
  #rootNames: readonly string[] | undefined;
  #hasRecent = false;
  /** Objects that were found to be those of the recent result, and others. */
  #alike = 0;
  #built = 0;

  constructor(parts: WalkParts) {
    this.#parts = parts;
    this.#counters = parts.counters;
    this.#instead = new Replacements(parts.counters);
    this.#keys = parts.keys;
    this.#texts = parts.texts;
    this.#breadth = parts.limits.breadth;
    this.#depth = parts.limits.depth;
    this.#secrets = new SecretFields(parts, this);
    this.#budget = new Budget(parts.limits);
  }

  /** The value as JSON, frozen. */
  walk(value: unknown): unknown {
    const result = this.child(value, 0);
    if (this.#rootNames !== undefined && typeof result === "object" && result !== null) {
      if (this.#budget.bound <= mostRemembered)
        this.#parts.recent.remember(this.#rootNames, result, this.#compared());
    }
    return result;
  }

  /**
   * Any value as JSON; `mode` is what is handed down from the key that it stands under, `before` what stood at this
   * place in an earlier result. As far as the result is like `before`, it is `before`: neither built nor frozen again.
   */
  child(value: unknown, mode: number, before?: unknown): unknown {
    switch (typeof value) {
      case "string":
        return this.text(value, before);
      case "number":
        return this.#instead.number(value);
      case "object":
        return value === null ? null : this.#container(value, mode, before);
      case "boolean":
        return value;
      case "bigint":
        this.#counters.converted("bigint");
        return this.text(bigintText(value));
      case "symbol":
        this.#counters.converted("symbol");
        return this.text(`<symbol ${String(value.description).slice(0, longestSymbol)}>`);
      case "function":
        this.#counters.converted("function");
        return "<function>";
      case "undefined":
        return null;
    }
  }

  /** A text, redacted and within the limits; one that came out of an earlier pass needs no other. */
  text(value: string, before?: unknown): string {
    if (!this.#budget.isBeyond(value.length)) {
      const text = value === before ? before : this.#texts.limit(value);
      if (this.#budget.payText(text)) return text;
    }
    this.#counters.cut("total");
    return cutWhole(value.length, "chars");
  }

  #container(value: object, mode: number, before: unknown): unknown {
    const path = this.#path;
    for (let index = path.length - 1; index >= 0; index--) {
      if (path[index] === value) return this.#instead.cycle();
    }
    if (path.length >= this.#depth) return this.#instead.tooDeep(value);
    const opened = this.#budget.depth;
    path.push(value);
    let result: unknown;
    try {
      result = this.#shaped(value, mode, before);
    } catch {
      // Whatever the object threw while it was looked at: a trap, a getter of its prototype, no stack left.
      this.#counters.unreadable();
      result = unreadable;
    }
    path.pop();
    this.#budget.closeTo(opened);
    return result;
  }

  #recent(names: readonly string[]): object | undefined {
    this.#rootNames = names;
    const recent = this.#parts.recent.like(names);
    this.#hasRecent = recent !== undefined;
    return recent;
  }

  #compared(): Compared {
    if (!this.#hasRecent) return "not";
    return this.#alike > this.#built ? "usefully" : "in vain";
  }

  #shaped(value: object, mode: number, before: unknown): unknown {
    if (Array.isArray(value)) return this.#list(value, lengthOf(value), mode, before);
    const isPlain = isPlainObject(value);
    if (isPlain && !Object.hasOwn(value, "toJSON")) {
      const names = Object.keys(value);
      const shape: FieldsShape = { kind: "fields", names, source: value, total: names.length };
      return this.#fields(shape, mode, before);
    }
    const shape = isPlain ? undefined : this.#builtIn(value);
    if (shape !== undefined) return this.#shape(shape, mode);
    const json = jsonOf(value);
    return json === value ? this.#shape(ownFields(value), mode) : this.#fromJson(json, mode);
  }

  #builtIn(value: object): Shape | undefined {
    const { isErrorStackKept } = this.#parts;
    try {
      return builtInShape(value, { breadth: this.#breadth, isErrorStackKept });
    } catch {
      // Something that only says it is built in, or a prototype that throws: its own fields are still worth a try.
      return undefined;
    }
  }

  /** What `toJSON` returned takes the object's place; its own `toJSON` is not called. */
  #fromJson(json: unknown, mode: number): unknown {
    this.#counters.converted("to_json");
    if (typeof json !== "object" || json === null) return this.child(json, mode);
    if (this.#path.includes(json)) return this.#instead.cycle();
    this.#path[this.#path.length - 1] = json;
    if (Array.isArray(json)) return this.#list(json, lengthOf(json), mode, undefined);
    return this.#shape(this.#builtIn(json) ?? ownFields(json), mode);
  }

  #shape(shape: Shape, mode: number): unknown {
    if (shape.converted !== undefined) this.#counters.converted(shape.converted);
    if (shape.kind === "scalar") return this.child(shape.value, mode);
    if (shape.kind === "list") return this.#list(shape.items, shape.total, mode, undefined);
    return this.#fields(shape, mode, undefined);
  }

  #list(items: readonly unknown[], total: number, mode: number, before: unknown): unknown {
    const built: unknown[] = [];
    const places = this.#budget.open(Math.min(total, this.#breadth), itemPrice, built);
    if (places === 0 && total > 0) return this.#instead.tooMuch(total, "items");
    // The last item is read once, here: its getter may be called at most once.
    const hasLast = total > 1 && items.length === total;
    const last = hasLast ? this.#instead.read(items, total - 1) : undefined;
    const known: readonly unknown[] = Array.isArray(before) ? before : nothing;
    const list: ListReading = { items, total, hasLast, last, known, built };
    const inner = (mode & schemaOfSecret) | inList;
    const kept = places === total ? total : places - 1;
    return hasLast && ((mode & newestFirst) !== 0 || hasRole(last))
      ? this.#newestFirst(list, kept, inner)
      : this.#oldestFirst(list, kept, inner);
  }

  #oldestFirst(list: ListReading, kept: number, mode: number): unknown {
    const { items, total, hasLast, last, known, built } = list;
    for (let index = 0; index < kept; index++) {
      const item = hasLast && index === total - 1 ? last : this.#instead.read(items, index);
      built.push(this.child(item, mode, known[index]));
    }
    if (kept < total) built.push(this.#instead.cutItems(total - kept, total));
    return this.#finishList(built, known);
  }

  /** The last, then the first of all, which sets the task, then backwards as far as the limits reach. */
  #newestFirst(list: ListReading, kept: number, mode: number): unknown {
    const { items, total, last, known, built } = list;
    if (kept > 0) built.push(this.child(last, mode, known[total - 1]));
    if (kept > 1) built.push(this.child(this.#instead.read(items, 0), mode, known[0]));
    for (let back = 2; back < kept; back++) {
      const index = total - back;
      built.push(this.child(this.#instead.read(items, index), mode, known[index]));
    }
    if (kept < total)
      built.splice(Math.min(2, kept), 0, this.#instead.cutItems(total - kept, total));
    return this.#finishList(inOrder(built, kept, kept < total), known);
  }

  #finishList(out: unknown[], known: readonly unknown[]): unknown {
    this.#secrets.settleList(out);
    return isAlike(out, known) ? known : Object.freeze(out);
  }

  #fields(shape: FieldsShape, mode: number, before: unknown): unknown {
    const { names, total } = shape;
    const filling = new FieldsFilling(this.#path.length === 1 ? this.#recent(names) : before);
    const places = this.#budget.open(Math.min(total, this.#breadth), entryPrice, filling);
    if (places === 0 && total > 0) return this.#instead.tooMuch(total, "keys");
    if (this.#path.length <= deepestEarly && (mode & inList) === 0) {
      this.#messagesFirst(shape, mode, filling);
    }
    const most = Math.min(places === total ? total : places - 1, names.length);
    const done = this.#fill(filling, shape, most, mode);
    if (done < total) {
      this.#counters.cut("object");
      filling.written()[cutKey] = cutPart(total - done, total, "keys");
    }
    const out = filling.finish();
    if (out === before) this.#alike += 1;
    else this.#built += 1;
    return out;
  }

  /** Builds at most `most` of the fields, and says how many. */
  #fill(filling: FieldsFilling, shape: FieldsShape, most: number, mode: number): number {
    const { names } = shape;
    let done = 0;
    for (; done < most; done++) {
      // `most` is not more than there are names.
      const key = filling.key(names[done] as string, this.#keys);
      const value =
        filling.early?.has(done) === true
          ? this.#placeEarly(filling.early.get(done))
          : this.#valueAt(shape, done, key.flags | mode, filling.before(key.text));
      if (value === undefined) continue;
      if (!this.#budget.payKey(key.text, value)) break;
      filling.add(key, value);
    }
    if ((filling.flags & (tokenName | valueName)) !== 0) {
      this.#secrets.settle(filling.written(), mode);
    }
    return done;
  }

  #placeEarly(value: unknown): unknown {
    this.#budget.placeEarly(value);
    return value;
  }

  /** Builds the lists of messages among the fields before their turn. */
  #messagesFirst(shape: FieldsShape, mode: number, filling: FieldsFilling): void {
    const most = Math.min(shape.names.length, this.#breadth);
    for (let index = 0; index < most; index++) {
      const name = shape.names[index] as string;
      const flags = this.#keys.flags(name);
      if ((flags & messageList) === 0) continue;
      const value = this.#valueAt(shape, index, flags | mode, filling.before(name));
      this.#budget.holdEarly(value);
      filling.early ??= new Map();
      filling.early.set(index, value);
    }
  }

  /** One field; undefined leaves it out, as JSON does. `flags` are those of the key and what is handed down. */
  #valueAt(shape: FieldsShape, index: number, flags: number, before: unknown): unknown {
    const { values } = shape;
    const value =
      values === undefined
        ? this.#instead.read(shape.source, shape.names[index] as string)
        : values[index];
    if (value === undefined) return undefined;
    if ((flags & special) !== 0) return this.#secrets.value(value, flags, before);
    return typeof value === "string" ? this.text(value, before) : this.child(value, 0, before);
  }
}
