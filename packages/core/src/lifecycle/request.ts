import type { ApiMode, ApiRequestIds } from "../contract/api-request.ts";
import type { Usage } from "../contract/usage.ts";
import { Handle } from "./handle.ts";
import type { LifecycleContext, TurnScope } from "./context.ts";

/** Where a request goes. An attempt may go elsewhere (fallback). */
export interface RequestOptions {
  readonly provider: string;
  readonly model?: string;
  readonly base_url: string;
  readonly api_mode: ApiMode;
}

/** One attempt to be made. */
export interface AttemptOptions extends Partial<RequestOptions> {
  /** Retries so far at this provider, 0-based. */
  readonly retry_count: number;
  readonly message_count: number;
  readonly tool_count: number;
  readonly max_tokens: number | null;
  /** Estimate, tokens. */
  readonly approx_input_tokens?: number;
  readonly request_char_count?: number;
  /** Gives `{ method, body }` as sent. Called only when somebody listens; its result is sanitised. */
  readonly request: () => unknown;
}

/** What a successful attempt brought. */
export interface AttemptResult {
  readonly finish_reason: string;
  readonly response_model: string | null;
  /** As the provider reported it; null = not reported, which is not 0. */
  readonly usage: Usage | null;
  readonly message_count?: number;
  readonly assistant_content_chars: number;
  readonly assistant_tool_call_count: number;
  /** Gives the response. Called only when somebody listens; its result is sanitised. */
  readonly response: () => unknown;
}

/** How an attempt failed. */
export interface AttemptFailure {
  readonly error: unknown;
  readonly status_code: number | null;
  readonly max_retries: number;
  readonly retryable: boolean;
  readonly reason: string;
  /** What was reported before it broke off. */
  readonly usage?: Usage | null;
}

/** One logical request: the attempts at it share its `api_request_id` and are told apart by `attempt`. */
export class RequestHandle {
  readonly turn: TurnScope & Handle;
  readonly options: RequestOptions;
  /** Number of the request within its turn, from 1. */
  readonly api_call_count: number;
  readonly api_request_id: string;
  readonly #lifecycle: LifecycleContext;
  #attempts = 0;

  constructor(
    lifecycle: LifecycleContext,
    turn: TurnScope & Handle,
    options: RequestOptions & { readonly api_call_count: number },
  ) {
    this.#lifecycle = lifecycle;
    this.turn = turn;
    this.options = options;
    this.api_call_count = options.api_call_count;
    this.api_request_id = `${turn.turn_id}:api:${options.api_call_count}`;
  }

  /** Fires `pre_api_request` and starts the clock of this attempt. */
  startAttempt(options: AttemptOptions): AttemptHandle {
    return new AttemptHandle(this.#lifecycle, this, { ...options, attempt: this.#attempts++ });
  }
}

/** One attempt at a request. `using` closes it as interrupted. */
export class AttemptHandle extends Handle {
  /** Ordinal within its request, from 0. */
  readonly attempt: number;
  readonly #options: AttemptOptions;
  readonly #ids: ApiRequestIds;
  readonly #startedAt: number;
  readonly #startedMonotonic: number;
  #firstChunkAt: number | null = null;

  constructor(
    lifecycle: LifecycleContext,
    request: RequestHandle,
    options: AttemptOptions & { readonly attempt: number },
  ) {
    super(lifecycle, request.turn);
    this.attempt = options.attempt;
    this.#options = options;
    this.#ids = idsOf(request, options);
    this.#startedAt = this.lifecycle.clock.now();
    this.#startedMonotonic = this.lifecycle.clock.monotonic();
    if (this.lifecycle.hooks.has("pre_api_request")) this.#announce();
  }

  /** Marks the arrival of the first part of a streamed response; later calls do nothing. */
  firstChunk(): void {
    this.#firstChunkAt ??= this.#startedAt + this.#elapsed();
  }

