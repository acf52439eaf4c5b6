import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";

/** The messages of a session, and the text that plugins added to the user's message for the running turn only. */
export class Conversation {
  readonly systemPrompt: string;
  readonly #messages: LanguageModelV4Message[] = [];
  #context: string | undefined;
  #userIndex = -1;
  #countedMessages = 0;
  #countedChars = 0;

  constructor(systemPrompt: string) {
    this.systemPrompt = systemPrompt;
  }

  get isEmpty(): boolean {
    return this.#messages.length === 0;
  }

  /** Messages of the next request, the system prompt included. */
  get messageCount(): number {
    return this.#messages.length + (this.systemPrompt === "" ? 0 : 1);
  }

  /** Characters of the messages as JSON. Counted when somebody asks, each message once. */
  get charCount(): number {
    for (; this.#countedMessages < this.#messages.length; this.#countedMessages += 1) {
      this.#countedChars += JSON.stringify(this.#messages[this.#countedMessages]).length;
    }
    return this.#countedChars + this.systemPrompt.length + (this.#context?.length ?? 0);
  }

  /** Begins a turn. `context` goes to the model with this turn's requests, and is not kept. */
  addUser(text: string, context: string | undefined): void {
    this.#context = context;
    this.#userIndex = this.#messages.length;
    this.#messages.push({ role: "user", content: [{ type: "text", text }] });
  }

  add(message: LanguageModelV4Message): void {
    this.#messages.push(message);
  }

  /** What is sent: a new list of the messages as they stand. */
  prompt(): LanguageModelV4Prompt {
    const messages = [...this.#messages];
    const user = messages[this.#userIndex];
    if (this.#context !== undefined && user?.role === "user") {
      const [part] = user.content;
      const text = part?.type === "text" ? part.text : "";
      messages[this.#userIndex] = {
        role: "user",
        content: [{ type: "text", text: `${text}\n\n${this.#context}` }],
      };
    }
    return this.systemPrompt === ""
      ? messages
      : [{ role: "system", content: this.systemPrompt }, ...messages];
  }
}
