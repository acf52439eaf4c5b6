import type { HookName, ObserverEvents } from "../contract/events.ts";
import type { Producer } from "../contract/producer.ts";
import type { Clock } from "../hooks/clock.ts";
import type { Hooks } from "../hooks/hooks.ts";
import type { IdSource } from "./ids.ts";

/** What handles share: the dispatcher, clocks, ids and the sanitiser of one host. */
export interface LifecycleContext {
  readonly hooks: Hooks;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly producer: Producer;
  readonly platform: string;
  /** Counts a rule of the contract that the host broke. */
  deviate(rule: string, hook: HookName): void;
  /** Builds and emits; a builder that throws is the host's fault and reaches nobody. */
  emit<Name extends HookName>(name: Name, build: () => ObserverEvents[Name]): void;
  /** Sanitised copy. What is JSON already keeps its shape; what is not becomes JSON. */
  clean<Value>(value: Value): Value;
  cleanText(text: string): string;
}

/** The turn in which a handle lies. */
export interface TurnScope {
  readonly session_id: string;
  readonly turn_id: string;
  readonly task_id: string;
  readonly model: string;
  readonly platform: string;
  readonly parent_subagent_id: string | null;
  /** 0-based place of the next child among the children of this turn. */
  nextSubagentIndex(): number;
}
