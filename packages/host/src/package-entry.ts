const conditions = new Set(["node", "import", "module-sync", "default"]);

/**
 * The file that `import "<package>"` would load, from the package's manifest: `exports` under the conditions of an
 * ES import, else `main`, else `index.js`. `import.meta.resolve` cannot ask this on behalf of another folder.
 */
export function packageEntry(manifest: unknown): string {
  const { exports, main } = manifest as { readonly exports?: unknown; readonly main?: unknown };
  const root = isMap(exports) && "." in exports ? exports["."] : exports;
  const target = exports === undefined ? undefined : resolveTarget(root);
  if (target !== undefined) return target;
  if (exports !== undefined) throw new Error("its exports have no entry for an ES import");
  return typeof main === "string" && main !== "" ? main : "index.js";
}

function resolveTarget(target: unknown): string | undefined {
  if (typeof target === "string") return target;
  const branches = Array.isArray(target) ? target : isMap(target) ? matching(target) : [];
  for (const branch of branches) {
    const found = resolveTarget(branch);
    if (found !== undefined) return found;
  }
  return undefined;
}

function matching(target: Record<string, unknown>): unknown[] {
  return Object.entries(target)
    .filter(([condition]) => conditions.has(condition))
    .map(([, branch]) => branch);
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
