import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";

/**
 * Notices usage that a provider sends before the end of a stream, so that an attempt that breaks off still says what
 * it is known to have used. A provider package reports usage only with its last part.
 */
export class UsageWatch {
  #seen: Record<string, unknown> | undefined;

  /** Looks at one part: raw chunks of the chat-completions and the Anthropic wire, and the finish part. */
  look(part: LanguageModelV4StreamPart): void {
    if (part.type !== "raw") return;
    const chunk = asRecord(part.rawValue);
    const usage = asRecord(chunk?.["usage"]) ?? asRecord(asRecord(chunk?.["message"])?.["usage"]);
    if (usage !== undefined) this.#seen = { ...this.#seen, ...usage };
  }

  /** The latest counts, the provider's own object in `raw`; `undefined` when none were sent. */
  get usage(): LanguageModelV4Usage | undefined {
    const raw = this.#seen;
    if (raw === undefined) return undefined;
    return "prompt_tokens" in raw || "completion_tokens" in raw
      ? chatUsage(raw)
      : anthropicUsage(raw);
  }
}

/** Chat completions: cached input is a part of the prompt, reasoning a part of the completion. */
function chatUsage(raw: Record<string, unknown>): LanguageModelV4Usage {
  const input = count(raw["prompt_tokens"]);
  const output = count(raw["completion_tokens"]);
  const cacheRead = count(asRecord(raw["prompt_tokens_details"])?.["cached_tokens"]);
  const reasoning = count(asRecord(raw["completion_tokens_details"])?.["reasoning_tokens"]);
  return {
    inputTokens: {
      total: input,
      noCache: minus(input, cacheRead),
      cacheRead,
      cacheWrite: undefined,
    },
    outputTokens: { total: output, text: minus(output, reasoning), reasoning },
    raw: asJson(raw),
  };
}

/** Anthropic: input, cache reads and cache writes are three separate counts. */
function anthropicUsage(raw: Record<string, unknown>): LanguageModelV4Usage {
  const noCache = count(raw["input_tokens"]);
  const cacheRead = count(raw["cache_read_input_tokens"]);
  const cacheWrite = count(raw["cache_creation_input_tokens"]);
  const total = noCache === undefined ? undefined : noCache + (cacheRead ?? 0) + (cacheWrite ?? 0);
  return {
    inputTokens: { total, noCache, cacheRead, cacheWrite },
    outputTokens: { total: count(raw["output_tokens"]), text: undefined, reasoning: undefined },
    raw: asJson(raw),
  };
}

function minus(whole: number | undefined, part: number | undefined): number | undefined {
  return whole === undefined ? undefined : Math.max(0, whole - (part ?? 0));
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  // Parsed JSON that is an object and no array has string keys; that is all that is claimed.
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function asJson(raw: Record<string, unknown>): NonNullable<LanguageModelV4Usage["raw"]> {
  // It came out of JSON.parse.
  return raw as NonNullable<LanguageModelV4Usage["raw"]>;
}
