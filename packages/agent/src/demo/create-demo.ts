import { defaultChildSystemPrompt, defaultSystemPrompt } from "../system-prompt.ts";
import type { ModelScript } from "../testing/model-script.ts";
import { demoModelName, demoPrices } from "./demo-prices.ts";
import type { DemoPrices } from "./demo-prices.ts";
import { demoScript, demoTask } from "./demo-script.ts";
import { prepareScratch } from "./scratch-files.ts";

/** Everything that a demo run is put together from; the caller adds the model server, the hooks and the surface. */
export interface Demo {
  /** For `startModelServer` of `@hermes-observer/agent/testing`. */
  readonly script: ModelScript;
  readonly prices: DemoPrices;
  /** What is sent to the agent. */
  readonly task: string;
  readonly systemPrompt: string;
  readonly childSystemPrompt: string;
  /** For `createModel`, together with the server's base URL. */
  readonly modelName: string;
  /** The agent's workspace. */
  readonly scratchDir: string;
  /**
   * Puts the project that the agent tidies into the folder.
   *
   * @throws AgentError `AGENT_INVALID_OPTION` when the folder is not empty
   */
  prepare(): Promise<void>;
}

/**
 * A real task with a scripted model: one rate-limited attempt that is retried, two parallel calls of one tool, one
 * command that fails, one dangerous command that asks, one delegated child.
 */
export function createDemo(options: { readonly scratchDir: string }): Demo {
  const { scratchDir } = options;
  return {
    script: demoScript,
    prices: demoPrices,
    task: demoTask,
    systemPrompt: defaultSystemPrompt,
    childSystemPrompt: defaultChildSystemPrompt,
    modelName: demoModelName,
    scratchDir,
    prepare: () => prepareScratch(scratchDir),
  };
}
