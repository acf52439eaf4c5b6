import type { Count, Tokens } from "./primitives.ts";

/**
 * Token counts as Hermes reckons them (its `CanonicalUsage`).
 *
 * Here `prompt_tokens` = `input_tokens` + `cache_read_tokens` + `cache_write_tokens`, and `total_tokens` =
 * `prompt_tokens` + `output_tokens`: adding a sum to its parts counts twice. `reasoning_tokens` is a part of
 * `output_tokens`. 0 may mean "none" or "not reported": `reported_usage_fields` tells, where it is sent.
 */
export interface CanonicalUsage {
  /**
   * Input that was not served from or written to a cache. The same name in OpenAI's Responses API includes cached
   * input; in Anthropic's it does not.
   */
  readonly input_tokens?: Tokens | null;
  /** Output, reasoning included. */
  readonly output_tokens?: Tokens | null;
  /** Input that was read from a cache. */
  readonly cache_read_tokens?: Tokens | null;
  /** Input that was written to a cache. */
  readonly cache_write_tokens?: Tokens | null;
  /** The part of the output that was reasoning. */
  readonly reasoning_tokens?: Tokens | null;
  /** The whole input, cached or not. */
  readonly prompt_tokens?: Tokens | null;
  /** The whole input and output. */
  readonly total_tokens?: Tokens | null;
  /** Provider requests that these counts cover. */
  readonly request_count?: Count | null;
  /** By field name: whether the provider reported it. Newer Hermes only. */
  readonly reported_usage_fields?: Readonly<Record<string, boolean>> | null;
}

/** Token counts in the spellings of providers and SDKs, as hosts pass them on without reckoning. */
export interface ProviderUsage {
  /** OpenAI chat completions: output, reasoning included. */
  readonly completion_tokens?: Tokens | null;
  /** OpenAI chat completions: parts of `prompt_tokens`. */
  readonly prompt_tokens_details?: InputTokenDetails | null;
  /** OpenAI chat completions: parts of `completion_tokens`. */
  readonly completion_tokens_details?: OutputTokenDetails | null;
  /** OpenAI Responses: parts of `input_tokens`. */
  readonly input_tokens_details?: InputTokenDetails | null;
  /** OpenAI Responses: parts of `output_tokens`. */
  readonly output_tokens_details?: OutputTokenDetails | null;
  /** Anthropic: input read from a cache, on top of `input_tokens`. */
  readonly cache_read_input_tokens?: Tokens | null;
  /** Anthropic: input written to a cache, on top of `input_tokens`. */
  readonly cache_creation_input_tokens?: Tokens | null;
  /** DeepSeek: the part of `prompt_tokens` that was read from a cache. */
  readonly prompt_cache_hit_tokens?: Tokens | null;
  /** DeepSeek: the part of `prompt_tokens` that was not. */
  readonly prompt_cache_miss_tokens?: Tokens | null;
  /** Gemini: the whole input. */
  readonly promptTokenCount?: Tokens | null;
  /** Gemini: output without reasoning. */
  readonly candidatesTokenCount?: Tokens | null;
  /** Gemini: reasoning, on top of `candidatesTokenCount`. */
  readonly thoughtsTokenCount?: Tokens | null;
  /** Gemini: the part of `promptTokenCount` that was read from a cache. */
  readonly cachedContentTokenCount?: Tokens | null;
  /** Gemini: the whole input and output. */
  readonly totalTokenCount?: Tokens | null;
  /** AI SDK: the whole input, as a number or by part, depending on its version. */
  readonly inputTokens?: unknown;
  /** AI SDK: the whole output, as a number or by part, depending on its version. */
  readonly outputTokens?: unknown;
}

/** Parts of an input count. */
export interface InputTokenDetails {
  /** Read from a cache. */
  readonly cached_tokens?: Tokens | null;
  /** Audio input. */
  readonly audio_tokens?: Tokens | null;
}

/** Parts of an output count. */
export interface OutputTokenDetails {
  /** Reasoning. */
  readonly reasoning_tokens?: Tokens | null;
  /** Audio output. */
  readonly audio_tokens?: Tokens | null;
}

/**
 * Token counts of one response. Every field may be missing or null, which means unknown, never 0. Which meaning
 * `input_tokens` has depends on the producer: `@hermes-observer/trajectory` normalises it.
 */
export interface Usage extends CanonicalUsage, ProviderUsage {}
