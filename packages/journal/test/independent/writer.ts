/**
 * A writer of the journal format written from docs/reference/journal-format.md alone: lays out records with salts
 * that the caller gives, so that the document's example can be made again to the byte.
 */
import { createHash } from "node:crypto";

/** Lays out records and keeps the chain. */
export class RecordLayout {
  text = "";
  #previous = "A".repeat(43);

  /** A record with content. `head` is its JSON object up to the last head field, without the closing brace. */
  content(head: string, payload: string, salt: Buffer): void {
    const commit = sha256(Buffer.concat([salt, Buffer.from(payload)]));
    const hashed = `${head},"commit":"${commit}","prev":"${this.#previous}"`;
    this.text += `${hashed},"salt":"${salt.toString("base64url")}","payload":${payload}}\n`;
    this.#previous = sha256(Buffer.from(hashed));
  }

  /** The same, with the payload taken out. */
  withheld(head: string, payload: string, salt: Buffer): void {
    const before = this.text;
    this.content(head, payload, salt);
    const hashed = this.text.slice(before.length).split(',"salt":')[0] ?? "";
    this.text = `${before}${hashed},"withheld":true}\n`;
  }

  /** A record without content. */
  plain(head: string): void {
    const line = `${head},"prev":"${this.#previous}"}`;
    this.text += `${line}\n`;
    this.#previous = sha256(Buffer.from(line));
  }
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("base64url");
}
