import type { LanguageModelV4Usage } from "@ai-sdk/provider";

type Counts = Record<string, number | undefined>;

/** Adds up what attempts used. A count that no attempt reported stays unknown; it does not become 0. */
export class UsageTotal {
  #total: LanguageModelV4Usage | null = null;

  get total(): LanguageModelV4Usage | null {
    return this.#total;
  }

  add(usage: LanguageModelV4Usage | null | undefined): void {
    if (usage === null || usage === undefined) return;
    const before = this.#total;
    this.#total = {
      inputTokens: sum(before?.inputTokens, usage.inputTokens),
      outputTokens: sum(before?.outputTokens, usage.outputTokens),
    };
  }
}

function sum<Part extends Counts>(before: Part | undefined, more: Part): Part {
  const total: Counts = { ...before };
  for (const [name, count] of Object.entries(more)) {
    if (count !== undefined) total[name] = (total[name] ?? 0) + count;
    else if (!(name in total)) total[name] = undefined;
  }
  // The same keys as `more` has.
  return total as Part;
}
