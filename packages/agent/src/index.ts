export { sleep } from "./abort.ts";
export { AgentError } from "./agent-error.ts";
export { agentProducer } from "./agent-producer.ts";
export { AgentSession } from "./agent-session.ts";
export { Agent } from "./agent.ts";
export { dangersOf } from "./approval/dangerous-commands.ts";
export { createDemo } from "./demo/create-demo.ts";
export { defaultLimits } from "./loop/settings.ts";
export { createModel } from "./model/create-model.ts";
export { defaultRetryPolicy } from "./model/retry-delay.ts";
export { defaultChildSystemPrompt, defaultSystemPrompt } from "./system-prompt.ts";
export { standardTools } from "./tools/standard-tools.ts";
export type { Sleep } from "./abort.ts";
export type { AgentErrorCode } from "./agent-error.ts";
export type { SendOptions } from "./agent-session.ts";
export type {
  AgentUi,
  ApprovalChoice,
  ApprovalRequest,
  RetryView,
  Speaker,
  ToolCallView,
} from "./agent-ui.ts";
export type { AgentOptions } from "./agent.ts";
export type { Demo } from "./demo/create-demo.ts";
export type { DemoPrices } from "./demo/demo-prices.ts";
export type { AgentLimits } from "./loop/settings.ts";
export type { TurnFailure, TurnResult } from "./loop/turn-result.ts";
export type { CreateModelOptions } from "./model/create-model.ts";
export type { FailureReason } from "./model/model-failure.ts";
export type { AgentModel, ModelPort } from "./model/model-port.ts";
export type { RetryPolicy } from "./model/retry-delay.ts";
export type { TerminalOptions } from "./tools/terminal.ts";
export type {
  Danger,
  DelegatedTask,
  ParameterSchema,
  Tool,
  ToolArguments,
  ToolContext,
  ToolOutcome,
} from "./tools/tool.ts";
export type { Workspace } from "./tools/workspace.ts";
