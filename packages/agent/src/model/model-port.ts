import type {
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamResult,
} from "@ai-sdk/provider";

/**
 * What the loop needs of a model; every `LanguageModelV4` of a provider package is one.
 *
 * **Contract:** one call is one attempt over the wire. A port never retries by itself.
 */
export interface ModelPort {
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: LanguageModelV4CallOptions): PromiseLike<LanguageModelV4GenerateResult>;
  doStream(options: LanguageModelV4CallOptions): PromiseLike<LanguageModelV4StreamResult>;
}

/** A model and where it is reached, as the API hooks name it. */
export interface AgentModel {
  readonly port: ModelPort;
  /** `openai`, `anthropic`, `openai-compatible`, … */
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly apiMode: "chat_completions" | "anthropic_messages";
}
