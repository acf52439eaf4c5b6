import { stringAt } from "./arguments.ts";
import type { Tool } from "./tool.ts";

/** Hands a self-contained task to a child agent and waits for its answer. */
export const delegateTaskTool: Tool = {
  name: "delegate_task",
  description:
    "Give a self-contained task to a child agent with its own conversation and the same workspace, and get its answer.",
  parameters: {
    type: "object",
    properties: {
      goal: {
        type: "string",
        minLength: 1,
        description: "Everything that the child needs to know",
      },
      role: {
        type: "string",
        enum: ["leaf", "orchestrator"],
        description: "leaf (default) does the work itself; orchestrator may delegate again",
      },
    },
    required: ["goal"],
    additionalProperties: false,
  },
  hasOwnDeadline: true,
  run(args, context) {
    const role = stringAt(args, "role") === "orchestrator" ? "orchestrator" : "leaf";
    return context.delegate({ goal: stringAt(args, "goal"), role });
  },
};
