/** The golden wire events of `test/contract/golden`: each file is one line of the wire form, as real hosts send it. */
import { readdirSync, readFileSync } from "node:fs";

export interface GoldenEvent {
  readonly file: string;
  readonly id: string;
  readonly at: number;
  readonly hook: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

const folder = new URL("../../../../test/contract/golden/", import.meta.url);

export const goldenEvents: readonly GoldenEvent[] = readdirSync(folder)
  .toSorted()
  .map((file) => ({ file, ...JSON.parse(readFileSync(new URL(file, folder), "utf8")) }));

/** The plain example of a hook: the file that is called like it. */
export function goldenEvent(hook: string): GoldenEvent {
  const found = goldenEvents.find((event) => event.file === `${hook}.json`);
  if (found === undefined) throw new Error(`no golden event for ${hook}`);
  return found;
}
