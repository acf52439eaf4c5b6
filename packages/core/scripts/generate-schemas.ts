/** `npm run schemas`: writes the JSON Schemas and the reference page that follow from the contract's types. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { contractFiles, repositoryRoot, schemasFolder } from "./contract-files.ts";

const files = await contractFiles();
for (const [path, text] of files) {
  mkdirSync(dirname(repositoryRoot + path), { recursive: true });
  writeFileSync(repositoryRoot + path, text);
}
for (const name of readdirSync(repositoryRoot + schemasFolder)) {
  const path = `${schemasFolder}/${name}`;
  if (!files.has(path)) rmSync(repositoryRoot + path);
}
console.log(`${files.size} files written`);
