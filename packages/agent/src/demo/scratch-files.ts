import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { AgentError } from "../agent-error.ts";

const slug = `export function slugify(title) {
  return title.toLowerCase().replaceAll(" ", "-");
}
`;

/** The module as the demo's agent mends it. */
export const mendedSlug: string = `export function slugify(title) {
  return title
    .normalize("NFD")
    .replace(/\\p{M}/gu, "")
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");
}
`;

const check = `import { slugify } from "./src/slug.mjs";

const cases = [
  ["Hello World", "hello-world"],
  ["  Field notes  ", "field-notes"],
  ["Crème brûlée", "creme-brulee"],
];
let failed = 0;
for (const [title, expected] of cases) {
  const actual = slugify(title);
  if (actual === expected) continue;
  failed += 1;
  console.log(\`FAIL slugify(\${JSON.stringify(title)}): expected \${expected}, got \${actual}\`);
}
console.log(\`\${cases.length - failed} passed, \${failed} failed\`);
process.exitCode = failed === 0 ? 0 : 1;
`;

const files: Readonly<Record<string, string>> = {
  "README.md":
    "# field-notes\n\nTurns note titles into file names. Run `node check.mjs` to check it.\n",
  "check.mjs": check,
  "src/slug.mjs": slug,
  "notes/2026-03-02-meeting.md":
    "# Meeting\n\n- Ship the slug module this week.\n- Accents must become plain letters.\n- Ada checks the release.\n",
  "notes/ideas.md": "# Ideas\n\n- Short links for notes.\n- A calendar view, later.\n",
  "build/slug.js": "// generated\n",
  "build/cache/slug.map": "{}\n",
};

/**
 * Puts the demo's small project into a folder, which is made if it is not there.
 *
 * @throws AgentError `AGENT_INVALID_OPTION` when the folder holds something: the demo deletes and overwrites files
 */
export async function prepareScratch(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) {
    throw new AgentError(
      "AGENT_INVALID_OPTION",
      `"${folder}" is not empty; give the demo an empty folder`,
    );
  }
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
