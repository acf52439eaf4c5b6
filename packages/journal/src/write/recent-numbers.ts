/** One text and its number; texts with the same fingerprint are chained. */
interface Known {
  readonly text: string;
  readonly number: number;
  readonly next: Known | undefined;
  /** Length of the chain from here. */
  readonly depth: number;
}

/** So many texts may share a fingerprint; of more, the whole chain is forgotten. */
const maxDepth = 16;
const samples = 24;

/**
 * Remembers body numbers by text, within a bound: when the younger of two generations is full it becomes the older
 * one and what was there is forgotten. A forgotten text is stored once more: that costs bytes, not correctness.
 *
 * Texts are found by a fingerprint of their length and some of their characters and then compared whole: hashing
 * every character, as a Map of texts does, took most of the time of a request (bench/recording.bench.ts).
 */
export class RecentNumbers {
  readonly #maxEntries: number;
  readonly #maxChars: number;
  #young = new Map<number, Known>();
  #old = new Map<number, Known>();
  #youngEntries = 0;
  #youngChars = 0;
  #oldChars = 0;

  constructor(maxEntries: number, maxChars: number) {
    this.#maxEntries = maxEntries;
    this.#maxChars = maxChars;
  }

  /** Characters of the texts that are held. */
  get chars(): number {
    return this.#youngChars + this.#oldChars;
  }

  get(text: string): number | undefined {
    const key = fingerprint(text);
    const found = find(this.#young.get(key), text);
    if (found !== undefined) return found;
    const older = find(this.#old.get(key), text);
    if (older !== undefined) this.#add(key, text, older);
    return older;
  }

  set(text: string, number: number): void {
    this.#add(fingerprint(text), text, number);
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
    this.#youngEntries = 0;
    this.#youngChars = 0;
    this.#oldChars = 0;
  }

  #add(key: number, text: string, number: number): void {
    if (text.length > this.#maxChars) return;
    const isFull = this.#youngChars + text.length > this.#maxChars;
    if (isFull || this.#youngEntries >= this.#maxEntries) this.#age();
    const chain = this.#young.get(key);
    const next = chain !== undefined && chain.depth < maxDepth ? chain : undefined;
    this.#young.set(key, { text, number, next, depth: (next?.depth ?? 0) + 1 });
    this.#youngEntries++;
    this.#youngChars += text.length;
  }

  #age(): void {
    this.#old = this.#young;
    this.#oldChars = this.#youngChars;
    this.#young = new Map();
    this.#youngEntries = 0;
    this.#youngChars = 0;
  }
}

function find(chain: Known | undefined, text: string): number | undefined {
  for (let known = chain; known !== undefined; known = known.next) {
    if (known.text === text) return known.number;
  }
  return undefined;
}

/** Length and characters at even distances, the first and the last among them. */
function fingerprint(text: string): number {
  let mixed = text.length;
  const step = (text.length - 1) / (samples - 1);
  for (let sample = 0; sample < samples; sample++) {
    mixed = Math.imul(mixed ^ text.charCodeAt(Math.floor(sample * step)), 0x9e3779b1);
    mixed ^= mixed >>> 15;
  }
  return mixed;
}
