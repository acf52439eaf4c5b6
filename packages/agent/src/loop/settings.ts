import type { Lifecycle } from "@hermes-observer/core";

import type { Sleep } from "../abort.ts";
import type { AgentUi } from "../agent-ui.ts";
import type { AgentModel } from "../model/model-port.ts";
import type { RetryPolicy } from "../model/retry-delay.ts";
import type { Tool } from "../tools/tool.ts";
import type { Workspace } from "../tools/workspace.ts";

/** Bounds of a run. */
export interface AgentLimits {
  /** Requests of one turn. Default 50. */
  readonly maxSteps: number;
  /** Tokens that the model may answer with; null leaves it to the provider. Default null. */
  readonly maxOutputTokens: number | null;
  /** Tools that run at the same time. Default 8. */
  readonly maxParallelTools: number;
  /** Time of a tool that does not keep its own. Milliseconds, default 420,000. */
  readonly toolTimeoutMs: number;
  /** How long an approval is waited for. Milliseconds, default 300,000. */
  readonly approvalTimeoutMs: number;
  /** How long a model may send nothing. Milliseconds, default 120,000. */
  readonly idleTimeoutMs: number;
  /** Levels of children below the agent that the user talks to. Default 3. */
  readonly maxDelegationDepth: number;
  /** Characters of a child's answer that its parent gets. Default 24,000. */
  readonly maxSummaryChars: number;
}

export const defaultLimits: AgentLimits = {
  maxSteps: 50,
  maxOutputTokens: null,
  maxParallelTools: 8,
  toolTimeoutMs: 420_000,
  approvalTimeoutMs: 300_000,
  idleTimeoutMs: 120_000,
  maxDelegationDepth: 3,
  maxSummaryChars: 24_000,
};

/** Everything that an agent and the children that it delegates to have in common. */
export interface AgentSettings {
  readonly lifecycle: Lifecycle;
  readonly model: AgentModel;
  readonly workspace: Workspace;
  readonly systemPrompt: string;
  readonly childSystemPrompt: string;
  readonly tools: readonly Tool[];
  readonly ui: AgentUi;
  readonly surface: string;
  readonly limits: AgentLimits;
  readonly retry: RetryPolicy;
  readonly isStreaming: boolean;
  /** Numbers in [0, 1), for the jitter of retries. */
  readonly random: () => number;
  readonly sleep: Sleep;
}
