/** A chat request as an agent sends it: about 120 KB, 60 messages of prose, code and JSON, 20 tools with schemas. */
export interface ChatRequest {
  model: string;
  temperature: number;
  max_tokens: number;
  stream: boolean;
  messages: Record<string, unknown>[];
  tools: unknown[];
  metadata: Record<string, string>;
}

const words =
  "the model should read this file and then write a short summary of what changed because users asked for better error messages when the server returns too many requests after deploy; tests pass locally but fail on the build machine with a timeout in step three, so we keep the token budget under control and check the key points before merging".split(
    " ",
  );

/** A source of numbers that gives the same sequence for the same seed. */
function generator(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Builds the request; another seed gives another text of the same kind in every string that is not a name. */
export function chatRequest(seed: number): ChatRequest {
  const random = generator(seed);
  const prose = (length: number): string => {
    let text = "";
    while (text.length < length) {
      text += `${words[random(words.length)] ?? ""}${random(9) === 0 ? ". " : random(20) === 0 ? ":\n" : " "}`;
    }
    return text.slice(0, length);
  };
  return {
    model: "gpt-large",
    temperature: 0.2,
    max_tokens: 4_096,
    stream: true,
    messages: [
      { role: "system", content: prose(6_000) },
      ...Array.from({ length: 59 }, (_, index) => message(index, random, prose)),
    ],
    tools: Array.from({ length: 20 }, (_, index) => tool(index, prose)),
    metadata: { user: "u1" },
  };
}

function message(
  index: number,
  random: (below: number) => number,
  prose: (length: number) => string,
): Record<string, unknown> {
  const id = `call_${index - (index % 4)}_${random(1e9).toString(36)}`;
  switch (index % 4) {
    case 0:
      return { role: "user", content: prose(400 + random(400)) };
    case 1:
      return {
        role: "assistant",
        content: prose(200),
        tool_calls: [
          {
            id,
            type: "function",
            function: {
              name: "read_file",
              arguments: JSON.stringify({
                path: `src/part-${random(99)}/file.ts`,
                limit: random(400),
              }),
            },
          },
        ],
      };
    case 2:
      return {
        role: "tool",
        tool_call_id: id,
        content: index % 8 === 2 ? code(random) : listing(random, prose),
      };
    default:
      return { role: "assistant", content: [{ type: "text", text: prose(900) }] };
  }
}

function code(random: (below: number) => number): string {
  return Array.from(
    { length: 12 },
    () => `/** Reads the configuration and checks it against the schema, number ${random(1e6)}. */
export async function loadConfiguration${random(1e4)}(path: string, options: LoadOptions = {}): Promise<Config> {
  const text = await readFile(path, "utf8");
  if (text.length === 0) throw new ConfigError(\`empty: \${path}\`);
  return parse(text, { strict: options.strict ?? true, maxDepth: ${random(64)} });
}
`,
  ).join("\n");
}

function listing(random: (below: number) => number, prose: (length: number) => string): string {
  return JSON.stringify(
    Array.from({ length: 18 }, () => ({
      id: `item_${random(1e6)}`,
      name: prose(24),
      size: random(1e6),
      sha: Array.from({ length: 10 }, () => random(65_536).toString(16).padStart(4, "0")).join(""),
      tags: ["alpha", "beta"],
      changed: true,
      path: `/srv/app/packages/core/src/file${random(999)}.ts`,
    })),
  );
}

function tool(index: number, prose: (length: number) => string): unknown {
  return {
    type: "function",
    function: {
      name: `tool_${index}`,
      description: prose(220),
      parameters: {
        type: "object",
        properties: {
          path: { type: "string", description: prose(70) },
          limit: { type: "integer", minimum: 1, maximum: 1_000, description: prose(40) },
          mode: { type: "string", enum: ["a", "b", "c"] },
          query: {
            type: "array",
            items: {
              type: "object",
              properties: { field: { type: "string" }, op: { type: "string", enum: ["eq", "ne"] } },
              required: ["field"],
            },
          },
        },
        required: ["path"],
        additionalProperties: false,
      },
    },
  };
}
