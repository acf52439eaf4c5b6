import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { fixedClock, Hooks, Lifecycle, seededIds, seededRandom } from "@hermes-observer/core";
import type { LifecycleOptions, Plugin } from "@hermes-observer/core";
import { recorder } from "@hermes-observer/core/testing";
import type { Recorder } from "@hermes-observer/core/testing";

import { Agent, agentProducer, createModel } from "../src/index.ts";
import type { AgentOptions, AgentSession, TurnResult } from "../src/index.ts";
import { startModelServer } from "../src/testing/index.ts";
import type { ModelScript, ModelServer, ScriptStep } from "../src/testing/index.ts";

/** What a test may change of a run. */
export interface RunOptions extends Omit<Partial<AgentOptions>, "lifecycle" | "workspace"> {
  readonly plugins?: readonly Plugin[];
  readonly lifecycle?: Partial<LifecycleOptions>;
  /** False: nobody observes. */
  readonly isObserved?: boolean;
  readonly seed?: number;
}

/** A scripted model server, a folder, and an agent between them. */
export interface Rig extends AsyncDisposable {
  readonly server: ModelServer;
  readonly workspace: string;
  readonly hooks: Hooks;
  readonly lifecycle: Lifecycle;
  readonly recorded: Recorder;
  readonly session: AgentSession;
  send(message: string, signal?: AbortSignal): Promise<TurnResult>;
}

/** Puts a real agent in front of a real model server; `using` takes both down. Retries wait a millisecond at most. */
export async function rig(
  script: ModelScript | readonly ScriptStep[],
  options: RunOptions = {},
): Promise<Rig> {
  const {
    plugins = [],
    lifecycle: lifecycleOptions,
    isObserved = true,
    seed,
    ...agentOptions
  } = options;
  const conversations = [{ name: "main", steps: "conversations" in script ? [] : script }];
  const server = await startModelServer({
    script: "conversations" in script ? script : { conversations },
  });
  const workspace = await mkdtemp(join(tmpdir(), "hermes-agent-"));
  const hooks = new Hooks(
    seed === undefined ? {} : { clock: fixedClock(1_796_000_000), writer: "test" },
  );
  const recorded = recorder();
  if (isObserved) hooks.register(recorded);
  for (const plugin of plugins) hooks.register(plugin);
  const lifecycle = new Lifecycle(hooks, {
    producer: agentProducer,
    ...(seed === undefined ? {} : { ids: seededIds(seed) }),
    ...lifecycleOptions,
  });
  const agent = new Agent({
    lifecycle,
    model: createModel({ model: "scripted", baseUrl: server.baseUrl, env: {} }),
    workspace,
    random: seededRandom(seed ?? 1),
    ...agentOptions,
    retry: { baseDelayMs: 1, maxDelayMs: 1, ...agentOptions.retry },
  });
  const session = agent.startSession();
  return {
    server,
    workspace,
    hooks,
    lifecycle,
    recorded,
    session,
    send: (message, signal) => session.send(message, signal === undefined ? {} : { signal }),
    [Symbol.asyncDispose]: async () => {
      session.finalize("test_over");
      await server.close();
      await rm(workspace, { recursive: true, force: true });
    },
  };
}

/** What every turn must leave behind, whatever became of it. */
export function problemsOf({ recorded, lifecycle, hooks }: Rig): string[] {
  const ends = recorded.take("on_session_end").length;
  const turns = recorded.take("pre_llm_call").length;
  return [
    ...recorded.unpaired(),
    ...(ends === turns ? [] : [`${turns} turns, ${ends} ends`]),
    ...[...lifecycle.deviations].map(([rule, count]) => `${rule}: ${count}`),
    ...(hooks.faultCount === 0 ? [] : [`${hooks.faultCount} faults`]),
  ];
}

/** A step that asks for tools: `[name, arguments]` each. */
export function calls(
  ...wanted: readonly [string, Record<string, unknown> | string][]
): ScriptStep {
  return { toolCalls: wanted.map(([name, args]) => ({ name, arguments: args })) };
}

/** Statuses of the tool calls, in the order in which they ended. */
export function toolEnds({ recorded }: Rig): string[] {
  return recorded
    .take("post_tool_call")
    .map(({ payload }) => `${payload.tool_name} ${payload.status} ${payload.error_type ?? "-"}`);
}

/** Text of the last tool message of the request with this number, from 0; -1 is the last. */
export function toolTexts({ server }: Rig, request: number): unknown[] {
  const messages = server.requests.at(request)?.body.messages ?? [];
  return messages.filter(({ role }) => role === "tool").map(({ content }) => content);
}
