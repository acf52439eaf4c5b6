/** Stands for the tracer of your choice: keeps finished spans in memory. */
export const spans: Span[] = [];

export interface Span {
  readonly kind: "llm" | "tool";
  readonly id: string;
  readonly started: object;
  readonly finished: object;
}

export interface LlmStart {
  readonly requestId: string;
  readonly turnId: string | undefined;
  readonly request: unknown;
  readonly model: string | undefined;
}

export interface LlmFinish {
  readonly requestId: string;
  readonly response: unknown;
  readonly usage: unknown;
  /** Seconds. */
  readonly duration: number | undefined;
}

export interface ToolStart {
  readonly callId: string;
  readonly name: string;
  readonly args: unknown;
}

export interface ToolFinish {
  readonly callId: string;
  readonly result: unknown;
  readonly status: string | undefined;
  readonly durationMs: number | undefined;
}

const open = new Map<string, object>();

export function startLlmSpan({ requestId, ...started }: LlmStart): void {
  open.set(`llm ${requestId}`, started);
}

export function finishLlmSpan({ requestId, ...finished }: LlmFinish): void {
  finish("llm", requestId, finished);
}

export function startToolSpan({ callId, ...started }: ToolStart): void {
  open.set(`tool ${callId}`, started);
}

export function finishToolSpan({ callId, ...finished }: ToolFinish): void {
  finish("tool", callId, finished);
}

/** How many spans were started and not finished. */
export function countOpenSpans(): number {
  return open.size;
}

function finish(kind: Span["kind"], id: string, finished: object): void {
  const key = `${kind} ${id}`;
  spans.push({ kind, id, started: open.get(key) ?? {}, finished });
  open.delete(key);
}
