import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, release } from "node:os";
import { fileURLToPath } from "node:url";
import type { Row } from "./row.ts";

const parts: Readonly<Record<string, string>> = {
  dispatch: "Dispatch",
  sanitize: "Sanitising a chat request of 120 KB, freezing included",
  recording: "Recording, beside the bare write of the same bytes",
  trajectory: "Building the trajectory",
};

const wanted = process.argv.slice(2);
const names = Object.keys(parts).filter((name) => wanted.length === 0 || wanted.includes(name));
const sections = names.map((name) => {
  process.stderr.write(`${name} …\n`);
  const text = section(parts[name] ?? name, measure(name));
  process.stdout.write(`${text}\n`);
  return text;
});
if (wanted.length === 0) {
  const file = fileURLToPath(new URL("./RESULTS.md", import.meta.url));
  writeFileSync(file, [head(), ...sections].join("\n"));
}

function measure(name: string): Row[] {
  const output = execFileSync(
    process.execPath,
    [
      "-C",
      "@hermes-observer/source",
      "--expose-gc",
      fileURLToPath(new URL("./part.ts", import.meta.url)),
      name,
    ],
    { encoding: "utf8", maxBuffer: 1 << 24, stdio: ["ignore", "pipe", "inherit"] },
  );
  return JSON.parse(output) as Row[];
}

function section(title: string, rows: readonly Row[]): string {
  const lines = rows.map(({ name, value, unit, goal = "", isMet }) => {
    const verdict = isMet === undefined ? "" : isMet ? "met" : "**missed**";
    return `| ${name} | ${format(value)} | ${unit} | ${goal} | ${verdict} |`;
  });
  return [
    `## ${title}`,
    "",
    "| what | measured | unit | goal | |",
    "|---|---:|---|---|---|",
    ...lines,
    "",
  ].join("\n");
}

function head(): string {
  const model = cpus()[0]?.model ?? "unknown processor";
  return [
    "# Results",
    "",
    "Made by `npm run bench`; what each case measures stands in [README.md](README.md). Every table is one run, its",
    "contenders in turn; compare figures within a table only.",
    "",
    `${cpus().length} × ${model}, ${process.platform} ${release()}, Node.js ${process.versions.node}.`,
    "",
  ].join("\n");
}

function format(value: number): string {
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString("en");
  return value.toPrecision(3);
}
