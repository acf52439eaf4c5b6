import { binary } from "./markers.ts";
import type { ConvertedKind } from "./report.ts";

/** An object seen as a list: `total` items, of which `items` holds the first ones. */
interface ListShape {
  readonly kind: "list";
  readonly items: readonly unknown[];
  readonly total: number;
  readonly converted?: ConvertedKind;
}

/** An object seen as fields: from `source` by name, or from `values` by position. `total` counts those not listed too. */
export interface FieldsShape {
  readonly kind: "fields";
  readonly names: readonly string[];
  readonly source: object;
  readonly values?: readonly unknown[];
  readonly total: number;
  readonly converted?: ConvertedKind;
}

/** An object that is one value: text of ours, or a primitive of the object's own. */
interface ScalarShape {
  readonly kind: "scalar";
  readonly value: unknown;
  readonly converted: ConvertedKind;
}

export type Shape = ListShape | FieldsShape | ScalarShape;

/** What {@link builtInShape} goes by. */
export interface ShapeOptions {
  /** How many entries of a `Map` or `Set` are taken at most. */
  readonly breadth: number;
  readonly isErrorStackKept: boolean;
}

const typedArrayPrototype: object = Object.getPrototypeOf(Uint8Array.prototype);

/**
 * How an object of the language or the platform is written in JSON; undefined for any other.
 *
 * **Contract:** may throw whatever the object throws. Built-in objects are read by the built-in methods, so that an
 * override in the object is not called.
 */
export function builtInShape(value: object, options: ShapeOptions): Shape | undefined {
  if (ArrayBuffer.isView(value)) return scalar(binary(viewBytes(value)), "binary");
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (value instanceof Error || tag === "Error" || tag === "DOMException") {
    return errorFields(value, options);
  }
  return readers[tag]?.(value, options);
}

type Reader = (value: object, options: ShapeOptions) => Shape;

const readers: Readonly<Record<string, Reader>> = {
  // Tables keyed by what an object says of itself have no prototype: "constructor" is no reader.
  ...({ __proto__: null } as object),
  Date: (value) => scalar(dateText(value), "date"),
  Map: (value, { breadth }) => {
    const entries = firstOf(Map.prototype.entries.call(value), breadth);
    const total = getBuiltIn(Map.prototype, "size", value);
    return entryFields(value, entries, total);
  },
  Set: (value, { breadth }) => {
    const items = firstOf(Set.prototype.values.call(value), breadth);
    const total = getBuiltIn(Set.prototype, "size", value);
    return { kind: "list", items, total, converted: "set" };
  },
  Headers: iterableFields,
  URLSearchParams: iterableFields,
  FormData: iterableFields,
  ArrayBuffer: (value) =>
    scalar(binary(getBuiltIn(ArrayBuffer.prototype, "byteLength", value)), "binary"),
  SharedArrayBuffer: (value) => scalar(binary((value as SharedArrayBuffer).byteLength), "binary"),
  Blob: (value) => scalar(binary(Number((value as Blob).size)), "binary"),
  File: (value) => scalar(binary(Number((value as Blob).size)), "binary"),
  RegExp: (value) => scalar(RegExp.prototype.toString.call(value), "other"),
  String: (value) => scalar(String.prototype.valueOf.call(value), "other"),
  Number: (value) => scalar(Number.prototype.valueOf.call(value), "other"),
  Boolean: (value) => scalar(Boolean.prototype.valueOf.call(value), "other"),
  BigInt: (value) => scalar(BigInt.prototype.valueOf.call(value), "other"),
  Symbol: (value) => scalar(Symbol.prototype.valueOf.call(value), "other"),
};

function scalar(value: unknown, converted: ConvertedKind): ScalarShape {
  return { kind: "scalar", value, converted };
}

/** A getter of a built-in prototype, called on an object whatever that object says of itself. */
function getBuiltIn(prototype: object, name: string, value: object): number {
  // The named properties of the built-in prototypes are getters of numbers in every runtime.
  return Reflect.get(prototype, name, value) as number;
}

function viewBytes(value: ArrayBufferView): number {
  const prototype = value instanceof DataView ? DataView.prototype : typedArrayPrototype;
  return getBuiltIn(prototype, "byteLength", value);
}

function dateText(value: object): string {
  const time = Date.prototype.getTime.call(value);
  return Number.isNaN(time) ? "<invalid date>" : Date.prototype.toISOString.call(value);
}

function firstOf<Item>(items: Iterable<Item>, most: number): Item[] {
  const first: Item[] = [];
  for (const item of items) {
    if (first.length >= most) break;
    first.push(item);
  }
  return first;
}

function entryFields(
  source: object,
  entries: readonly (readonly [unknown, unknown])[],
  total: number,
): FieldsShape {
  const names = entries.map(([key]) => keyText(key));
  const values = entries.map(([, value]) => value);
  return { kind: "fields", names, values, source, total, converted: "map" };
}

function keyText(key: unknown): string {
  if (typeof key === "object" && key !== null) return "<object>";
  if (typeof key === "function") return "<function>";
  return typeof key === "bigint" ? bigintText(key) : String(key);
}

/** Objects of the platform that are lists of pairs. */
function iterableFields(value: object, options: ShapeOptions): FieldsShape {
  const entries = firstOf(value as Iterable<readonly [unknown, unknown]>, options.breadth);
  return entryFields(value, entries, entries.length);
}

function errorFields(value: object, options: ShapeOptions): FieldsShape {
  const names = new Set(["name", "message"]);
  if (options.isErrorStackKept) names.add("stack");
  for (const name of ["cause", "errors"]) if (Object.hasOwn(value, name)) names.add(name);
  for (const name of Object.keys(value))
    if (name !== "stack" || options.isErrorStackKept) names.add(name);
  return {
    kind: "fields",
    names: [...names],
    source: value,
    total: names.size,
    converted: "error",
  };
}

/** Any object by its own enumerable fields; one that has none says at least what it calls itself. */
export function ownFields(value: object): Shape {
  const names = Object.keys(value);
  if (names.length === 0) {
    const tag = Object.prototype.toString.call(value).slice(8, -1);
    if (tag !== "Object") return scalar(`<${tag.slice(0, 64)}>`, "other");
  }
  return { kind: "fields", names, source: value, total: names.length };
}

const largest = 10n ** 1_000n;

/** All digits of a bigint; of one with more than a thousand only that, since writing them takes quadratic time. */
export function bigintText(value: bigint): string {
  return value < largest && value > -largest ? String(value) : "<bigint of more than 1000 digits>";
}
