export { decidingHooks, hookNames, legacyRawFields, SCHEMA_VERSION } from "./contract/events.ts";
export { deepFreeze, isKnownFrozen, markFrozen } from "./frozen.ts";
export { fixedClock, systemClock } from "./hooks/clock.ts";
export { decideContext, decideText, decideToolCall } from "./hooks/deciding.ts";
export { Dispatcher } from "./hooks/dispatcher.ts";
export { ObserverError } from "./hooks/errors.ts";
export { Hooks } from "./hooks/hooks.ts";
export { AttemptHandle, RequestHandle } from "./lifecycle/request.ts";
export { ApprovalHandle, HumanInputHandle } from "./lifecycle/human-input.ts";
export { randomIds, seededIds, seededRandom } from "./lifecycle/ids.ts";
export { Lifecycle } from "./lifecycle/lifecycle.ts";
export { SessionHandle } from "./lifecycle/session.ts";
export { SubagentHandle } from "./lifecycle/subagent.ts";
export { toolCallHistoryItem } from "./lifecycle/tool-call-history.ts";
export { ToolHandle } from "./lifecycle/tool-call.ts";
export { TurnHandle } from "./lifecycle/turn.ts";

export type {
  ApprovalAdditions,
  AttemptAdditions,
  AttemptErrorAdditions,
  HumanInputAdditions,
  SessionStartAdditions,
  SubagentAdditions,
  SubagentStopAdditions,
} from "./contract/additions.ts";
export type {
  ApiError,
  ApiErrorReason,
  ApiMode,
  ApiRequestError,
  ApiRequestIds,
  CutPayload,
  PostApiRequest,
  PreApiRequest,
  SanitizedAssistantMessage,
  SanitizedRequest,
  SanitizedResponse,
} from "./contract/api-request.ts";
export type {
  ApprovalChoice,
  ApprovalSurface,
  PostApprovalResponse,
  PreApprovalRequest,
} from "./contract/approval.ts";
export type {
  ApproveToolCall,
  BlockToolCall,
  DecidingHook,
  DecisionReturns,
  ModifyToolCall,
  PreLlmCallDecision,
  PreToolCallDecision,
} from "./contract/decisions.ts";
export type { Envelope, EventRecord, Payload } from "./contract/envelope.ts";
export type { HookName, ObserverEvents } from "./contract/events.ts";
export type {
  HumanInputKind,
  HumanInputOutcome,
  OnHumanInputRequest,
  OnHumanInputResolved,
} from "./contract/human-input.ts";
export type { MiddlewareTraceEntry } from "./contract/middleware-trace.ts";
export type {
  Bytes,
  Characters,
  Count,
  EpochSeconds,
  Milliseconds,
  OpenString,
  Seconds,
  Tokens,
} from "./contract/primitives.ts";
export type { Capability, CapabilityRow, Producer } from "./contract/producer.ts";
export type {
  OnSessionEnd,
  OnSessionFinalize,
  OnSessionReset,
  OnSessionStart,
} from "./contract/session.ts";
export type { Stamped } from "./contract/stamped.ts";
export type {
  ChildRole,
  ChildStatus,
  HistoryStatus,
  SubagentStart,
  SubagentStop,
  ToolCallHistoryInput,
  ToolCallHistoryItem,
} from "./contract/subagent.ts";
export type {
  PostToolCall,
  PreToolCall,
  ToolArguments,
  ToolCallIds,
  ToolErrorType,
  ToolOutcome,
  ToolStatus,
} from "./contract/tool.ts";
export type { TransformLlmOutput, TransformToolResult } from "./contract/transform.ts";
export type { MessageContent, PostLlmCall, PreLlmCall } from "./contract/turn.ts";
export type {
  CanonicalUsage,
  InputTokenDetails,
  OutputTokenDetails,
  ProviderUsage,
  Usage,
} from "./contract/usage.ts";
export type { Clock } from "./hooks/clock.ts";
export type { FlushReport } from "./hooks/closing.ts";
export type { ToolDecision } from "./hooks/deciding.ts";
export type { ObserverErrorCode } from "./hooks/errors.ts";
export type { Fault, FaultKind, FaultSink } from "./hooks/faults.ts";
export type { DispatcherOptions } from "./hooks/dispatcher.ts";
export type { HooksOptions } from "./hooks/hooks.ts";
export type {
  Decider,
  DeciderOptions,
  Observer,
  PayloadOf,
  Plugin,
  PluginContext,
  Registration,
} from "./hooks/plugin.ts";
export type { LifecycleContext, TurnScope } from "./lifecycle/context.ts";
export type { ApprovalOptions, HumanInputOptions } from "./lifecycle/human-input.ts";
export type { IdSource } from "./lifecycle/ids.ts";
export type { LifecycleOptions } from "./lifecycle/lifecycle.ts";
export type {
  AttemptFailure,
  AttemptOptions,
  AttemptResult,
  RequestOptions,
} from "./lifecycle/request.ts";
export type { SessionOptions } from "./lifecycle/session.ts";
export type { SubagentEnd, SubagentOptions } from "./lifecycle/subagent.ts";
export type { ToolCallFacts } from "./lifecycle/tool-call-history.ts";
export type {
  RejectedToolCall,
  ToolCallOptions,
  ToolEnd,
  ToolFailure,
} from "./lifecycle/tool-call.ts";
export type { TurnEnd, TurnOptions } from "./lifecycle/turn.ts";
