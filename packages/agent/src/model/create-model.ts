import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";

import { AgentError } from "../agent-error.ts";
import type { AgentModel } from "./model-port.ts";

/** Which model, where, and with which key. */
export interface CreateModelOptions {
  /** `openai/<name>` or `anthropic/<name>`; with `baseUrl` any name, which is then sent as it is. */
  readonly model: string;
  /** Base URL of an OpenAI-compatible server, up to and including its version: `http://127.0.0.1:8080/v1`. */
  readonly baseUrl?: string;
  /** Wire that `baseUrl` speaks. Default: chat completions. */
  readonly apiMode?: AgentModel["apiMode"];
  /** Default: `OPENAI_API_KEY` or `ANTHROPIC_API_KEY`; with `baseUrl`, `HERMES_OBSERVER_API_KEY` if it is set. */
  readonly apiKey?: string;
  readonly fetch?: typeof fetch;
  /** Environment that keys are read from. Default: that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

type Made = Pick<CreateModelOptions, "fetch"> & { readonly name: string; readonly apiKey: string };

const OPENAI_URL = "https://api.openai.com/v1";
const ANTHROPIC_URL = "https://api.anthropic.com/v1";

/**
 * Makes a model from a provider package. A key of OpenAI or Anthropic is never sent to another base URL unless it is
 * passed as `apiKey`.
 *
 * @throws AgentError `AGENT_INVALID_MODEL`, `AGENT_NO_API_KEY` (names the variable to set)
 */
export function createModel(options: CreateModelOptions): AgentModel {
  const { model, baseUrl } = options;
  if (model === "") throw new AgentError("AGENT_INVALID_MODEL", "the model's name is empty");
  if (baseUrl !== undefined) return atBaseUrl(options, checkedUrl(baseUrl));
  const slash = model.indexOf("/");
  const provider = model.slice(0, Math.max(slash, 0));
  const name = model.slice(slash + 1);
  if (name !== "" && provider === "openai") {
    return openAi({ ...options, name, apiKey: keyFrom(options, "OPENAI_API_KEY") });
  }
  if (name !== "" && provider === "anthropic") {
    return anthropic(
      { ...options, name, apiKey: keyFrom(options, "ANTHROPIC_API_KEY") },
      ANTHROPIC_URL,
    );
  }
  throw new AgentError(
    "AGENT_INVALID_MODEL",
    `"${model}" names no provider; expected openai/<name> or anthropic/<name>, or a base URL of an ` +
      `OpenAI-compatible server together with any name`,
  );
}

function openAi({ name, apiKey, fetch }: Made): AgentModel {
  // The base URL is given so that no variable of the environment changes where the events say that requests go.
  const provider = createOpenAI({ apiKey, baseURL: OPENAI_URL, ...(fetch && { fetch }) });
  return {
    port: provider.chat(name),
    provider: "openai",
    model: name,
    baseUrl: OPENAI_URL,
    apiMode: "chat_completions",
  };
}

function anthropic({ name, apiKey, fetch }: Made, baseURL: string): AgentModel {
  const provider = createAnthropic({ apiKey, baseURL, ...(fetch && { fetch }) });
  return {
    port: provider(name),
    provider: "anthropic",
    model: name,
    baseUrl: baseURL,
    apiMode: "anthropic_messages",
  };
}

function atBaseUrl(options: CreateModelOptions, baseURL: string): AgentModel {
  const { model: name, fetch } = options;
  const apiKey = options.apiKey ?? environmentKey(options, "HERMES_OBSERVER_API_KEY");
  if (options.apiMode === "anthropic_messages") {
    return anthropic({ name, apiKey: apiKey ?? "", ...(fetch && { fetch }) }, baseURL);
  }
  const provider = createOpenAICompatible({
    name: "openaiCompatible",
    baseURL,
    includeUsage: true,
    ...(apiKey !== undefined && { apiKey }),
    ...(fetch && { fetch }),
  });
  return {
    port: provider.chatModel(name),
    provider: "openai-compatible",
    model: name,
    baseUrl: baseURL,
    apiMode: "chat_completions",
  };
}

function checkedUrl(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  if (url?.protocol === "http:" || url?.protocol === "https:") return baseUrl.replace(/\/+$/, "");
  throw new AgentError(
    "AGENT_INVALID_MODEL",
    `"${baseUrl}" is no base URL; expected for example http://127.0.0.1:8080/v1`,
  );
}

function keyFrom(options: CreateModelOptions, variable: string): string {
  const key = options.apiKey ?? environmentKey(options, variable);
  if (key !== undefined && key !== "") return key;
  throw new AgentError(
    "AGENT_NO_API_KEY",
    `"${options.model}" needs a key and ${variable} is not set; set it (export ${variable}=…), or name a local ` +
      `server with a base URL`,
  );
}

function environmentKey(options: CreateModelOptions, variable: string): string | undefined {
  const key = (options.env ?? process.env)[variable];
  return key === "" ? undefined : key;
}
