export { checkConformance, clauses } from "./check-conformance.ts";
export { eventClause } from "./clause.ts";

export type { ClauseFailure, ClauseResult, ConformanceReport } from "./check-conformance.ts";
export type { Clause, ClauseReport, ClauseRun } from "./clause.ts";
