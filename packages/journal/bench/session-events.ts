import type { EventRecord, Payload } from "@hermes-observer/core";

/** An event as the benches use it. */
export type BenchEvent = EventRecord;

/** Text of a length that does not repeat itself, like prose or the output of a tool. */
export function textOf(length: number, seed: string): string {
  let state = 0;
  for (const character of seed) state = (state * 31 + character.charCodeAt(0)) >>> 0;
  let text = "";
  while (text.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += `${state.toString(36)} `;
  }
  // Parsed from JSON, as texts of a host are: not a chain of pieces that the first use has to join.
  return JSON.parse(JSON.stringify(text.slice(0, length))) as string;
}

/** A finished tool call of about 0.6 KB in the wire form. */
export function smallEvent(index: number): BenchEvent {
  return freeze({
    id: `w7f3k2:${index}`,
    at: 1_796_089_200.123 + index / 1000,
    hook: "post_tool_call",
    payload: {
      telemetry_schema_version: "hermes.observer.v1",
      session_id: "bench-session",
      turn_id: `bench-session:task:${index >> 4}`,
      api_request_id: `bench-session:task:${index >> 4}:api:1`,
      tool_name: "terminal",
      tool_call_id: `call_${index}`,
      args: { command: `ls -la src/part-${index} | head -20` },
      result: textOf(190, `${index}`),
      status: "ok",
      duration_ms: 12.5 + index,
    },
  });
}

/**
 * A session of a number of turns, about nine events each, as our hosts emit them: two requests that repeat the whole
 * history, the first of which asks for a tool whose result has 1 to 3 KB.
 */
export function* sessionEvents(turns: number): Generator<BenchEvent> {
  const messages: Payload[] = [{ role: "system", content: textOf(3000, "system") }];
  const tools = Array.from({ length: 12 }, (_, n) => ({
    name: `tool_${n}`,
    description: textOf(300, `tool ${n}`),
  }));
  let n = 0;
  const event = (hook: string, turn: number, fields: Payload): BenchEvent => {
    const payload = {
      telemetry_schema_version: "hermes.observer.v1",
      session_id: "bench-session",
      turn_id: `bench-session:task:${turn}`,
      platform: "cli",
      model: "openai/gpt-oss-120b",
      ...fields,
    };
    n++;
    return structuredClone({ id: `w7f3k2:${n}`, at: 1_796_089_200.123 + n, hook, payload });
  };
  for (let turn = 0; turn < turns; turn++) {
    const question = textOf(200 + (turn % 5) * 150, `question ${turn}`);
    const result = textOf(1000 + (turn % 9) * 250, `result ${turn}`);
    const answer = textOf(400 + (turn % 7) * 200, `answer ${turn}`);
    const call = {
      id: `call_${turn}`,
      type: "function",
      function: { name: "tool_1", arguments: `{"path":"src/file-${turn}.ts"}` },
    };
    const usage = {
      input_tokens: 1000 + 40 * turn,
      output_tokens: 120,
      cache_read_tokens: 900 + 40 * turn,
    };
    messages.push({ role: "user", content: question });
    yield event("pre_llm_call", turn, { user_message: question });
    yield event("pre_api_request", turn, {
      api_request_id: `${turn}:1`,
      request: { messages, tools },
    });
    yield event("post_api_request", turn, {
      api_request_id: `${turn}:1`,
      usage,
      response: { assistant_message: { tool_calls: [call] } },
    });
    messages.push({ role: "assistant", tool_calls: [call] });
    yield event("pre_tool_call", turn, {
      tool_call_id: call.id,
      tool_name: "tool_1",
      args: { path: `src/file-${turn}.ts` },
    });
    yield event("post_tool_call", turn, {
      tool_call_id: call.id,
      tool_name: "tool_1",
      args: { path: `src/file-${turn}.ts` },
      result,
      status: "ok",
    });
    messages.push({ role: "tool", tool_call_id: call.id, content: result });
    yield event("pre_api_request", turn, {
      api_request_id: `${turn}:2`,
      request: { messages, tools },
    });
    yield event("post_api_request", turn, {
      api_request_id: `${turn}:2`,
      usage,
      response: { assistant_message: { content: answer } },
    });
    messages.push({ role: "assistant", content: answer });
    yield event("post_llm_call", turn, { user_message: question, assistant_response: answer });
    yield event("on_session_end", turn, { completed: true, final_response: answer });
  }
}

function freeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}
