export { buildTrajectory, nodesOf } from "./build-trajectory.ts";
export { cleanText } from "./clean-text.ts";
export { createPricer } from "./cost.ts";
export { deviationRules } from "./deviation.ts";
export { parsePriceTable, PriceTableError } from "./price-table.ts";
export { renderTree } from "./render-tree.ts";
export { formatCount, formatDuration, formatMoney } from "./render/format.ts";
export { fanOut, trajectoryPlugin } from "./trajectory-plugin.ts";
export { TrajectoryBuilder } from "./trajectory-builder.ts";
export { normalizeUsage } from "./usage.ts";
export { verdict } from "./verdict.ts";

export type { BuildOptions, Trajectory, TreeNode } from "./build-trajectory.ts";
export type { BuilderCounters, BuilderOptions } from "./builder-options.ts";
export type { CleanOptions } from "./clean-text.ts";
export type { Billable, Cost, Pricer, UnknownCost } from "./cost.ts";
export type { Deviation, DeviationCode, DeviationRule, DeviationSeverity } from "./deviation.ts";
export type {
  ApprovalNode,
  AttemptNode,
  ClosedBy,
  DurationSource,
  HumanInputNode,
  NodeBase,
  NodeError,
  NodeKind,
  NodeStatus,
  RolledUp,
  SessionNode,
  SubagentNode,
  ToolNode,
  TrajectoryNode,
  TurnNode,
} from "./node.ts";
export type { PriceEntry, PriceTable } from "./price-table.ts";
export type { RenderOptions } from "./render-tree.ts";
export type { EventCause, Gap, NodeChange, TrajectorySink } from "./sink.ts";
export type { Totals } from "./totals.ts";
export type {
  ObservingContext,
  Schedule,
  TrajectoryPlugin,
  TrajectoryPluginOptions,
} from "./trajectory-plugin.ts";
export type { UsageIssue } from "./usage-issue.ts";
export type { NormalizedUsage, Usage } from "./usage.ts";
export type { UsageShape } from "./usage-shapes.ts";
export type {
  RecordProblem,
  Verdict,
  VerdictOptions,
  VerdictReason,
  WriterState,
} from "./verdict.ts";
