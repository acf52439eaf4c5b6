import { readFileSync } from "node:fs";

/** Version of this package. */
export const version: string = readVersion();

function readVersion(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  const { version: found } = JSON.parse(text) as { version: string };
  return found;
}
