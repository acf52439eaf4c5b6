import { expect, test } from "vitest";

import { AgentError, createModel } from "../../src/index.ts";
import type { CreateModelOptions } from "../../src/index.ts";

function failure(options: CreateModelOptions): AgentError {
  try {
    createModel(options);
  } catch (error) {
    if (AgentError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("a model was made");
}

test.each([
  {
    model: "openai/gpt-5",
    variable: "OPENAI_API_KEY",
    expected: {
      provider: "openai",
      model: "gpt-5",
      baseUrl: "https://api.openai.com/v1",
      apiMode: "chat_completions",
      port: { modelId: "gpt-5" },
    },
  },
  {
    model: "anthropic/claude-x",
    variable: "ANTHROPIC_API_KEY",
    expected: {
      provider: "anthropic",
      model: "claude-x",
      baseUrl: "https://api.anthropic.com/v1",
      apiMode: "anthropic_messages",
      port: { modelId: "claude-x" },
    },
  },
])("$model takes its key from $variable", ({ model, variable, expected }) => {
  expect(createModel({ model, env: { [variable]: "k" } })).toMatchObject(expected);
});

test.each([
  ["openai/gpt-5", "OPENAI_API_KEY"],
  ["anthropic/claude-x", "ANTHROPIC_API_KEY"],
])("%s without a key names %s", (model, variable) => {
  for (const env of [{}, { [variable]: "" }]) {
    const error = failure({ model, env });

    expect(error.code).toBe("AGENT_NO_API_KEY");
    expect(error.message).toContain(`export ${variable}=`);
  }
});

test.each(["gpt-5", "openai/", "/x", "mistral/large"])(
  "%j without a base URL names no provider",
  (model) => {
    expect(failure({ model, env: {} }).code).toBe("AGENT_INVALID_MODEL");
  },
);

test("an empty name is refused", () => {
  expect(failure({ model: "", baseUrl: "http://127.0.0.1/v1" }).code).toBe("AGENT_INVALID_MODEL");
});

test.each(["127.0.0.1:80/v1", "ftp://x/v1", "not a url"])("%j is no base URL", (baseUrl) => {
  expect(failure({ model: "m", baseUrl }).code).toBe("AGENT_INVALID_MODEL");
});

test("with a base URL any name is sent as it is, and a trailing slash does not matter", () => {
  const made = createModel({ model: "openai/gpt-5", baseUrl: "http://127.0.0.1:9/v1/", env: {} });

  expect(made).toMatchObject({
    provider: "openai-compatible",
    model: "openai/gpt-5",
    baseUrl: "http://127.0.0.1:9/v1",
  });
});

async function authorizationSent(options: Partial<CreateModelOptions>): Promise<string | null> {
  let sent: string | null = "nothing";
  const { port } = createModel({
    model: "m",
    baseUrl: "http://127.0.0.1:9/v1",
    fetch: async (_url, init) => {
      sent = new Headers(init?.headers).get("authorization");
      return Response.json({ choices: [{ message: { content: "hi" }, finish_reason: "stop" }] });
    },
    ...options,
  });
  await port.doGenerate({ prompt: [] });
  return sent;
}

test("the key of OpenAI is not sent to another base URL", async () => {
  expect(await authorizationSent({ env: { OPENAI_API_KEY: "secret" } })).toBeNull();
  expect(await authorizationSent({ env: { HERMES_OBSERVER_API_KEY: "own" } })).toBe("Bearer own");
  expect(
    await authorizationSent({ apiKey: "given", env: { HERMES_OBSERVER_API_KEY: "own" } }),
  ).toBe("Bearer given");
});
