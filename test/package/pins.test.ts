import { expect, test } from "vitest";

import { readPackages } from "../workspace.ts";

/**
 * What each entry gives at run time, in alphabetical order, capitals first. A name that goes away breaks somebody,
 * and one that is added has to stay: both are decided here, and told in CHANGELOG.md.
 */
const pins: Readonly<Record<string, readonly string[]>> = {
  "@hermes-observer/agent": [
    "Agent",
    "AgentError",
    "AgentSession",
    "agentProducer",
    "createDemo",
    "createModel",
    "dangersOf",
    "defaultChildSystemPrompt",
    "defaultLimits",
    "defaultRetryPolicy",
    "defaultSystemPrompt",
    "sleep",
    "standardTools",
  ],
  "@hermes-observer/agent/testing": ["parseModelScript", "readModelScript", "startModelServer"],
  "@hermes-observer/core": [
    "ApprovalHandle",
    "AttemptHandle",
    "Dispatcher",
    "Hooks",
    "HumanInputHandle",
    "Lifecycle",
    "ObserverError",
    "RequestHandle",
    "SCHEMA_VERSION",
    "SessionHandle",
    "SubagentHandle",
    "ToolHandle",
    "TurnHandle",
    "decideContext",
    "decideText",
    "decideToolCall",
    "decidingHooks",
    "deepFreeze",
    "fixedClock",
    "hookNames",
    "isKnownFrozen",
    "legacyRawFields",
    "markFrozen",
    "randomIds",
    "seededIds",
    "seededRandom",
    "systemClock",
    "toolCallHistoryItem",
  ],
  "@hermes-observer/core/sanitize": ["createSanitizer", "defaultLimits", "sanitize"],
  "@hermes-observer/core/testing": [
    "misbehaving",
    "misbehaviours",
    "play",
    "recorder",
    "scriptedEvents",
  ],
  "@hermes-observer/host": [
    "HostError",
    "closeWithin",
    "journalDirectory",
    "loadPlugin",
    "observerHome",
  ],
  "@hermes-observer/journal": [
    "bodyThresholdBytes",
    "createIngestWriter",
    "createRecorder",
    "journalFormatVersion",
    "openJournal",
    "sessionFileName",
    "sessionHash",
    "sessionOf",
    "verifyChain",
  ],
  "@hermes-observer/trajectory": [
    "PriceTableError",
    "TrajectoryBuilder",
    "buildTrajectory",
    "cleanText",
    "createPricer",
    "deviationRules",
    "fanOut",
    "formatCount",
    "formatDuration",
    "formatMoney",
    "nodesOf",
    "normalizeUsage",
    "parsePriceTable",
    "renderTree",
    "trajectoryPlugin",
    "verdict",
  ],
  "@hermes-observer/trajectory/conformance": ["checkConformance", "clauses", "eventClause"],
};

test("every entry of every package is pinned", () => {
  const entries = readPackages().flatMap(({ manifest }) =>
    Object.keys(manifest.exports ?? {})
      .filter((subpath) => !subpath.includes("*"))
      .map((subpath) => `${manifest.name}${subpath.slice(1)}`),
  );

  expect(entries.toSorted()).toEqual(Object.keys(pins));
});

test.each(Object.entries(pins))("%s exports these values and no others", async (entry, names) => {
  const module = (await import(entry)) as object;

  expect(Object.keys(module).toSorted()).toEqual(names);
});
