import type {
  AnyFields,
  ApprovalFields,
  AttemptFields,
  HumanInputFields,
  SessionFields,
  SubagentFields,
  ToolFields,
  TurnFields,
} from "./node-fields.ts";
import type { Recent } from "./recent.ts";
import { WriterOrder } from "./writer-order.ts";

/** What the builder knows of a node besides its fields. */
export class Entry<Fields extends AnyFields = AnyFields> {
  readonly node: Fields;
  parent: Entry | null;
  /** Session that counts the node's deviations; a session's own entry is its own. */
  session: SessionEntry;
  /** Where its end is looked for; null for containers and for nodes of a session at large. */
  scope: Scope | null = null;
  /** Event time of the last event on it or below it. */
  lastAt: number;
  /** True while only its end has been seen. */
  startMissing = false;
  /** True once another leaf hangs below it. */
  holdsOthers = false;
  /** True for an attempt whose ordinal was reported. */
  hasOrdinal = false;
  /** True once its contribution stands in the totals above it. */
  counted = false;

  constructor(node: Fields, parent: Entry | null, session: SessionEntry | null, lastAt: number) {
    this.node = node;
    this.parent = parent;
    this.session = session ?? (this as unknown as SessionEntry); // only SessionEntry passes null
    this.lastAt = lastAt;
    node.parent_id = parent === null ? null : parent.node.id;
  }
}

/** Open leaves of a turn, or of a session outside any turn, by the ids that their ends will carry. */
export class Scope {
  /** By `tool_call_id`, or by name for calls without one; oldest first. */
  readonly tools: Map<string, Entry<ToolFields>[]> = new Map();
  readonly requests: Map<string, RequestGroup> = new Map();
  readonly open: Set<Entry> = new Set();
}

/** The attempts under one `api_request_id`. */
export interface RequestGroup {
  readonly id: string;
  /** Next ordinal by arrival. */
  next: number;
  /** `started_at` of the latest first attempt: real hosts share it among retries. */
  startedAt: number | null;
  readonly open: Entry<AttemptFields>[];
  /** The latest ended attempts, at most 8. */
  readonly closed: Entry<AttemptFields>[];
}

/** What a session remembers of a node that has ended. */
export type Remembered = Entry | RequestGroup;

/** A turn and what is open in it. */
export class TurnEntry extends Entry<TurnFields> {
  readonly own: Scope = new Scope();
  /** Children that were delegated in this turn and still run. */
  readonly children: Set<Entry<SubagentFields>> = new Set();
}

/** A session and what is open in it. */
export class SessionEntry extends Entry<SessionFields> {
  readonly id: string;
  readonly turns: Map<string, TurnEntry> = new Map();
  /** Leaves whose events name no turn. */
  readonly loose: Scope = new Scope();
  readonly approvals: Entry<ApprovalFields>[] = [];
  /** Node ids of the latest ended ones, at most 32. */
  readonly endedApprovals: string[] = [];
  readonly humans: Map<string, Entry<HumanInputFields>> = new Map();
  readonly children: Set<Entry<SubagentFields>> = new Set();
  readonly recent: Recent<Remembered>;
  readonly order: WriterOrder = new WriterOrder();
  /** Latest event time of its own events. */
  maxAt = 0;
  /** True when a reset made it. */
  wasReset = false;
  /** Turns seen so far. */
  turnCount = 0;
  /** How many sessions of this id there were before. */
  incarnation = 0;
  /** Session whose turn went on under this id. */
  rotatedFrom: SessionEntry | null = null;
  rotatedTo: SessionEntry | null = null;

  constructor(node: SessionFields, id: string, recent: Recent<Remembered>, at: number) {
    super(node, null, null, at);
    this.id = id;
    this.recent = recent;
  }
}
