import type { Journal, JournalProblem, StoredEvent } from "@hermes-observer/journal";

/** Events of a session and, unless left out, of the children that it delegated to, in one order. */
export interface SessionEvents extends Iterable<StoredEvent> {
  /** What the reader found wrong so far; complete when the iteration is. */
  problems(): readonly JournalProblem[];
  /** Every session that was read, the asked one first. */
  readonly sessionIds: readonly string[];
}

/**
 * Reads a session with its children. A child is read from where its `subagent_start` stands.
 *
 * **Contract:** events of one writer come by their number, others by `at`, then by writer: only the former order is
 * known to be true.
 */
export function sessionEvents(
  journal: Journal,
  sessionId: string,
  options: { readonly own?: boolean } = {},
): SessionEvents {
  const readers = [journal.readSession(sessionId)];
  const sessionIds = [sessionId];
  return {
    sessionIds,
    problems: () => readers.flatMap((reader) => reader.problems),
    *[Symbol.iterator]() {
      const streams: Stream[] = [];
      const open = (events: Generator<StoredEvent>): void => {
        const first = events.next();
        if (first.done !== true) streams.push({ events, head: first.value });
      };
      open(readers[0]?.events() ?? nothing());
      for (let next = earliest(streams); next !== undefined; next = earliest(streams)) {
        const event = next.head;
        yield event;
        const child = options.own === true ? undefined : childOf(event);
        if (child !== undefined && !sessionIds.includes(child)) {
          sessionIds.push(child);
          const reader = journal.readSession(child);
          readers.push(reader);
          open(reader.events());
        }
        advance(streams, next);
      }
    },
  };
}

interface Stream {
  readonly events: Generator<StoredEvent>;
  head: StoredEvent;
}

function advance(streams: Stream[], stream: Stream): void {
  const following = stream.events.next();
  if (following.done === true) streams.splice(streams.indexOf(stream), 1);
  else stream.head = following.value;
}

function earliest(streams: readonly Stream[]): Stream | undefined {
  let best = streams[0];
  for (const stream of streams) {
    if (best !== undefined && precedes(stream.head, best.head)) best = stream;
  }
  return best;
}

function precedes(left: StoredEvent, right: StoredEvent): boolean {
  const [leftWriter, leftNumber] = keyOf(left);
  const [rightWriter, rightNumber] = keyOf(right);
  if (leftWriter === rightWriter) return leftNumber < rightNumber;
  return left.at < right.at || (left.at === right.at && leftWriter < rightWriter);
}

/** Writer and number of an id of the form `<writer>:<n>`, which ours have; other ids are their own writer. */
function keyOf({ id }: StoredEvent): readonly [writer: string, number: number] {
  const colon = id.lastIndexOf(":");
  const digits = id.slice(colon + 1);
  return colon > 0 && /^[0-9]{1,15}$/.test(digits) ? [id.slice(0, colon), Number(digits)] : [id, 0];
}

function childOf(event: StoredEvent): string | undefined {
  if (event.hook !== "subagent_start") return undefined;
  const child = event.payload["child_session_id"];
  return typeof child === "string" && child !== "" ? child : undefined;
}

function* nothing(): Generator<StoredEvent> {}