  ok(result: AttemptResult): void {
    if (!this.close("post_api_request") || !this.lifecycle.hooks.has("post_api_request")) return;
    const times = this.#times();
    this.emit("post_api_request", () => ({
      ...this.#common(),
      ...times,
      finish_reason: result.finish_reason,
      message_count: result.message_count ?? this.#options.message_count,
      response_model: result.response_model,
      usage: this.lifecycle.clean(result.usage),
      assistant_content_chars: result.assistant_content_chars,
      assistant_tool_call_count: result.assistant_tool_call_count,
      response: this.lifecycle.clean(result.response()) as object,
    }));
  }

  error(failure: AttemptFailure): void {
    if (!this.close("api_request_error") || !this.lifecycle.hooks.has("api_request_error")) return;
    const times = this.#times();
    this.emit("api_request_error", () => ({
      ...this.#common(),
      ...times,
      status_code: failure.status_code,
      retry_count: this.#options.retry_count,
      max_retries: failure.max_retries,
      retryable: failure.retryable,
      reason: failure.reason,
      error: errorOf(failure.error, (text) => this.lifecycle.cleanText(text)),
      ...(failure.usage === undefined ? {} : { usage: this.lifecycle.clean(failure.usage) }),
      request: this.#request(),
    }));
  }

  /** The attempt was given up by the host: `api_request_error` with the reason `interrupted`. */
  interrupted(usage?: Usage | null): void {
    this.error({
      error: { name: "Interrupted", message: "the attempt was interrupted" },
      status_code: null,
      max_retries: 0,
      retryable: false,
      reason: "interrupted",
      ...(usage === undefined ? {} : { usage }),
    });
  }

  protected abandon(): void {
    this.interrupted();
  }

  #announce(): void {
    const { retry_count, message_count, tool_count, max_tokens } = this.#options;
    this.emit("pre_api_request", () => ({
      ...this.#common(),
      retry_count,
      message_count,
      tool_count,
      approx_input_tokens: this.#options.approx_input_tokens ?? 0,
      request_char_count: this.#options.request_char_count ?? 0,
      max_tokens,
      started_at: this.#startedAt,
      request: this.#request(),
    }));
  }

  #common(): ApiRequestIds & { readonly attempt: number } {
    return {
      ...this.#ids,
      base_url: this.lifecycle.cleanText(this.#ids.base_url),
      attempt: this.attempt,
    };
  }

  #request(): object {
    return this.lifecycle.clean(this.#options.request()) as object;
  }

  #elapsed(): number {
    return this.lifecycle.clock.monotonic() - this.#startedMonotonic;
  }

  #times(): {
    readonly api_duration: number;
    readonly started_at: number;
    readonly ended_at: number;
    readonly first_chunk_at: number | null;
  } {
    const api_duration = this.#elapsed();
    const started_at = this.#startedAt;
    return {
      api_duration,
      started_at,
      ended_at: started_at + api_duration,
      first_chunk_at: this.#firstChunkAt,
    };
  }
}

function idsOf(request: RequestHandle, attempt: AttemptOptions): ApiRequestIds {
  const { turn, options } = request;
  return {
    session_id: turn.session_id,
    task_id: turn.task_id,
    turn_id: turn.turn_id,
    api_request_id: request.api_request_id,
    api_call_count: request.api_call_count,
    platform: turn.platform,
    model: attempt.model ?? options.model ?? turn.model,
    provider: attempt.provider ?? options.provider,
    base_url: attempt.base_url ?? options.base_url,
    api_mode: attempt.api_mode ?? options.api_mode,
  };
}

/** Name and text of whatever was thrown, also when looking at it throws. */
function errorOf(
  error: unknown,
  clean: (text: string) => string,
): { type: string; message: string } {
  try {
    if (typeof error === "object" && error !== null) {
      const { name, message } = error as { name?: unknown; message?: unknown };
      return { type: typeof name === "string" ? name : "Error", message: clean(String(message)) };
    }
    return { type: typeof error, message: clean(String(error)) };
  } catch {
    return { type: "Error", message: "an error that cannot be looked at" };
  }
}
