import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { ToolCallHistoryItem, TurnHandle } from "@hermes-observer/core";

import type { Speaker } from "../agent-ui.ts";
import type { ApprovalGate } from "../approval/approval-gate.ts";
import type { Tool } from "../tools/tool.ts";
import type { Conversation } from "./conversation.ts";
import type { AgentSettings } from "./settings.ts";
import type { TurnResult } from "./turn-result.ts";
import type { UsageTotal } from "./usage-total.ts";

/** How a child agent is opened. */
export interface ChildOptions {
  readonly session_id: string;
  readonly subagent_id: string;
  readonly parent_session_id: string;
  readonly canDelegate: boolean;
}

/** A child agent: it gets one task and is over. */
export interface ChildAgent {
  /** Metadata of its tool calls so far. */
  readonly toolCallHistory: readonly ToolCallHistoryItem[];
  run(goal: string, signal: AbortSignal): Promise<TurnResult>;
}

/** What one session brings to each of its turns. */
export interface SessionScope {
  readonly settings: AgentSettings;
  readonly speaker: Speaker;
  readonly conversation: Conversation;
  readonly approvals: ApprovalGate;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly toolDefinitions: readonly LanguageModelV4FunctionTool[];
  readonly toolCallHistory: ToolCallHistoryItem[];
  openChild(options: ChildOptions): ChildAgent;
}

/** What one turn works with. */
export interface TurnScope extends SessionScope {
  readonly turn: TurnHandle;
  readonly signal: AbortSignal;
  readonly usage: UsageTotal;
}
