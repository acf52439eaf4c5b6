import { createInterface } from "node:readline/promises";
import type { ApprovalChoice, ApprovalRequest } from "@hermes-observer/agent";
import { cleanText } from "@hermes-observer/trajectory";

const choices: Readonly<Record<string, ApprovalChoice>> = {
  o: "once",
  once: "once",
  s: "session",
  session: "session",
  a: "always",
  always: "always",
  d: "deny",
  deny: "deny",
};

/** Asks on the terminal whether a dangerous command may run. Anything that is no yes is a no. */
export async function askApproval(
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<ApprovalChoice> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const command = cleanText(request.command);
    const question = `\n${cleanText(request.description)}:\n  ${command}\n[o]nce, [s]ession, [a]lways, [d]eny? `;
    const answer = await terminal.question(question, { signal });
    return choices[answer.trim().toLowerCase()] ?? "deny";
  } catch {
    // The question was withdrawn (interrupt, timeout) or the terminal is gone.
    return "cancelled";
  } finally {
    terminal.close();
  }
}
