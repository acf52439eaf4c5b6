import type { JournalFault } from "./recorder-fault.ts";
import type { Loss } from "./write/loss.ts";
import type { JournalWriterOptions, JournalWriterState } from "./write/journal-writer.ts";

/** What the worker is started with. */
export interface WorkerStart {
  readonly writer: JournalWriterOptions;
  /** One Int32: KiB of events that the worker is done with, wrapping around. */
  readonly done: SharedArrayBuffer;
}

/** An event on its way to the worker; the payload travels as its JSON text. */
export interface EventMessage {
  readonly type: "event";
  readonly id: string;
  readonly at: number;
  readonly hook: string;
  readonly session: string;
  readonly flags: readonly string[];
  readonly dropped: readonly string[];
  readonly payload: string;
  readonly kib: number;
  readonly now: number;
}

/** What the worker is told. */
export type ToWorker =
  | EventMessage
  | { readonly type: "takeOver"; readonly state: JournalWriterState; readonly reason: string }
  | { readonly type: "lost"; readonly session: string; readonly loss: Loss; readonly now: number }
  | { readonly type: "ping"; readonly ticket: number }
  | { readonly type: "flush"; readonly ticket: number; readonly now: number }
  | {
      readonly type: "close";
      readonly ticket: number;
      readonly now: number;
      readonly timeoutMs: number;
    };

/** What the worker tells. */
export type FromWorker =
  | { readonly type: "fault"; readonly fault: JournalFault }
  | { readonly type: "answer"; readonly ticket: number; readonly isDrained: boolean };
