import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { SessionHandle, ToolCallHistoryItem, TurnOptions } from "@hermes-observer/core";

import { AgentError } from "./agent-error.ts";
import { ApprovalGate } from "./approval/approval-gate.ts";
import { Conversation } from "./loop/conversation.ts";
import { runTurn } from "./loop/run-turn.ts";
import type { AgentSettings } from "./loop/settings.ts";
import type { TurnResult } from "./loop/turn-result.ts";
import type { ChildAgent, ChildOptions, SessionScope } from "./loop/turn-scope.ts";
import { delegateTaskTool } from "./tools/delegate-task.ts";
import type { Tool } from "./tools/tool.ts";

/** How a message is sent. */
export interface SendOptions {
  /** Interrupts the turn, at any moment. */
  readonly signal?: AbortSignal;
  /** Who wrote the message, where the surface knows. */
  readonly sender_id?: string;
}

/** What a child's session takes over from the one that delegated. */
interface Parent {
  readonly depth: number;
  readonly approvals: ApprovalGate;
  readonly child: ChildOptions;
}

/**
 * A conversation with an agent: any number of turns, one at a time.
 *
 * **Contract:** `send` gives a result for whatever becomes of the turn, and rejects only for a defect or when the
 * session is busy or over. `finalize` ends a running turn's hooks too; interrupt it first.
 */
export class AgentSession implements Disposable {
  readonly #settings: AgentSettings;
  readonly #handle: SessionHandle;
  readonly #scope: SessionScope;
  readonly #origin: Pick<TurnOptions, "task_id" | "parent_session_id" | "parent_subagent_id">;
  #isBusy = false;

  constructor(
    settings: AgentSettings,
    options: { readonly session_id?: string; readonly handle?: SessionHandle } = {},
    parent?: Parent,
  ) {
    this.#settings = settings;
    this.#handle =
      options.handle ??
      settings.lifecycle.startSession({
        model: settings.model.model,
        ...(options.session_id === undefined ? {} : { session_id: options.session_id }),
        ...(parent === undefined ? {} : { platform: "subagent" }),
      });
    this.#origin = parent === undefined ? {} : originOf(parent.child);
    this.#scope = this.#scopeOf(parent);
  }

  get session_id(): string {
    return this.#handle.session_id;
  }

  /** Metadata of the tool calls so far. */
  get toolCallHistory(): readonly ToolCallHistoryItem[] {
    return this.#scope.toolCallHistory;
  }

  /**
   * Says something to the agent and waits for its answer.
   *
   * @throws AgentError `AGENT_SESSION_BUSY` while a turn runs, `AGENT_SESSION_CLOSED` after `finalize`
   */
  async send(message: string, options: SendOptions = {}): Promise<TurnResult> {
    if (this.#isBusy)
      throw new AgentError("AGENT_SESSION_BUSY", "wait for the running turn, or interrupt it");
    if (!this.#handle.isOpen) throw new AgentError("AGENT_SESSION_CLOSED", "start a new session");
    this.#isBusy = true;
    try {
      const turn = await this.#handle.startTurn({
        user_message: message,
        is_first_turn: this.#scope.conversation.isEmpty,
        ...this.#origin,
        ...(options.sender_id === undefined ? {} : { sender_id: options.sender_id }),
      });
      return await runTurn(
        this.#scope,
        turn,
        message,
        options.signal ?? new AbortController().signal,
      );
    } finally {
      this.#isBusy = false;
    }
  }

  /** The conversation is over. A second call does nothing. */
  finalize(reason?: string): void {
    if (this.#handle.isOpen) this.#handle.finalize(reason);
  }

  /** Leaves this conversation for a new, empty one with the same agent. */
  reset(reason?: string): AgentSession {
    const handle = this.#handle.reset(reason === undefined ? {} : { reason });
    return new AgentSession(this.#settings, { handle });
  }

  [Symbol.dispose](): void {
    this.finalize("disposed");
  }

  #scopeOf(parent: Parent | undefined): SessionScope {
    const settings = this.#settings;
    const speaker = {
      sessionId: this.session_id,
      depth: parent === undefined ? 0 : parent.depth + 1,
    };
    const canDelegate =
      parent === undefined ? settings.limits.maxDelegationDepth > 0 : parent.child.canDelegate;
    const tools = settings.tools.filter(
      (tool) => canDelegate || tool.name !== delegateTaskTool.name,
    );
    const approvals =
      parent?.approvals ??
      new ApprovalGate({
        ui: settings.ui,
        surface: settings.surface,
        timeoutMs: settings.limits.approvalTimeoutMs,
        sessionKey: this.session_id,
      });
    return {
      settings,
      speaker,
      conversation: new Conversation(
        parent === undefined ? settings.systemPrompt : settings.childSystemPrompt,
      ),
      approvals,
      tools: new Map(tools.map((tool) => [tool.name, tool])),
      toolDefinitions: tools.map(definitionOf),
      toolCallHistory: [],
      openChild: (child) => openChild(settings, { depth: speaker.depth, approvals, child }),
    };
  }
}

function openChild(settings: AgentSettings, parent: Parent): ChildAgent {
  const session = new AgentSession(settings, { session_id: parent.child.session_id }, parent);
  return {
    get toolCallHistory() {
      return session.toolCallHistory;
    },
    async run(goal, signal) {
      try {
        return await session.send(goal, { signal });
      } finally {
        session.finalize("delegation_ended");
      }
    },
  };
}

function originOf(
  child: ChildOptions,
): Pick<TurnOptions, "task_id" | "parent_session_id" | "parent_subagent_id"> {
  return {
    task_id: child.subagent_id,
    parent_session_id: child.parent_session_id,
    parent_subagent_id: child.subagent_id,
  };
}

function definitionOf({ name, description, parameters }: Tool): LanguageModelV4FunctionTool {
  return {
    type: "function",
    name,
    description,
    // Our schema type is the part of JSON Schema 7 that tools use; the package only passes it on.
    inputSchema: parameters as LanguageModelV4FunctionTool["inputSchema"],
  };
}
