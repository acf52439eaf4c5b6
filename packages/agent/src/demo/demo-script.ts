import type { ModelScript, ScriptStep } from "../testing/model-script.ts";
import { demoModelName } from "./demo-prices.ts";
import { mendedSlug } from "./scratch-files.ts";

/** What the user of the demo asks for. */
export const demoTask: string =
  "Tidy this small project: find out why its check fails and mend it, delete the generated build folder, and have " +
  "the notes summarised in NOTES.md.";

const childGoal = "Summarise the notes in the folder notes, in three lines at most.";
const summary =
  "- The slug module ships this week; Ada checks the release.\n- Accents become plain letters.\n- Later: short links, a calendar view.\n";

/** Input, the part of it from the cache, output, the part of it that was reasoning. */
function usage(
  prompt: number,
  cached: number,
  completion: number,
  reasoning: number,
): NonNullable<ScriptStep["usage"]> {
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

const agentSteps: readonly ScriptStep[] = [
  {
    fault: {
      kind: "status",
      status: 429,
      headers: { "retry-after": "1", "retry-after-ms": "150" },
      body: {
        error: { message: "Rate limit reached; try again in 150 ms", type: "rate_limit_error" },
      },
    },
  },
  {
    text: ["I will look around ", "and run the check."],
    toolCalls: [
      { name: "list_files", arguments: {} },
      { name: "terminal", arguments: { command: "node check.mjs" } },
    ],
    usage: usage(1_240, 0, 96, 40),
  },
  {
    text: ["The check fails for spaces and accents. ", "I need to see the code."],
    toolCalls: [
      { name: "read_file", arguments: { path: "src/slug.mjs" } },
      { name: "read_file", arguments: { path: "check.mjs" } },
    ],
    usage: usage(1_530, 1_152, 74, 0),
  },
  {
    text: ["Trimming and accents are missing. ", "I mend that first."],
    toolCalls: [{ name: "write_file", arguments: { path: "src/slug.mjs", content: mendedSlug } }],
    usage: usage(1_980, 1_408, 210, 128),
  },
  {
    text: ["Next, the generated folder."],
    toolCalls: [{ name: "terminal", arguments: { command: "rm -rf build" } }],
    usage: usage(2_240, 1_920, 38, 0),
  },
  {
    text: ["The notes are a task of their own, ", "so another agent reads them."],
    toolCalls: [{ name: "delegate_task", arguments: { goal: childGoal } }],
    usage: usage(2_330, 2_176, 62, 0),
  },
  {
    text: ["I write the summary down ", "and check once more."],
    toolCalls: [
      { name: "write_file", arguments: { path: "NOTES.md", content: `# Notes\n\n${summary}` } },
      { name: "terminal", arguments: { command: "node check.mjs" } },
    ],
    usage: usage(2_510, 2_304, 118, 0),
  },
  {
    text: [
      "The check passes again: titles are trimmed ",
      "and accents become plain letters. ",
      "The notes are summarised in NOTES.md. ",
      "The build folder held generated files only; it is gone if you allowed that.",
    ],
    usage: usage(2_720, 2_432, 84, 24),
  },
];

const childSteps: readonly ScriptStep[] = [
  {
    text: ["I will see which notes there are."],
    toolCalls: [{ name: "list_files", arguments: { path: "notes" } }],
    usage: usage(620, 0, 30, 0),
  },
  {
    toolCalls: [
      { name: "read_file", arguments: { path: "notes/2026-03-02-meeting.md" } },
      { name: "read_file", arguments: { path: "notes/ideas.md" } },
    ],
    usage: usage(690, 512, 44, 0),
  },
  { text: [summary], usage: usage(840, 640, 52, 16) },
];

/** What the demo's model says. The child's conversation is told apart by its system prompt. */
export const demoScript: ModelScript = {
  models: [demoModelName],
  conversations: [
    { name: "child", match: { system: "You are a delegated agent." }, steps: childSteps },
    { name: "agent", match: { user: "Tidy this small project" }, steps: agentSteps },
  ],
};
