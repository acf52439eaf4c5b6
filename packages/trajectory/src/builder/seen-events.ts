import type { Envelope, Payload } from "@hermes-observer/core";

/** What an envelope id says about an event. */
export type Novelty = "new" | "duplicate" | "conflict";

const ways = 8;
const fields = 3;

/**
 * The envelope ids of about the last `capacity` events, with a fingerprint of each event, so that the same event is
 * recognised when it is delivered again, and another one under the same id too.
 *
 * Ids are kept as 64 bits of hash in a flat table of sets of eight, the oldest of a set replaced first: an exact map
 * of as many ids took a fifth of the builder's time and 6 MB (bench/builder.bench.ts).
 */
export class SeenEvents {
  readonly #mask: number;
  readonly #table: Int32Array;
  readonly #cursors: Uint8Array;
  #low = 0;
  #high = 0;

  constructor(capacity: number) {
    const sets = 2 ** Math.ceil(Math.log2(Math.max(1, Math.min(capacity, 2 ** 24) / ways)));
    this.#mask = sets - 1;
    this.#table = new Int32Array(sets * ways * fields);
    this.#cursors = new Uint8Array(sets);
  }

  check(payload: Payload, envelope: Envelope): Novelty {
    this.#hash(envelope.id);
    const low = this.#low;
    const high = this.#high;
    const print = fingerprint(payload, envelope);
    const set = low & this.#mask;
    const table = this.#table;
    const first = set * ways * fields;
    for (let at = first; at < first + ways * fields; at += fields) {
      if (table[at] === low && table[at + 1] === high) {
        return table[at + 2] === print ? "duplicate" : "conflict";
      }
    }
    const way = this.#cursors[set] ?? 0;
    this.#cursors[set] = (way + 1) % ways;
    const free = first + way * fields;
    table[free] = low;
    table[free + 1] = high;
    table[free + 2] = print;
    return "new";
  }

  /** Two independent 32-bit hashes of an id; the second is never 0, which marks an empty place. */
  #hash(id: string): void {
    let low = 0x811c9dc5;
    let high = 0x1b873593;
    for (let i = 0; i < id.length; i += 1) {
      const unit = id.charCodeAt(i);
      low = Math.imul(low ^ unit, 0x01000193);
      high = Math.imul((high ^ unit) + (high >>> 15), 0x85ebca6b);
    }
    low = Math.imul(low ^ (low >>> 15), 0x2c1b3c6d);
    this.#low = low ^ (low >>> 13);
    this.#high = high | 1;
  }
}

/** Hash of hook, time and the top level of the payload: texts by length and ends, numbers whole, the rest by size. */
function fingerprint(payload: Payload, envelope: Envelope): number {
  let print = mixText(17, envelope.hook);
  print = mixNumber(print, envelope.at);
  for (const field in payload) {
    const value = payload[field];
    if (typeof value === "string") print = mixText(print, value);
    else if (typeof value === "number") print = mixNumber(print, value);
    else if (typeof value === "object") print = mix(print, sizeOf(value));
    else print = mix(print, value === true ? 3 : 5);
  }
  return print;
}

function mix(print: number, value: number): number {
  return Math.imul(print ^ value, 0x01000193);
}

function mixNumber(print: number, value: number): number {
  return mix(mix(print, value | 0), ((value * 1e6) % 0x7fff_ffff) | 0);
}

function mixText(print: number, text: string): number {
  const length = text.length;
  if (length === 0) return mix(print, 7);
  const middle = text.charCodeAt(length >> 1);
  const ends = (text.charCodeAt(0) << 16) ^ (middle << 8) ^ text.charCodeAt(length - 1);
  return mix(mix(print, length), ends);
}

function sizeOf(value: object | null): number {
  if (value === null) return 11;
  return Array.isArray(value) ? 13 + value.length : 19;
}
