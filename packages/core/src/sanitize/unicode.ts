/** Part of ES2024 that every runtime of ours has and the compiler's library level does not name yet. */
interface WellFormed {
  isWellFormed(): boolean;
  toWellFormed(): string;
}

/** Whether no surrogate stands alone. One-byte strings answer without being read. */
export function isWellFormed(text: string): boolean {
  return (text as unknown as WellFormed).isWellFormed();
}

/** The text with U+FFFD for every surrogate that stands alone. */
export function toWellFormed(text: string): string {
  return (text as unknown as WellFormed).toWellFormed();
}

/** The first `length` UTF-16 units, or one less where that would cut a pair in two. */
export function cutAt(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/** A copy that does not keep the text alive which it was cut from. */
export function detached(text: string): string {
  return ` ${text}`.slice(1);
}
