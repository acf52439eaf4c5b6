import { decideContext, decideText } from "../hooks/deciding.ts";
import { Handle } from "./handle.ts";
import { HumanInputHandle } from "./human-input.ts";
import type { HumanInputOptions } from "./human-input.ts";
import type { LifecycleContext, TurnScope } from "./context.ts";
import { RequestHandle } from "./request.ts";
import type { RequestOptions } from "./request.ts";
import { SubagentHandle } from "./subagent.ts";
import type { SubagentOptions } from "./subagent.ts";
import { ToolHandle } from "./tool-call.ts";
import type { RejectedToolCall, ToolCallOptions } from "./tool-call.ts";

/** A turn to be opened: one message of the user and everything that follows from it. */
export interface TurnOptions {
  readonly user_message: string | readonly unknown[];
  readonly is_first_turn: boolean;
  readonly model?: string;
  readonly sender_id?: string;
  readonly task_id?: string;
  readonly turn_id?: string;
  /** For the turn of a child agent. */
  readonly parent_session_id?: string;
  readonly parent_subagent_id?: string;
}

/** The session in which a turn lies. */
export interface TurnPlace extends Handle {
  readonly session_id: string;
  readonly model: string;
  readonly platform: string;
}

/** How a turn went. */
export interface TurnEnd {
  readonly completed?: boolean;
  readonly failed?: boolean;
  readonly interrupted?: boolean;
  readonly turn_exit_reason: string;
  /** The final text, after `transformOutput`. Without one `post_llm_call` does not fire. */
  readonly assistant_response?: string;
}

/** One turn. `using` ends it as abandoned. */
export class TurnHandle extends Handle implements TurnScope {
  readonly session_id: string;
  readonly platform: string;
  readonly turn_id: string;
  readonly task_id: string;
  readonly model: string;
  readonly parent_subagent_id: string | null;
  readonly #options: TurnOptions;
  #context: string | undefined;
  #apiCallCount = 0;
  #subagents = 0;

  constructor(lifecycle: LifecycleContext, session: TurnPlace, options: TurnOptions) {
    super(lifecycle, session);
    this.session_id = session.session_id;
    this.platform = session.platform;
    this.task_id = options.task_id ?? lifecycle.ids.task();
    this.turn_id = options.turn_id ?? lifecycle.ids.turn(session.session_id, this.task_id);
    this.model = options.model ?? session.model;
    this.parent_subagent_id = options.parent_subagent_id ?? null;
    this.#options = options;
  }

  /** Text of the deciders of `pre_llm_call`, to be appended to the user's message for this turn only. */
  get context(): string | undefined {
    return this.#context;
  }

  /** @internal */
  async open(): Promise<void> {
    const { hooks } = this.lifecycle;
    if (hooks.hasDeciders("pre_llm_call")) {
      this.#context = await decideContext(
        hooks,
        this.#payload((text) => text),
      );
    }
    if (!hooks.has("pre_llm_call")) return;
    this.emit("pre_llm_call", () => this.#payload((text) => this.lifecycle.clean(text)));
  }

  /** One logical request to a model; its attempts share the id that is made here. */
  startRequest(options: RequestOptions): RequestHandle {
    this.#apiCallCount += 1;
    return new RequestHandle(this.lifecycle, this, {
      ...options,
      api_call_count: this.#apiCallCount,
    });
  }

  /** Asks the deciders of `pre_tool_call`, then fires it. The answer is the handle's `decision`. Never rejects. */
  async startToolCall(options: ToolCallOptions): Promise<ToolHandle> {
    const tool = new ToolHandle(this.lifecycle, this, options);
    await tool.open();
    return tool;
  }

  /** A call that cannot run (unknown tool, bad arguments): `pre_tool_call` and `post_tool_call`, no decider. */
  rejectToolCall(options: RejectedToolCall): void {
    const tool = new ToolHandle(this.lifecycle, this, options);
    tool.announce();
    tool.finish(options);
  }

  /** The agent waits for a human outside of any tool. */
  requestHumanInput(options: HumanInputOptions): HumanInputHandle {
    return new HumanInputHandle(this.lifecycle, { parent: this, turn: this }, options);
  }

  startSubagent(options: SubagentOptions): SubagentHandle {
    return new SubagentHandle(this.lifecycle, { parent: this, turn: this }, options);
  }

  nextSubagentIndex(): number {
    return this.#subagents++;
  }

  /** Final text as the deciders of `transform_llm_output` want it; observers then see what it became. Never rejects. */
  async transformOutput(text: string): Promise<string> {
    const { hooks } = this.lifecycle;
    const ids = {
      session_id: this.session_id,
      model: this.model,
      platform: this.platform,
      turn_id: this.turn_id,
    };
    let effective = text;
    if (hooks.hasDeciders("transform_llm_output")) {
      const event = { response_text: text, ...ids };
      effective = (await decideText(hooks, "transform_llm_output", event)) ?? text;
    }
    if (hooks.has("transform_llm_output")) {
      this.emit("transform_llm_output", () => ({
        response_text: this.lifecycle.cleanText(effective),
        ...ids,
      }));
    }
    return effective;
  }

  /** Closes what is open below, then fires `post_llm_call` (response there, no interrupt) and `on_session_end`. */
  end(how: TurnEnd): void {
    if (!this.close("on_session_end")) return;
    const { hooks } = this.lifecycle;
    const isInterrupted = how.interrupted === true;
    const response = how.assistant_response;
    if (response !== undefined && !isInterrupted && hooks.has("post_llm_call")) {
      this.emit("post_llm_call", () => ({
        session_id: this.session_id,
        task_id: this.task_id,
        turn_id: this.turn_id,
        user_message: this.lifecycle.clean(this.#options.user_message),
        assistant_response: this.lifecycle.cleanText(response),
        model: this.model,
        platform: this.platform,
      }));
    }
    if (!hooks.has("on_session_end")) return;
    this.emit("on_session_end", () => ({
      session_id: this.session_id,
      task_id: this.task_id,
      turn_id: this.turn_id,
      completed: how.completed ?? false,
      failed: how.failed ?? false,
      interrupted: isInterrupted,
      turn_exit_reason: this.lifecycle.cleanText(how.turn_exit_reason),
      model: this.model,
      platform: this.platform,
    }));
  }

  protected abandon(): void {
    this.end({ interrupted: true, turn_exit_reason: "abandoned" });
  }

  #payload(clean: (message: TurnOptions["user_message"]) => TurnOptions["user_message"]): {
    readonly session_id: string;
    readonly task_id: string;
    readonly turn_id: string;
    readonly user_message: string | readonly unknown[];
    readonly is_first_turn: boolean;
    readonly model: string;
    readonly platform: string;
    readonly sender_id: string;
    readonly parent_session_id: string;
  } {
    return {
      session_id: this.session_id,
      task_id: this.task_id,
      turn_id: this.turn_id,
      user_message: clean(this.#options.user_message),
      is_first_turn: this.#options.is_first_turn,
      model: this.model,
      platform: this.platform,
      sender_id: this.#options.sender_id ?? "",
      parent_session_id: this.#options.parent_session_id ?? "",
    };
  }
}
