import type { ToolCallHistoryItem } from "../contract/subagent.ts";

/** What is known of one call of a child. */
export interface ToolCallFacts {
  readonly tool_name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Characters of the arguments as JSON text. */
  readonly input_chars: number;
  /** Characters of the result as text. */
  readonly output_chars: number;
  readonly status: "ok" | "error" | "unknown";
}

const MAX_NAME = 256;
const MAX_KEYS = 64;
const MAX_KEY = 128;
const MAX_TARGET = 1024;
const MAX_TARGETS = 16;
const pathKeys = new Set(
  "cwd destination_path directory dst file_path new_path old_path path source_path src target_path".split(
    " ",
  ),
);
const urlKeys = new Set(["endpoint", "url", "urls"]);

/**
 * The metadata-only item that `subagent_stop.tool_call_history` holds: names, bounded targets, sizes, outcome.
 *
 * **Contract:** no argument value gets in but targets (top-level paths and URLs), cut to 1,024 characters, 16 per
 * list; of a URL only scheme, host, port and path stay, whatever key it stands under.
 */
export function toolCallHistoryItem(facts: ToolCallFacts): ToolCallHistoryItem {
  const targets: Record<string, string | string[]> = {};
  for (const [key, value] of Object.entries(facts.args)) {
    const name = key.toLowerCase();
    if (!pathKeys.has(name) && !urlKeys.has(name)) continue;
    const target = targetOf(value, urlKeys.has(name));
    if (target !== undefined) targets[name] = target;
  }
  const keys = Object.keys(facts.args).sort().slice(0, MAX_KEYS);
  return {
    tool_name: facts.tool_name.slice(0, MAX_NAME),
    tool_input: { argument_keys: keys.map((key) => key.slice(0, MAX_KEY)), targets },
    input_bytes: facts.input_chars,
    output_bytes: facts.output_chars,
    status: facts.status,
  };
}

function targetOf(value: unknown, isUrl: boolean): string | string[] | undefined {
  if (typeof value === "string") return oneTarget(value, isUrl);
  if (!Array.isArray(value)) return undefined;
  const strings = value.filter((item) => typeof item === "string").slice(0, MAX_TARGETS);
  return strings.flatMap((item) => oneTarget(item, isUrl) ?? []);
}

function oneTarget(text: string, isUrl: boolean): string | undefined {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  if (!isUrl && !hasScheme) return text.slice(0, MAX_TARGET);
  return withoutSecrets(text, hasScheme)?.slice(0, MAX_TARGET);
}

/** Scheme, host, port and path. A URL without a scheme loses what follows its path too. */
function withoutSecrets(text: string, hasScheme: boolean): string | undefined {
  if (!hasScheme) return text.replace(/^[^/@?#]*@/, "").replace(/[?#].*$/s, "");
  try {
    const { protocol, host, pathname } = new URL(text);
    return `${protocol}//${host}${pathname}`;
  } catch {
    // What is no URL after all has no part that is known to be safe.
    return undefined;
  }
}
