import type { Envelope, Payload } from "@hermes-observer/core";
import type { BuilderCounters, BuilderOptions } from "./builder-options.ts";
import { onApiRequestError, onPostApiRequest, onPreApiRequest } from "./builder/attempts.ts";
import { onPostApprovalResponse, onPreApprovalRequest } from "./builder/approvals.ts";
import { giveUpAll } from "./builder/closing.ts";
import { Core } from "./builder/core.ts";
import type { SessionEntry } from "./builder/entry.ts";
import { evict, sweep } from "./builder/expiry.ts";
import { onHumanInputRequest, onHumanInputResolved } from "./builder/human-inputs.ts";
import { SeenEvents } from "./builder/seen-events.ts";
import {
  onSessionFinalize,
  onSessionReset,
  onSessionStart,
  onUnknownHook,
} from "./builder/sessions.ts";
import { onSubagentStart, onSubagentStop } from "./builder/subagents.ts";
import { onPostToolCall, onPreToolCall } from "./builder/tools.ts";
import { onTransformLlmOutput, onTransformToolResult } from "./builder/transforms.ts";
import { onPostLlmCall, onPreLlmCall, onSessionEnd } from "./builder/turns.ts";
import { asObject, asText } from "./payload-fields.ts";
import type { Gap, TrajectorySink } from "./sink.ts";

type Handler = (core: Core, payload: Payload) => void;

/**
 * Builds the tree of what an agent did out of its events, one at a time, and tells its sink which nodes opened,
 * changed and closed. Joins by explicit ids only; whatever does not fit is a named deviation on a node.
 *
 * **Contract:** no method throws, whatever the input. Holds what is open (capped, with a time to live in event time)
 * and fixed rings of what has just closed, never whole trees; `buildTrajectory` does that for readers. Feed it in the
 * order of the record: the same events in the same order give the same nodes with the same ids, everywhere.
 */
export class TrajectoryBuilder {
  readonly #core: Core;
  readonly #seen: SeenEvents;
  readonly #sink: TrajectorySink | null;
  #nextSweep = Number.NEGATIVE_INFINITY;

  constructor(options: BuilderOptions = {}) {
    this.#core = new Core(options);
    this.#seen = new SeenEvents(options.recentEvents ?? 65_536);
    this.#sink = options.sink ?? null;
  }

  /** What has been counted so far. */
  get counters(): BuilderCounters {
    const { counters } = this.#core;
    return { ...counters, deviations: { ...counters.deviations } };
  }

  /** Number of nodes that are open now. */
  get openNodes(): number {
    return this.#core.open.size;
  }

  /** Currency of the price table; null without one. */
  get currency(): string | null {
    return this.#core.pricer.currency;
  }

  /** Takes one event. */
  add(payload: Payload, envelope: Envelope): void {
    try {
      this.#add(payload, envelope);
    } catch {
      // A hostile object (a getter that throws, a revoked proxy) can break any read; counted, and the rest goes on.
      this.#core.counters.invalid_events += 1;
    }
  }

  /** Closes whatever is still open, because the record ends here. With `at`, what has expired by then goes first. */
  finish(reason: string, at?: number): void {
    const core = this.#core;
    core.cause = null;
    core.eventId = null;
    if (at !== undefined && at > core.at && at < 1e11) {
      core.at = at;
      sweep(core);
    }
    for (const session of core.sessions.values()) {
      if (session.node.reason === "") session.node.reason = reason;
    }
    giveUpAll(core, "finish");
  }

  /** Notes events that were lost on the way here: on their sessions, in the counters and to the sink. */
  noteGap(gap: Gap): void {
    const core = this.#core;
    core.cause = null;
    core.eventId = gap.last_event_id;
    core.counters.lost_events += gap.count;
    for (const [id, count] of Object.entries(gap.sessions)) {
      const session = core.sessions.get(id) ?? core.closedSessions.get(id);
      if (session === undefined) continue;
      core.deviate(session, "gap", `${count} events`);
      core.emit(session, "changed");
    }
    try {
      this.#sink?.onGap?.(gap);
    } catch {
      // Isolated and counted, like every call of a sink.
      core.counters.sink_faults += 1;
    }
  }

