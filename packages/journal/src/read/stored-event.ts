import type { EventRecord, Payload } from "@hermes-observer/core";

/** An event as it was recorded. */
export class StoredEvent implements EventRecord {
  readonly id: string;
  readonly at: number;
  readonly hook: string;
  /** What the recorder noted: `unknown_hook`, `id_conflict`, `unrecordable`. */
  readonly flags: readonly string[];
  /** Names of the fields that were left out. */
  readonly dropped: readonly string[];
  /** The payload's JSON text, to the byte as it was recorded. */
  readonly payloadText: string;
  /** Id of the writer whose file the event is from. */
  readonly writer: string;
  readonly payload: Payload;

  constructor(
    head: { readonly [field: string]: unknown },
    payloadText: string,
    from: { readonly writer: string; readonly payload: Payload },
  ) {
    this.id = String(head["id"]);
    this.at = Number(head["at"]);
    this.hook = String(head["hook"]);
    this.flags = textList(head["flags"]);
    this.dropped = textList(head["dropped"]);
    this.payloadText = payloadText;
    this.writer = from.writer;
    this.payload = from.payload;
  }

  /** The event as one line of the wire form, without the line break. The payload is not re-serialised. */
  get line(): string {
    const { at, hook, id, payloadText } = this;
    return `{"id":${JSON.stringify(id)},"at":${at},"hook":${JSON.stringify(hook)},"payload":${payloadText}}`;
  }
}

function textList(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is string => typeof item === "string");
}
