/*
 * SHA-256 in plain JavaScript: node ids have to be the same in every runtime, synchronously, and `node:crypto` is not
 * there in workers and browsers. Not for secrets.
 */

/** The first 24 hex digits of the SHA-256 of a text as UTF-8: 96 bits, short and safe against chosen collisions. */
export function shortHash(text: string): string {
  const length = encode(text);
  const blocks = (length + 8) >>> 6;
  const end = (blocks + 1) << 6;
  bytes.fill(0, length, end);
  bytes[length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(end - 8, Math.floor(length / 0x2000_0000));
  view.setUint32(end - 4, (length << 3) >>> 0);
  hash.set(initial);
  for (let offset = 0; offset < end; offset += 64) compress(view, offset);
  return hex(hash[0]) + hex(hash[1]) + hex(hash[2]);
}

const encoder = new TextEncoder();
const schedule = new Uint32Array(64);
const hash = new Uint32Array(8);
let bytes = new Uint8Array(1024);

/** Writes the text into the shared buffer, which grows as needed, and gives its length in bytes. */
function encode(text: string): number {
  const needed = text.length * 3 + 72;
  if (bytes.length < needed) bytes = new Uint8Array(needed + 1024);
  const written = encoder.encodeInto(text, bytes).written;
  if (bytes.length > 1 << 16) {
    // A huge id must not keep its buffer for the life of the process.
    const large = bytes;
    bytes = new Uint8Array((((written + 72) >>> 6) << 6) + 128);
    bytes.set(large.subarray(0, written));
  }
  return written;
}

function hex(word: number | undefined): string {
  return (word ?? 0).toString(16).padStart(8, "0");
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function at(words: Uint32Array, index: number): number {
  return words[index] ?? 0;
}

function compress(view: DataView, offset: number): void {
  for (let i = 0; i < 16; i += 1) schedule[i] = view.getUint32(offset + i * 4);
  for (let i = 16; i < 64; i += 1) {
    const early = at(schedule, i - 15);
    const late = at(schedule, i - 2);
    const small = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const large = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule[i] = (at(schedule, i - 16) + small + at(schedule, i - 7) + large) | 0;
  }
  let a = at(hash, 0);
  let b = at(hash, 1);
  let c = at(hash, 2);
  let d = at(hash, 3);
  let e = at(hash, 4);
  let f = at(hash, 5);
  let g = at(hash, 6);
  let h = at(hash, 7);
  for (let i = 0; i < 64; i += 1) {
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + sum1 + ((e & f) ^ (~e & g)) + at(constants, i) + at(schedule, i)) | 0;
    const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  const state = [a, b, c, d, e, f, g, h];
  for (const [i, word] of state.entries()) hash[i] = at(hash, i) + word;
}

/** Fractional bits of the roots of the first primes, as FIPS 180-4 defines the constants. */
function rootBits(power: 2 | 3, count: number): Uint32Array {
  const bits = new Uint32Array(count);
  let found = 0;
  for (let candidate = 2; found < count; candidate += 1) {
    if (!isPrime(candidate)) continue;
    bits[found] = fractionOfRoot(BigInt(candidate), power);
    found += 1;
  }
  return bits;
}

function isPrime(candidate: number): boolean {
  for (let divisor = 2; divisor * divisor <= candidate; divisor += 1) {
    if (candidate % divisor === 0) return false;
  }
  return true;
}

/** floor(root(n) × 2^32) mod 2^32, by bisection on integers. */
function fractionOfRoot(n: bigint, power: 2 | 3): number {
  const target = n << BigInt(32 * power);
  let low = 0n;
  let high = n << 32n;
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    const raised = power === 2 ? middle * middle : middle * middle * middle;
    if (raised <= target) low = middle;
    else high = middle - 1n;
  }
  return Number(low & 0xffff_ffffn);
}

const initial = rootBits(2, 8);
const constants = rootBits(3, 64);
