import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { rolldown } from "rolldown";

import { repository, sourceCondition } from "../workspace.ts";

/** How an entry is bundled. */
export interface BundleOptions {
  readonly minify?: boolean;
  /** Puts the exports into a global of this name; without it the result is a module. */
  readonly globalName?: string;
}

/** Code of a bundle, and the modules that it still imports. */
export interface Bundle {
  readonly code: string;
  readonly imports: readonly string[];
}

/** Bundles the sources that `entry`, a few lines of TypeScript, imports. */
export async function bundle(entry: string, options: BundleOptions = {}): Promise<Bundle> {
  const id = join(repository, "test", "bundle-entry.ts");
  const build = await rolldown({
    input: id,
    cwd: repository,
    platform: "neutral",
    resolve: { conditionNames: [sourceCondition(), "import", "default"] },
    logLevel: "silent",
    plugins: [
      {
        name: "entry",
        resolveId: (source) => (source === id ? id : null),
        load: (file) => (file === id ? entry : null),
      },
    ],
  });
  const { minify = false, globalName } = options;
  const { output } = await build.generate(
    globalName === undefined
      ? { format: "esm", minify }
      : { format: "iife", name: globalName, minify },
  );
  await build.close();
  const chunks = output.filter((part) => part.type === "chunk");
  return {
    code: chunks.map((chunk) => chunk.code).join(""),
    imports: chunks.flatMap((chunk) => chunk.imports),
  };
}

/** Bytes of the bundle, minified and compressed by gzip at its best. */
export async function compressedSize(entry: string): Promise<number> {
  const { code } = await bundle(entry, { minify: true });
  return gzipSync(code, { level: 9 }).length;
}
