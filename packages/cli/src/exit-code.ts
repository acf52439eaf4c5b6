/** What the exit codes of `hermes-observer` mean; printed by `--help`. */
export const exitCodes = {
  ok: 0,
  /** The work was done and its outcome is bad: a turn failed, a record is incomplete, lines were bad. */
  failed: 1,
  usage: 2,
  /** The session or file is not there. */
  notFound: 3,
  /** The record is still being written (`verdict`). */
  running: 4,
  interrupted: 130,
} as const;

/** Text for `--help`. */
export const exitCodeText: string = [
  "0  done",
  "1  done, with a bad outcome: the turn failed, the record is incomplete, or lines were refused",
  "2  the command line is wrong",
  "3  no such session or file",
  "4  the record is still being written (verdict)",
  "130  interrupted",
].join("\n  ");
