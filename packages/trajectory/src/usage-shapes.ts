import { asObject } from "./payload-fields.ts";
import type { UsageIssue } from "./usage-issue.ts";

/** Conventions for token counts that are recognised. */
export type UsageShape =
  | "hermes"
  | "openai_chat"
  | "openai_responses"
  | "anthropic"
  | "ai_sdk"
  | "ai_sdk_flat"
  | "bedrock"
  | "gemini"
  | "langchain"
  | "bare";

/** Counts as one convention gives them: inclusive sums where it has them, exclusive parts where it has those. */
export interface RawCounts {
  readonly shape: UsageShape;
  /** Whole input. */
  readonly input: number | null;
  /** Input outside the cache; only used when `input` is null. */
  readonly uncached: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  /** Whole output. */
  readonly output: number | null;
  /** Output without reasoning; only used when `output` is null. */
  readonly text: number | null;
  readonly reasoning: number | null;
  readonly total: number | null;
}

/** No request has more tokens; sums of some of these stay exact. */
const maxCount = 1e12;

type Fields = { readonly [field: string]: unknown };

/** Reads a usage object by the convention that its field names show, or gives null when none fits. */
export function readShape(usage: Fields, issues: UsageIssue[]): RawCounts | null {
  const reader = new Reader(usage, issues);
  for (const [names, read] of conventions) {
    if (names.some((name) => name in usage)) return read(reader);
  }
  return null;
}

/** Reads counts out of one object and its sub-objects and notes what is odd about them. */
class Reader {
  readonly usage: Fields;
  readonly #issues: UsageIssue[];

  constructor(usage: Fields, issues: UsageIssue[]) {
    this.usage = usage;
    this.#issues = issues;
  }

  count(field: string, fields: Fields | null = this.usage): number | null {
    const value: unknown = fields?.[field];
    if (value === undefined || value === null) return null;
    if (typeof value === "number") return this.#checked(field, value);
    if (typeof value === "string" && /^[0-9]{1,15}$/.test(value)) {
      this.#issues.push({ field, kind: "text_number" });
      return this.#checked(field, Number(value));
    }
    this.#issues.push({ field, kind: "not_a_number" });
    return null;
  }

  /** The first of several spellings that is reported. */
  first(names: readonly string[], fields: Fields | null = this.usage): number | null {
    for (const name of names) {
      const value = this.count(name, fields);
      if (value !== null) return value;
    }
    return null;
  }

  part(field: string): Fields | null {
    return asObject(this.usage[field]);
  }

  #checked(field: string, value: number): number | null {
    if (!Number.isFinite(value)) {
      this.#issues.push({ field, kind: "not_a_number" });
      return null;
    }
    if (value < 0) {
      this.#issues.push({ field, kind: "negative" });
      return null;
    }
    if (value > maxCount) {
      this.#issues.push({ field, kind: "too_large" });
      return null;
    }
    if (Number.isInteger(value)) return value;
    this.#issues.push({ field, kind: "fraction" });
    return Math.round(value);
  }
}

/** Hermes' CanonicalUsage: `input_tokens` outside the cache, `prompt_tokens` the sum; 0 may mean "not reported". */
function hermes(reader: Reader): RawCounts {
  const reported = reader.part("reported_usage_fields");
  const count = (field: string): number | null =>
    reported?.[field] === false ? null : reader.count(field);
  const cacheRead = count("cache_read_tokens");
  const cacheWrite = count("cache_write_tokens");
  const output = count("output_tokens");
  const total = reader.count("total_tokens");
  const prompt = count("prompt_tokens");
  const plain = count("input_tokens");
  const cached = (cacheRead ?? 0) + (cacheWrite ?? 0);
  // Without prompt_tokens only the total can show that a producer's input_tokens includes the cache.
  const inclusive =
    prompt === null && plain !== null && cached > 0 && total === plain + (output ?? 0);
  return {
    shape: "hermes",
    input: inclusive ? plain : prompt,
    uncached: plain,
    cacheRead,
    cacheWrite,
    output,
    text: null,
    reasoning: count("reasoning_tokens"),
    total: isNothing(prompt, plain, output) && total === 0 ? null : total,
  };
}

function isNothing(...counts: readonly (number | null)[]): boolean {
  return counts.every((count) => count === null);
}

/** Hermes gives the whole input under OpenAI's name, but the output under its own. */
function hermesOrChat(reader: Reader): RawCounts {
  const isHermes = "prompt_tokens" in reader.usage && "output_tokens" in reader.usage;
  return isHermes ? hermes(reader) : openaiChat(reader);
}

/** OpenAI chat completions and its relatives: `prompt_tokens` is the whole input. */
function openaiChat(reader: Reader): RawCounts {
  const details = reader.part("prompt_tokens_details");
  return {
    shape: "openai_chat",
    input: reader.count("prompt_tokens"),
    uncached: null,
    cacheRead:
      reader.count("cached_tokens", details) ??
      reader.first(["prompt_cache_hit_tokens", "cache_read_input_tokens"]),
    cacheWrite:
      reader.first(["cache_write_tokens", "cache_creation_tokens"], details) ??
      reader.count("cache_creation_input_tokens"),
    output: reader.count("completion_tokens"),
    text: null,
    reasoning: reader.count("reasoning_tokens", reader.part("completion_tokens_details")),
    total: reader.count("total_tokens"),
  };
}

