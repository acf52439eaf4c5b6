import { basename, dirname, join } from "node:path";
import { ledgerFileName, ledgerFolder } from "../format.ts";
import { ProblemList } from "./problem.ts";
import { readRecords } from "./records.ts";
import { SourcePool } from "./source-file.ts";

/**
 * Events that the ledger of a file's writer says were lost from it. A file that could not be written to its end holds
 * no word of its own about that.
 */
export function lostByLedger(path: string, writer: string): number {
  if (writer === "") return 0;
  const root = dirname(dirname(path));
  const source = new SourcePool().source(join(root, ledgerFolder, ledgerFileName(writer)));
  let lost = 0;
  try {
    for (const { kind, head } of readRecords(source, new ProblemList())) {
      const { file, count } = head;
      if (kind !== "gap" || typeof file !== "string" || typeof count !== "number") continue;
      if (basename(file) === basename(path)) lost += count;
    }
  } catch {
    // No ledger, or one that cannot be read: the file speaks for itself.
  } finally {
    source.close();
  }
  return lost;
}
