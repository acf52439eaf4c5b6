/** 64 random bits in base 36: enough that two writers of one journal do not meet. */
export function randomWriter(): string {
  const bits = crypto.getRandomValues(new Uint32Array(2));
  return Array.from(bits, (part) => part.toString(36)).join("");
}
