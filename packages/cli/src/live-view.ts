import type { AgentUi } from "@hermes-observer/agent";
import { cleanText } from "@hermes-observer/trajectory";
import type { Output } from "./output.ts";

/** What the agent does, as lines on standard error; its words go to `onText`. */
export function liveView(output: Output, onText: (text: string) => void): AgentUi {
  const indent = (depth: number): string => "  ".repeat(depth + 1);
  return {
    onText: (delta, { depth }) => {
      if (depth === 0) onText(delta);
    },
    onRetry: ({ reason, statusCode, delayMs, retry, maxRetries }, { depth }) => {
      const status = statusCode === null ? "" : ` (${statusCode})`;
      const wait = `${(delayMs / 1000).toFixed(1)} s`;
      output.note(
        `${indent(depth)}↻ ${reason}${status}, retry ${retry} of ${maxRetries} in ${wait}`,
      );
    },
    onToolStart: ({ name, args }, { depth }) => {
      output.note(
        `${indent(depth)}→ ${cleanText(name)} ${cleanText(JSON.stringify(args)).slice(0, 100)}`,
      );
    },
    onToolEnd: ({ name }, { status }, { depth }) => {
      output.note(`${indent(depth)}${status === "ok" ? "✓" : "✗"} ${cleanText(name)}: ${status}`);
    },
  };
}