  #add(payload: Payload, envelope: Envelope): void {
    const core = this.#core;
    if (!isEvent(payload, envelope)) {
      core.counters.invalid_events += 1;
      return;
    }
    const hasId = typeof envelope.id === "string" && envelope.id !== "";
    const novelty = hasId ? this.#seen.check(payload, envelope) : "new";
    core.cause = { payload, envelope };
    core.session = null;
    core.eventId = hasId ? envelope.id : `#${core.counters.events}`;
    core.idSuffix = novelty === "conflict" ? `~${core.counters.events}` : "";
    core.counters.events += 1;
    if (novelty === "duplicate") {
      noteDuplicate(core, payload);
      return;
    }
    if (isEpochSeconds(envelope.at)) this.#moveTo(envelope.at);
    (handlers.get(envelope.hook) ?? onUnknownHook)(core, payload);
    if (core.session !== null) flagEnvelope(core, core.session, novelty === "conflict");
    if (core.open.size > core.limits.maxOpenNodes) evict(core);
  }

  #moveTo(at: number): void {
    const core = this.#core;
    core.at = at;
    if (at < this.#nextSweep) return;
    const step = core.limits.ttlSeconds / 16;
    if (this.#nextSweep !== Number.NEGATIVE_INFINITY) sweep(core);
    this.#nextSweep = at + step;
  }
}

const handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ["on_session_start", onSessionStart],
  ["on_session_end", onSessionEnd],
  ["on_session_finalize", onSessionFinalize],
  ["on_session_reset", onSessionReset],
  ["pre_llm_call", onPreLlmCall],
  ["post_llm_call", onPostLlmCall],
  ["pre_api_request", onPreApiRequest],
  ["post_api_request", onPostApiRequest],
  ["api_request_error", onApiRequestError],
  ["pre_tool_call", onPreToolCall],
  ["post_tool_call", onPostToolCall],
  ["on_human_input_request", onHumanInputRequest],
  ["on_human_input_resolved", onHumanInputResolved],
  ["pre_approval_request", onPreApprovalRequest],
  ["post_approval_response", onPostApprovalResponse],
  ["subagent_start", onSubagentStart],
  ["subagent_stop", onSubagentStop],
  ["transform_tool_result", onTransformToolResult],
  ["transform_llm_output", onTransformLlmOutput],
]);

function isEvent(payload: unknown, envelope: unknown): boolean {
  return asObject(payload) !== null && typeof asObject(envelope)?.["hook"] === "string";
}

function isEpochSeconds(at: unknown): boolean {
  return typeof at === "number" && at >= 0 && at < 1e11;
}

/** What the envelope lacks or contradicts, on the session that the event was counted on. */
function flagEnvelope(core: Core, session: SessionEntry, isConflict: boolean): void {
  const envelope = core.cause?.envelope;
  if (!isEpochSeconds(envelope?.at)) core.deviate(session, "invalid_field", "at");
  if (core.eventId !== envelope?.id) core.deviate(session, "missing_id", "envelope.id");
  if (isConflict) core.deviate(session, "id_conflict", envelope?.hook);
}

/** The event has been here: nothing changes but the count, on the session that it names. */
function noteDuplicate(core: Core, payload: Payload): void {
  core.counters.duplicates += 1;
  const id = asText(payload["session_id"]) || asText(payload["parent_session_id"]);
  const session = core.sessions.get(id) ?? core.closedSessions.get(id);
  if (session === undefined) {
    core.counters.deviations["duplicate_event"] =
      (core.counters.deviations["duplicate_event"] ?? 0) + 1;
    return;
  }
  core.deviate(session, "duplicate_event", core.cause?.envelope.hook ?? null);
  core.emit(session, "changed");
}
