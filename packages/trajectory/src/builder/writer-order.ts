/** How many writers of one session are followed; more start anew. */
const maxWriters = 8;

/**
 * Order of a session's events within each of their writers, as far as their ids show it: our writers count (`<random
 * base 36>:<n>`), so that two events that changed places are told apart even when their times are equal. Ids of
 * another form say nothing. Joins nothing.
 */
export class WriterOrder {
  #writer = "";
  #latest = 0;
  #others: Map<string, number> | null = null;

  /** Takes an event's id; false if its writer made it before one that was here already. */
  follows(id: string): boolean {
    const colon = id.lastIndexOf(":");
    const count = colon <= 0 ? -1 : countAfter(id, colon);
    if (count < 0) return true;
    if (colon !== this.#writer.length || !id.startsWith(this.#writer)) this.#switchTo(id, colon);
    if (count < this.#latest) return false;
    this.#latest = count;
    return true;
  }

  #switchTo(id: string, colon: number): void {
    const writer = id.slice(0, colon);
    this.#others ??= new Map();
    if (this.#writer !== "") this.#others.set(this.#writer, this.#latest);
    this.#latest = this.#others.get(writer) ?? 0;
    this.#writer = writer;
    if (this.#others.size > maxWriters) this.#others.clear();
  }
}

/** The number after the colon, or -1 when the id is none of ours. */
function countAfter(id: string, colon: number): number {
  const digits = id.length - colon - 1;
  if (digits === 0 || digits > 15) return -1;
  let count = 0;
  for (let i = colon + 1; i < id.length; i += 1) {
    const digit = id.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return -1;
    count = count * 10 + digit;
  }
  for (let i = 0; i < colon; i += 1) {
    const unit = id.charCodeAt(i);
    const isBase36 = (unit >= 48 && unit <= 57) || (unit >= 97 && unit <= 122);
    if (!isBase36) return -1;
  }
  return count;
}
