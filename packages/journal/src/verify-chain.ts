import { ProblemList, type JournalProblem } from "./read/problem.ts";
import { readRecords } from "./read/records.ts";
import { SourcePool } from "./read/source-file.ts";

/** What walking the chain of one file found. */
export interface ChainReport {
  readonly records: number;
  /** Hash of the last record: what a seal, or an anchor outside of the journal, would be made of. */
  readonly head: string | null;
  /** The first thing that does not fit, or undefined. */
  readonly firstProblem: JournalProblem | undefined;
  readonly problems: readonly JournalProblem[];
}

/**
 * Checks each record of a session file or ledger against the one before and each payload against its commitment.
 * It shows changes within the file; a tail that was cut off and a file that was written anew as a whole it cannot.
 */
export function verifyChain(path: string): ChainReport {
  const problems = new ProblemList();
  const file = new SourcePool().source(path);
  let records = 0;
  let head: string | null = null;
  try {
    for (const record of readRecords(file, problems)) {
      records++;
      head = record.hash;
    }
  } finally {
    file.close();
  }
  return { records, head, firstProblem: problems.items[0], problems: problems.items };
}
