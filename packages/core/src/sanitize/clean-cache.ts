/** Texts shorter than this are looked up by their own hash, which is cheap to make or made already. */
const shortestSampled = 32;
const samples = 8;
/** Texts that share length and samples; the oldest makes room. */
const mostAlike = 2;

/** One generation of remembered texts. */
interface Generation {
  readonly short: Set<string>;
  readonly sampled: Map<number, string[]>;
  entries: number;
  characters: number;
}

/**
 * Remembers texts in which no rule found anything, by their characters, never by the object that held them, and hands
 * back the instance seen first, so that later comparisons end at the pointer.
 *
 * Long texts are found by their length and a few of their characters and then compared as a whole: a `Map` would
 * hash every character of every new instance, which takes ten times as long as comparing it.
 *
 * **Contract:** bounded in characters and entries. Texts in which something was found are not to be added: that would
 * keep the secrets in memory.
 */
export class CleanCache {
  readonly #mostCharacters: number;
  readonly #mostEntries: number;
  #young: Generation = newGeneration();
  #old: Generation = newGeneration();

  /** Each of the two generations may hold half of the given bounds. */
  constructor(mostCharacters: number, mostEntries: number) {
    this.#mostCharacters = mostCharacters / 2;
    this.#mostEntries = mostEntries / 2;
  }

  get(text: string): string | undefined {
    if (text.length < shortestSampled) {
      if (this.#young.short.has(text)) return text;
      if (!this.#old.short.has(text)) return undefined;
      this.add(text);
      return text;
    }
    const key = sampleOf(text);
    const young = sameText(this.#young.sampled.get(key), text);
    if (young !== undefined) return young;
    const old = sameText(this.#old.sampled.get(key), text);
    if (old !== undefined) this.add(old);
    return old;
  }

  add(text: string): void {
    if (text.length > this.#mostCharacters) return;
    let young = this.#young;
    if (
      young.characters + text.length > this.#mostCharacters ||
      young.entries >= this.#mostEntries
    ) {
      this.#old = young;
      young = this.#young = newGeneration();
    }
    young.entries += 1;
    young.characters += text.length;
    if (text.length < shortestSampled) {
      young.short.add(text);
      return;
    }
    const key = sampleOf(text);
    const alike = young.sampled.get(key);
    if (alike === undefined) young.sampled.set(key, [text]);
    else if (alike.push(text) > mostAlike) alike.shift();
  }
}

function newGeneration(): Generation {
  return { short: new Set(), sampled: new Map(), entries: 0, characters: 0 };
}

function sampleOf(text: string): number {
  const { length } = text;
  const step = Math.floor(length / samples);
  let sample = length;
  for (let at = length - 1; at >= 0; at -= step) {
    sample = (Math.imul(sample, 31) + text.charCodeAt(at)) | 0;
  }
  // Counters and dates stand at the end of texts that are otherwise alike.
  return (
    (Math.imul(sample, 31) + text.charCodeAt(length - 3) * 256 + text.charCodeAt(length - 5)) | 0
  );
}

function sameText(candidates: readonly string[] | undefined, text: string): string | undefined {
  if (candidates === undefined) return undefined;
  for (const candidate of candidates) if (candidate === text) return candidate;
  return undefined;
}
