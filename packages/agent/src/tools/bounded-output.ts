import { StringDecoder } from "node:string_decoder";

/**
 * Keeps the beginning and the end of an output of any length, in bounded memory.
 *
 * **Contract:** what `text` gives is at most `maxChars` characters plus one line that says how much was left out.
 */
export class BoundedOutput {
  readonly #decoder = new StringDecoder("utf8");
  readonly #headChars: number;
  readonly #tailChars: number;
  #head = "";
  #tail = "";
  #dropped = 0;

  constructor(maxChars: number) {
    this.#headChars = Math.ceil(maxChars / 2);
    this.#tailChars = Math.floor(maxChars / 2);
  }

  add(bytes: Buffer): void {
    this.#append(this.#decoder.write(bytes));
  }

  /** The whole output, or its two ends. Call it once, at the end. */
  text(): string {
    this.#append(this.#decoder.end());
    const surplus = Math.max(0, this.#tail.length - this.#tailChars);
    const dropped = this.#dropped + surplus;
    if (dropped === 0) return this.#head + this.#tail;
    return `${this.#head}\n[cut: ${dropped} characters left out]\n${this.#tail.slice(surplus)}`;
  }

  #append(text: string): void {
    const room = this.#headChars - this.#head.length;
    this.#head += text.slice(0, room);
    this.#tail += text.slice(Math.max(0, room));
    // Twice its size before it is cut, so that a stream of small pieces is not copied each time.
    if (this.#tail.length <= this.#tailChars * 2) return;
    const surplus = this.#tail.length - this.#tailChars;
    this.#dropped += surplus;
    this.#tail = this.#tail.slice(surplus);
  }
}
