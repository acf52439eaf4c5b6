import type { Lifecycle } from "@hermes-observer/core";

import { sleep } from "./abort.ts";
import type { Sleep } from "./abort.ts";
import { AgentError } from "./agent-error.ts";
import { AgentSession } from "./agent-session.ts";
import type { AgentUi } from "./agent-ui.ts";
import { defaultChildSystemPrompt, defaultSystemPrompt } from "./system-prompt.ts";
import { defaultLimits } from "./loop/settings.ts";
import type { AgentLimits, AgentSettings } from "./loop/settings.ts";
import type { AgentModel } from "./model/model-port.ts";
import { defaultRetryPolicy } from "./model/retry-delay.ts";
import type { RetryPolicy } from "./model/retry-delay.ts";
import { standardTools } from "./tools/standard-tools.ts";
import type { Tool } from "./tools/tool.ts";
import { Workspace } from "./tools/workspace.ts";

/** How an agent is set up; only the first three are needed. */
export interface AgentOptions {
  /** Fires the hooks; also where ids and times come from. */
  readonly lifecycle: Lifecycle;
  readonly model: AgentModel;
  /** Folder that the agent works in. */
  readonly workspace: string;
  readonly systemPrompt?: string;
  readonly childSystemPrompt?: string;
  /** Default: `standardTools()`. */
  readonly tools?: readonly Tool[];
  readonly ui?: AgentUi;
  /** `surface` of the approval hooks. Default: the lifecycle's platform. */
  readonly surface?: string;
  readonly limits?: Partial<AgentLimits>;
  readonly retry?: Partial<RetryPolicy>;
  /** Default true. */
  readonly isStreaming?: boolean;
  /** Numbers in [0, 1) for the jitter of retries; with `seededRandom(seed)` waits repeat too. */
  readonly random?: () => number;
  readonly sleep?: Sleep;
}

/**
 * An agent: a model, tools and a folder to work in.
 *
 * **Contract:** it fires every hook through the lifecycle that it is given and knows no observer. Sessions of one
 * agent are independent of each other and may run side by side.
 */
export class Agent {
  readonly #settings: AgentSettings;

  /**
   * @throws AgentError `AGENT_INVALID_OPTION` for two tools of one name, a limit that is no number from 0 to
   *   2,147,483,647, and when the folder is not there
   */
  constructor(options: AgentOptions) {
    const tools = options.tools ?? standardTools();
    checkTools(tools);
    const limits = { ...defaultLimits, ...options.limits };
    const retry = { ...defaultRetryPolicy, ...options.retry };
    checkNumbers({ ...limits, ...retry, maxOutputTokens: limits.maxOutputTokens ?? 0 });
    this.#settings = {
      lifecycle: options.lifecycle,
      model: options.model,
      workspace: openWorkspace(options.workspace),
      systemPrompt: options.systemPrompt ?? defaultSystemPrompt,
      childSystemPrompt: options.childSystemPrompt ?? defaultChildSystemPrompt,
      tools,
      ui: options.ui ?? {},
      surface: options.surface ?? options.lifecycle.platform,
      limits,
      retry,
      isStreaming: options.isStreaming ?? true,
      random: options.random ?? Math.random,
      sleep: options.sleep ?? sleep,
    };
  }

  /** Opens a conversation. */
  startSession(options: { readonly session_id?: string } = {}): AgentSession {
    return new AgentSession(this.#settings, options);
  }
}

function checkTools(tools: readonly Tool[]): void {
  const names = new Set<string>();
  for (const { name } of tools) {
    if (names.has(name))
      throw new AgentError("AGENT_INVALID_OPTION", `two tools are called "${name}"`);
    names.add(name);
  }
}

/** More milliseconds than this a timer takes for none at all. */
const MAX_NUMBER = 2_147_483_647;

function checkNumbers(numbers: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (typeof value === "number" && value >= 0 && value <= MAX_NUMBER) continue;
    const expected = `a number from 0 to ${MAX_NUMBER}`;
    throw new AgentError(
      "AGENT_INVALID_OPTION",
      `"${name}": expected ${expected}, got ${String(value)}`,
    );
  }
}

function openWorkspace(path: string): Workspace {
  try {
    return new Workspace(path);
  } catch (cause) {
    throw new AgentError(
      "AGENT_INVALID_OPTION",
      `the workspace "${path}" is not there; make it first`,
      { cause },
    );
  }
}
