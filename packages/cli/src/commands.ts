import type { Command, OptionHelp } from "./command.ts";

const repeatable: Readonly<Record<string, OptionHelp>> = {
  plugin: {
    type: "string",
    multiple: true,
    value: "FILE|PACKAGE",
    description: "load this plugin; it runs as code (may be repeated)",
  },
  seed: {
    type: "string",
    value: "N",
    description: "ids and jitter from this number, tools one by one, so that a run repeats",
  },
  clock: {
    type: "string",
    value: "SECONDS",
    description: "a clock that stands still at these epoch seconds, so that a run repeats",
  },
  prices: { type: "string", value: "FILE", description: "price table (JSON) for the costs" },
};

const prices: Readonly<Record<string, OptionHelp>> = { prices: repeatable["prices"] as OptionHelp };

/** Every command, in the order of the help. The work of each is loaded when it is called. */
export const commands: readonly Command[] = [
  {
    name: "demo",
    summary: "run a real agent task against a local model, record it and show the tree",
    details:
      "No key and no network: the model is a script served over local HTTP; files, commands, the rate limit and\n" +
      "its retry are real. The one dangerous command is approved by a scripted human.",
    positionals: "",
    minPositionals: 0,
    maxPositionals: 0,
    options: {
      ...repeatable,
      "wire-log": {
        type: "string",
        value: "FILE",
        description:
          "write each request body that the model server received to this file, a line each",
      },
    },
    examples: ["hermes-observer demo", "hermes-observer demo --seed 1 --clock 1796089200 --json"],
    run: async (args, context) => (await import("./commands/demo.ts")).demo(args, context),
  },
  {
    name: "run",
    summary: "give a task to the agent, with a real model, and record it",
    details:
      "The key is read from OPENAI_API_KEY or ANTHROPIC_API_KEY, with --base-url from HERMES_OBSERVER_API_KEY.\n" +
      "The agent works in the workspace: it reads and writes files there and runs shell commands.",
    positionals: "TASK",
    minPositionals: 1,
    maxPositionals: 1,
    options: {
      model: {
        type: "string",
        value: "MODEL",
        description: "openai/NAME, anthropic/NAME, or any name together with --base-url",
      },
      "base-url": {
        type: "string",
        value: "URL",
        description: "an OpenAI-compatible server, with its version: http://127.0.0.1:8080/v1",
      },
      workspace: { type: "string", value: "DIR", description: "folder to work in (default: here)" },
      approve: {
        type: "string",
        value: "CHOICE",
        description:
          "answer to dangerous commands: ask, deny, once or session (default: ask on a terminal, else deny)",
      },
      "max-steps": {
        type: "string",
        value: "N",
        description: "model requests in the turn (default: 50)",
      },
      "no-stream": { type: "boolean", description: "ask for whole answers instead of streams" },
      ...repeatable,
    },
    examples: [
      'hermes-observer run --model openai/gpt-5-mini "say what this project is"',
      'hermes-observer run --base-url http://127.0.0.1:11434/v1 --model qwen3 "list the TODOs"',
    ],
    run: async (args, context) => (await import("./commands/run.ts")).run(args, context),
  },
  {
    name: "ingest",
    summary: "record events in the wire form (a JSON object per line) from a file or a pipe",
    details:
      'A line: {"id":"w:1","at":1796089200.5,"hook":"pre_tool_call","payload":{"session_id":"s1"}}\n' +
      "hook and payload are needed; id and at are made when they are missing. Payloads are sanitised on the way in.\n" +
      "A line that cannot be taken is named by its number; the rest goes in.",
    positionals: "[FILE|-]",
    minPositionals: 0,
    maxPositionals: 1,
    options: {
      ack: { type: "boolean", description: "print the id of each event after it was written" },
    },
    examples: ["hermes-observer ingest run.ndjson", "my-agent | hermes-observer ingest --ack -"],
    run: async (args, context) => (await import("./commands/ingest.ts")).ingest(args, context),
  },
  {
    name: "sessions",
    summary: "list the recorded sessions, newest first",
    positionals: "",
    minPositionals: 0,
    maxPositionals: 0,
    options: {
      limit: { type: "string", value: "N", description: "sessions to list (default: 20)" },
      all: { type: "boolean", description: "list the sessions of delegated children too" },
      ...prices,
    },
    examples: ["hermes-observer sessions --limit 5"],
    run: async (args, context) => (await import("./commands/sessions.ts")).sessions(args, context),
  },
  {
    name: "show",
    summary: "show what happened in a session as a tree",
    details: "SESSION is an id, or the beginning of one that no other session shares.",
    positionals: "SESSION",
    minPositionals: 1,
    maxPositionals: 1,
    options: { ...prices },
    examples: ["hermes-observer show s-4f21", "hermes-observer show s-4f21 --json"],
    run: async (args, context) => (await import("./commands/show.ts")).show(args, context),
  },
  {
    name: "events",
    summary: "print the raw events of a session and its children, in order, in the wire form",
    details: "SESSION is an id, or the beginning of one that no other session shares.",
    positionals: "SESSION",
    minPositionals: 1,
    maxPositionals: 1,
    options: {
      own: { type: "boolean", description: "leave out the sessions of delegated children" },
    },
    examples: [
      "hermes-observer events s-4f21",
      "hermes-observer events s-4f21 | hermes-observer ingest --journal copy -",
    ],
    run: async (args, context) => (await import("./commands/events.ts")).events(args, context),
  },
  {
    name: "verdict",
    summary: "say whether the record of a session is complete, and if not, what is missing",
    details: "SESSION is an id, or the beginning of one that no other session shares.",
    positionals: "SESSION",
    minPositionals: 1,
    maxPositionals: 1,
    options: {},
    examples: ["hermes-observer verdict s-4f21"],
    run: async (args, context) => (await import("./commands/verdict.ts")).verdictOf(args, context),
  },
];
