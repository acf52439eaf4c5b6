import { hash, randomFillSync } from "node:crypto";
import { isCleanUtf8 } from "./clean-bytes.ts";

/** The parts of a content record between its head fields and its payload, with room for two hashes and the salt. */
const template = Buffer.from(
  `,"commit":"${"-".repeat(43)}","prev":"${"-".repeat(43)}","salt":"${"-".repeat(22)}","payload":`,
  "latin1",
);
const commitAt = ',"commit":"'.length;
const prevAt = commitAt + 43 + '","prev":"'.length;
const headEndAt = prevAt + 43 + 1;
const saltAt = headEndAt + ',"salt":"'.length;
const payloadAt = template.length;

const initialBytes = 256 * 1024;
/** A buffer that one huge event has grown is given back after that event. */
const keptBytes = 4 * 1024 * 1024;
const saltBytes = 16;
const alphabet = Buffer.from(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
  "latin1",
);

/** `utf8Write` skips the argument sorting of `write` (bench/recording.bench.ts); Node has it on every Buffer. */
type FastBuffer = Buffer & { utf8Write(text: string, offset: number, length: number): number };

/** A body to be stored: stored text, or a string that is not quoted and escaped yet. */
export interface FreshBody {
  readonly text: string;
  readonly isRawString: boolean;
}

/**
 * Lays out the records of one write in one reused buffer, so that an event and its new bodies reach the file by
 * a single system call. Hashes are returned, not kept: the caller takes them over once the write has succeeded.
 */
export class RecordBuffer {
  #bytes: FastBuffer = allocate(initialBytes);
  #words: Int32Array = wordsOf(this.#bytes);
  #length = 0;
  /** Per record laid out: where it ends, without its line break, and its hash. */
  readonly #ends: number[] = [];
  readonly #hashes: string[] = [];
  readonly #salts = Buffer.allocUnsafeSlow(saltBytes * 1024);
  #nextSalt = 1024;

  /** The bytes laid out so far are the first `length` of this buffer. */
  get bytes(): Buffer {
    return this.#bytes;
  }

  get length(): number {
    return this.#length;
  }

  /** How many records are laid out. */
  get records(): number {
    return this.#ends.length;
  }

  /** How many records are whole within the first `bytes` bytes, and the hash of the last of them. */
  wholeWithin(bytes: number): { readonly count: number; readonly hash: string | undefined } {
    const count = this.#ends.filter((end) => end <= bytes).length;
    return { count, hash: this.#hashes[count - 1] };
  }

  reset(): void {
    this.#length = 0;
    this.#ends.length = 0;
    this.#hashes.length = 0;
    if (this.#bytes.length > keptBytes) this.#replace(allocate(initialBytes));
  }

  /** Ends a partial line that a failed write may have left behind. */
  newline(): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = 10;
  }

  /**
   * Appends a record with content and returns its hash.
   *
   * @param head the record's JSON object up to its last head field, without the closing brace.
   */
  content(head: string, payload: string, prev: string): string {
    this.#reserve(maxBytes(head) + payloadAt + maxBytes(payload) + 2);
    const bytes = this.#bytes;
    const start = this.#length;
    const fixed = start + bytes.utf8Write(head, start, bytes.length - start);
    const payloadStart = fixed + payloadAt;
    const end = payloadStart + bytes.utf8Write(payload, payloadStart, bytes.length - payloadStart);
    return this.#seal(start, fixed, end, prev);
  }

  /** Appends a `body` record with the given bodies, the first of which has the number `first`. */
  bodies(first: number, fresh: readonly FreshBody[], prev: string): string {
    let most = payloadAt + 64 + 16 * fresh.length;
    for (const body of fresh) most += maxBodyBytes(body) + 1;
    this.#reserve(most);
    const bytes = this.#bytes;
    const start = this.#length;
    // Sizes stand before what they are the sizes of: of plain ASCII they are known without counting.
    const sizes = fresh.map(({ isRawString, text }) => text.length + (isRawString ? 2 : 0));
    const guessed = bodyHead(first, sizes);
    const payloadStart = start + guessed.length + payloadAt;
    let end = payloadStart;
    for (const [index, body] of fresh.entries()) {
      bytes[end++] = index === 0 ? 91 : 44;
      const size = this.#body(body, end);
      sizes[index] = size;
      end += size;
    }
    bytes[end++] = 93;
    const head = bodyHead(first, sizes);
    const shift = head.length - guessed.length;
    if (shift !== 0) bytes.copyWithin(payloadStart + shift, payloadStart, end);
    const fixed = start + bytes.utf8Write(head, start, bytes.length - start);
    return this.#seal(start, fixed, end + shift, prev);
  }

  #body({ isRawString, text }: FreshBody, at: number): number {
    const bytes = this.#bytes;
    const room = bytes.length - at - 2;
    if (!isRawString) return bytes.utf8Write(text, at, room);
    const end = at + 1 + bytes.utf8Write(text, at + 1, room);
    if (!isCleanUtf8(bytes, this.#words, at + 1, end)) {
      return bytes.utf8Write(JSON.stringify(text), at, room);
    }
    bytes[at] = 34;
    bytes[end] = 34;
    return end + 1 - at;
  }

  /** Completes the record whose head stands from `start` to `fixed` and whose payload ends at `end`. */
  #seal(start: number, fixed: number, end: number, prev: string): string {
    const bytes = this.#bytes;
    const payloadStart = fixed + payloadAt;
    const salt = this.#takeSalt();
    // The raw salt stands right before the payload while both are hashed in one call; then the template covers it.
    for (let index = 0; index < saltBytes; index++) {
      bytes[payloadStart - saltBytes + index] = this.#salts[salt + index] ?? 0;
    }
    const commit = hash("sha256", bytes.subarray(payloadStart - saltBytes, end), "base64url");
    bytes.set(template, fixed);
    putAscii(bytes, fixed + commitAt, commit);
    putAscii(bytes, fixed + prevAt, prev);
    putBase64(bytes, fixed + saltAt, this.#salts, salt);
    bytes[end] = 125;
    return this.#recordEnd(
      end + 1,
      hash("sha256", bytes.subarray(start, fixed + headEndAt), "base64url"),
    );
  }

