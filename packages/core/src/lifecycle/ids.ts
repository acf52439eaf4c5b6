/**
 * Where the ids of a host come from.
 *
 * **Contract:** every call gives a new id. Ids are opaque: nobody takes them apart, although they hold other ids.
 */
export interface IdSource {
  session(): string;
  task(): string;
  turn(sessionId: string, taskId: string): string;
  /** `index` is the place of the child in its batch. */
  subagent(index: number): string;
  /** Id of one wait for a human. */
  humanInput(): string;
}

/** Ids from the machine's secure randomness. */
export function randomIds(): IdSource {
  return idsFrom((length) => {
    const bytes = crypto.getRandomValues(new Uint8Array(Math.ceil(length / 2)));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"))
      .join("")
      .slice(0, length);
  });
}

/** The same ids in the same order for the same seed, so that a run can be repeated to the byte. Guessable. */
export function seededIds(seed: number): IdSource {
  const random = seededRandom(seed);
  return idsFrom((length) => {
    let hex = "";
    while (hex.length < length) hex += Math.floor(random() * 16).toString(16);
    return hex;
  });
}

/** Numbers in [0, 1) that a seed fixes (mulberry32). Not for secrets. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function idsFrom(hex: (length: number) => string): IdSource {
  return {
    session: () => `s-${hex(12)}`,
    task: () => `t-${hex(12)}`,
    turn: (sessionId, taskId) => `${sessionId}:${taskId}:${hex(8)}`,
    subagent: (index) => `sa-${index}-${hex(8)}`,
    humanInput: () => hex(32),
  };
}