/** OpenAI Responses: `input_tokens` is the whole input. */
function responses(reader: Reader): RawCounts {
  const details = reader.part("input_tokens_details");
  return {
    shape: "openai_responses",
    input: reader.count("input_tokens"),
    uncached: null,
    cacheRead: reader.count("cached_tokens", details),
    cacheWrite: reader.first(["cache_write_tokens", "cache_creation_tokens"], details),
    output: reader.count("output_tokens"),
    text: null,
    reasoning: reader.count("reasoning_tokens", reader.part("output_tokens_details")),
    total: reader.count("total_tokens"),
  };
}

/** Anthropic Messages: three buckets of input, none inside another. */
function anthropic(reader: Reader): RawCounts {
  return {
    shape: "anthropic",
    input: null,
    uncached: reader.count("input_tokens"),
    cacheRead: reader.count("cache_read_input_tokens"),
    cacheWrite: reader.count("cache_creation_input_tokens"),
    output: reader.count("output_tokens"),
    text: null,
    reasoning: null,
    total: reader.count("total_tokens"),
  };
}

/** LangChain's usage metadata, and flat `cache_read`: `input_tokens` is the whole input. */
function langchain(reader: Reader): RawCounts {
  const details = reader.part("input_token_details") ?? reader.usage;
  return {
    shape: "langchain",
    input: reader.count("input_tokens"),
    uncached: null,
    cacheRead: reader.count("cache_read", details),
    cacheWrite: reader.first(["cache_creation", "cache_write"], details),
    output: reader.count("output_tokens"),
    text: null,
    reasoning: reader.count("reasoning", reader.part("output_token_details")),
    total: reader.count("total_tokens"),
  };
}

/** Only input and output: nothing is known of a cache. */
function bare(reader: Reader): RawCounts {
  return {
    shape: "bare",
    input: reader.count("input_tokens"),
    uncached: null,
    cacheRead: null,
    cacheWrite: null,
    output: reader.count("output_tokens"),
    text: null,
    reasoning: reader.count("reasoning_tokens"),
    total: reader.count("total_tokens"),
  };
}

/** Gemini: thoughts stand beside the candidates, tool prompts beside the prompt. */
function gemini(reader: Reader): RawCounts {
  const prompt = reader.count("promptTokenCount");
  const toolPrompt = reader.count("toolUsePromptTokenCount");
  const reasoning = reader.count("thoughtsTokenCount");
  const candidates = reader.count("candidatesTokenCount");
  return {
    shape: "gemini",
    input: prompt === null ? toolPrompt : prompt + (toolPrompt ?? 0),
    uncached: null,
    cacheRead: reader.count("cachedContentTokenCount"),
    cacheWrite: null,
    output: null,
    text: candidates ?? (reasoning === null ? null : 0),
    reasoning,
    total: reader.count("totalTokenCount"),
  };
}

/** camelCase: the AI SDK's provider interface (by part), its older flat form, and Bedrock's Converse. */
function camel(reader: Reader): RawCounts {
  const input = reader.part("inputTokens");
  const output = reader.part("outputTokens");
  if (input !== null || output !== null) return aiSdk(reader, input, output);
  const isBedrock =
    "cacheReadInputTokens" in reader.usage || "cacheWriteInputTokens" in reader.usage;
  const plain = reader.count("inputTokens");
  return {
    shape: isBedrock ? "bedrock" : "ai_sdk_flat",
    input: isBedrock ? null : plain,
    uncached: isBedrock ? plain : null,
    cacheRead: reader.first(["cachedInputTokens", "cacheReadInputTokens"]),
    cacheWrite: reader.count("cacheWriteInputTokens"),
    output: reader.count("outputTokens"),
    text: null,
    reasoning: reader.count("reasoningTokens"),
    total: reader.count("totalTokens"),
  };
}

function aiSdk(reader: Reader, input: Fields | null, output: Fields | null): RawCounts {
  return {
    shape: "ai_sdk",
    input: reader.count("total", input),
    uncached: reader.count("noCache", input),
    cacheRead: reader.count("cacheRead", input),
    cacheWrite: reader.count("cacheWrite", input),
    output: reader.count("total", output),
    text: reader.count("text", output),
    reasoning: reader.count("reasoning", output),
    total: null,
  };
}

/** The names that show a convention, in the order in which they decide. */
const conventions: readonly (readonly [
  names: readonly string[],
  read: (reader: Reader) => RawCounts,
])[] = [
  [["promptTokenCount", "candidatesTokenCount"], gemini],
  [["inputTokens", "outputTokens"], camel],
  [["cache_read_tokens", "cache_write_tokens", "reported_usage_fields"], hermes],
  [["prompt_tokens", "completion_tokens"], hermesOrChat],
  [["cache_read_input_tokens", "cache_creation_input_tokens"], anthropic],
  [["input_tokens_details", "output_tokens_details"], responses],
  [["input_token_details", "output_token_details", "cache_read"], langchain],
  [["input_tokens", "output_tokens", "total_tokens"], bare],
];
