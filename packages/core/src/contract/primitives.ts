/** A point in time on the wall clock: seconds since 1970-01-01T00:00:00Z, with a fraction. */
export type EpochSeconds = number;

/** A duration in seconds, with a fraction. */
export type Seconds = number;

/** A duration in milliseconds. */
export type Milliseconds = number;

/** A number of tokens. */
export type Tokens = number;

/** A length in characters, as the producer's language counts them. */
export type Characters = number;

/** A length in bytes. */
export type Bytes = number;

/**
 * A whole number of things.
 *
 * @asType integer
 */
export type Count = number;

/**
 * Any other string: closes a union of known values that real hosts extend. Known values still complete in editors
 * and are listed in the schemas.
 */
export type OpenString = string & Record<never, never>;
