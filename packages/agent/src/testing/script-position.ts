import { AgentError } from "../agent-error.ts";
import type { AnswerIdentity } from "./chat-wire.ts";
import type { ModelScript, ScriptedConversation, ScriptStep } from "./model-script.ts";

/** What the server looks at in a request of the chat-completions wire. */
export interface ChatRequestBody {
  readonly model?: string;
  readonly stream?: boolean;
  readonly messages?: readonly { readonly role?: string; readonly content?: unknown }[];
  readonly [field: string]: unknown;
}

/** What the script has for one request: an answer, or why there is none. */
export type ScriptedAnswer = {
  readonly conversation: string | undefined;
  readonly stepIndex: number | undefined;
} & (
  | { readonly step: ScriptStep; readonly identity: AnswerIdentity }
  | { readonly step: undefined; readonly problem: string }
);

interface Place {
  readonly conversation: ScriptedConversation;
  next: number;
  calls: number;
}

/** How far a script has been said. */
export class ScriptPosition {
  readonly mismatches: string[] = [];
  readonly #places: readonly Place[];

  constructor(script: ModelScript) {
    this.#places = script.conversations.map((conversation) => ({
      conversation,
      next: 0,
      calls: 0,
    }));
  }

  /** Takes the next step of the conversation that fits; a problem is kept as a mismatch and takes none. */
  take(body: ChatRequestBody): ScriptedAnswer {
    const place = this.#places.find(({ conversation }) => fits(conversation, body));
    const step = place?.conversation.steps[place.next];
    const problem = problemOf(body, place, step);
    if (place === undefined || step === undefined || problem !== undefined) {
      const words = problem ?? "no step";
      this.mismatches.push(words);
      const conversation = place?.conversation.name;
      return { conversation, stepIndex: undefined, step: undefined, problem: words };
    }
    const identity = identityOf(place, step, body.model);
    const stepIndex = place.next;
    place.next += 1;
    place.calls += step.toolCalls?.length ?? 0;
    return { conversation: place.conversation.name, stepIndex, step, identity };
  }

  /** @throws AgentError `AGENT_SCRIPT_MISMATCH` unless exactly the scripted requests came */
  assertConsumed(): void {
    const left = this.#places.flatMap(({ conversation: { name, steps }, next }) =>
      next < steps.length
        ? [`"${name}": ${steps.length - next} of ${steps.length} steps left`]
        : [],
    );
    const problems = [...this.mismatches, ...left];
    if (problems.length > 0) throw new AgentError("AGENT_SCRIPT_MISMATCH", problems.join("; "));
  }
}

function identityOf(place: Place, step: ScriptStep, asked: string | undefined): AnswerIdentity {
  const { name } = place.conversation;
  return {
    id: `chatcmpl-${name}-${place.next}`,
    model: step.model ?? asked ?? "scripted",
    conversation: name,
    callsBefore: place.calls,
  };
}

function problemOf(
  body: ChatRequestBody,
  place: Place | undefined,
  step: ScriptStep | undefined,
): string | undefined {
  const last = textOf(body.messages?.at(-1)?.content);
  if (place === undefined) return `no conversation fits a request that ends with ${quote(last)}`;
  const where = `"${place.conversation.name}", request ${place.next + 1}`;
  if (step === undefined) {
    return `${where}: the script has no step left; it ends with ${quote(last)}`;
  }
  if (step.expect === undefined || last.includes(step.expect)) return undefined;
  return `${where}: expected ${quote(step.expect)} in the last message, got ${quote(last)}`;
}

function fits({ match }: ScriptedConversation, body: ChatRequestBody): boolean {
  const messages = body.messages ?? [];
  const { system, user } = match ?? {};
  if (system !== undefined) {
    const texts = messages.filter(({ role }) => role === "system" || role === "developer");
    if (!texts.some(({ content }) => textOf(content).includes(system))) return false;
  }
  const lastUser = messages.findLast(({ role }) => role === "user");
  return user === undefined || textOf(lastUser?.content).includes(user);
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: unknown) => (part as { readonly text?: unknown } | null)?.text)
    .filter((text) => typeof text === "string")
    .join("");
}

function quote(text: string): string {
  return JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text);
}