  /** Appends a record without content and returns its hash. `head` as for `content`. */
  plain(head: string, prev: string): string {
    const text = `${head},"prev":"${prev}"}`;
    this.#reserve(maxBytes(text) + 1);
    const bytes = this.#bytes;
    const start = this.#length;
    const end = start + bytes.utf8Write(text, start, bytes.length - start);
    return this.#recordEnd(end, hash("sha256", bytes.subarray(start, end), "base64url"));
  }

  #recordEnd(end: number, recordHash: string): string {
    this.#bytes[end] = 10;
    this.#length = end + 1;
    this.#ends.push(end);
    this.#hashes.push(recordHash);
    return recordHash;
  }

  #takeSalt(): number {
    if (this.#nextSalt === 1024) {
      randomFillSync(this.#salts);
      this.#nextSalt = 0;
    }
    return saltBytes * this.#nextSalt++;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const larger = allocate(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#replace(larger);
  }

  #replace(bytes: FastBuffer): void {
    this.#bytes = bytes;
    this.#words = wordsOf(bytes);
  }
}

function bodyHead(first: number, sizes: readonly number[]): string {
  return `{"k":"body","n":${first},"bytes":[${sizes.join(",")}]`;
}

function allocate(size: number): FastBuffer {
  return Buffer.allocUnsafeSlow(size) as FastBuffer;
}

/** Short texts are bounded without counting; of long ones the exact size is needed, three times it would be waste. */
function maxBytes(text: string): number {
  return text.length < 32_768 ? 3 * text.length : Buffer.byteLength(text);
}

function maxBodyBytes({ isRawString, text }: FreshBody): number {
  return isRawString ? 6 * text.length + 4 : maxBytes(text);
}

function wordsOf(bytes: FastBuffer): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
}

function putAscii(bytes: Buffer, at: number, text: string): void {
  for (let index = 0; index < text.length; index++) bytes[at + index] = text.charCodeAt(index);
}

/** Base64url of 16 bytes, 22 digits: the call into the runtime costs more than this loop. */
function putBase64(bytes: Buffer, at: number, from: Buffer, start: number): void {
  let position = at;
  for (let index = start; index < start + 15; index += 3) {
    const group =
      ((from[index] ?? 0) << 16) | ((from[index + 1] ?? 0) << 8) | (from[index + 2] ?? 0);
    bytes[position++] = alphabet[group >> 18] ?? 0;
    bytes[position++] = alphabet[(group >> 12) & 63] ?? 0;
    bytes[position++] = alphabet[(group >> 6) & 63] ?? 0;
    bytes[position++] = alphabet[group & 63] ?? 0;
  }
  const last = from[start + 15] ?? 0;
  bytes[position++] = alphabet[last >> 2] ?? 0;
  bytes[position] = alphabet[(last & 3) << 4] ?? 0;
}
