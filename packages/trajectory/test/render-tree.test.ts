import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { formatCount, formatDuration, formatMoney, renderTree, verdict } from "../src/index.ts";
import {
  Script,
  call,
  endAttempt,
  golden,
  outcome,
  startAttempt,
  startTurn,
  turnIds,
  usage,
} from "./golden.ts";
import { build } from "./reading.ts";

const ids = turnIds("s1", "t1");

/** What a terminal must not get from a payload; line breaks are the drawing's own. */
const unsafe =
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

function lines(text: string): string[] {
  return text.split("\n");
}

function started(): Script {
  const script = new Script();
  script.emit("on_session_start", { session_id: "s1", model: "m", platform: "cli" });
  startTurn(script, ids, true);
  return script;
}

test("a good recording is drawn as a tree with totals and verdict", () => {
  const trajectory = build(golden());

  const text = renderTree(trajectory, {
    width: 96,
    verdict: verdict(trajectory, { writer: "closed" }),
  });

  expect(lines(text)).toEqual([
    "✓ session s1  cli · gpt-large                                    5.8 s      2.9k→170     $0.0104",
    "├─ ✓ turn 1  “fix the failing test”                              5.0 s        2k→120     $0.0073",
    "│  ├─ ✗ model openai/gpt-large  429 rate_limit: slow down       200 ms             –           –",
    "│  ├─ ✓ model openai/gpt-large (retry 1)                        500 ms        900→50     $0.0032",
    "│  ├─ ✗ tool read_file  a.md  error: no such file                12 ms",
    "│  ├─ ✓ tool read_file  b.md                                     12 ms",
    "│  ├─ ✓ tool terminal  rm -r ./x                                 40 ms",
    "│  │  └─ ✓ human approval  once                                  2.1 s",
    "│  │     └─ ✓ approval rm_recursive  once  (cli)  rm -r ./x      2.0 s",
    "│  ├─ ✓ tool delegate_task  count the words                     800 ms",
    "│  │  └─ ✓ child leaf  “count the words”                        700 ms        200→20     $0.0009",
    "│  │     └─ ✓ session s1-child  subagent · gpt-large            750 ms        200→20     $0.0009",
    "│  │        └─ ✓ turn 1  “count the words”                      650 ms        200→20     $0.0009",
    "│  │           └─ ✓ model openai/gpt-large                      500 ms        200→20     $0.0009",
    "│  └─ ✓ model openai/gpt-large                                  500 ms        900→50     $0.0032",
    "└─ ✓ turn 2  “thanks”                                           650 ms        900→50     $0.0032",
    "   └─ ✓ model openai/gpt-large                                  500 ms        900→50     $0.0032",
    "",
    "3 turns · 5 attempts (1 failed) · 4 tool calls (1 failed) · 1 approval · 1 human input ·",
    "1 child agent · 2.9k tokens in (300 cached), 170 out · $0.0104",
    "✓ complete",
  ]);
});

test("what went wrong stands below its node and at the end", () => {
  const script = started();
  script.emit("pre_tool_call", call(ids, "terminal", "1", { command: "sleep 9" }));
  script.emit("post_tool_call", { ...call(ids, "x", "2"), ...outcome("blocked") });
  const trajectory = build(script.events, { finish: "writer gone" });

  const text = renderTree(trajectory, {
    width: 72,
    verdict: verdict(trajectory, { writer: "dead" }),
  });

  expect(lines(text)).toEqual([
    "? session s1  cli · m  abandoned                      150 ms",
    "└─ ? turn 1  “do it”  abandoned                       100 ms",
    "   │  ! start_without_end: The start was seen, the end was not.",
    "   ├─ ? tool terminal  sleep 9  abandoned",
    "   │     ! start_without_end: The start was seen, the end was not.",
    "   └─ ⊘ tool x  blocked                                12 ms",
    "         ! end_without_start: The end was seen, the start was not.",
    "",
    "1 turn · 0 attempts · 2 tool calls",
    "✗ incomplete · 3 reasons",
    "  start_without_end: Turn 1: The start was seen, the end was not.",
    "  start_without_end: Tool terminal: The start was seen, the end was not.",
    "  end_without_start: Tool x: The end was seen, the start was not.",
  ]);
});

test("unknown cost and usage are shown as unknown, beside what is known", () => {
  const script = started();
  for (const [i, model] of ["gpt-large", "unheard-of", "gpt-large"].entries()) {
    startAttempt(script, ids, i + 1);
    endAttempt(script, ids, i + 1, {
      usage: i === 2 ? null : usage(800, 100, 50),
      response_model: "",
      ...(i === 1 ? { model } : {}),
    });
  }
  const trajectory = build(script.events, {
    prices: {
      currency: "USD",
      prices: [{ model: "gpt-large", input: 3, output: 15, cache_read: 0.3 }],
    },
  });

  const text = renderTree(trajectory, { width: 140 });

  expect(text).toContain("1.8k→100+?");
  expect(text).toContain("$0.0064+?");
  expect(text).toContain(
    "1.8k tokens in (200 cached), 100 out, 1 unreported · $0.0064 + 1 attempt of unknown cost",
  );
  expect(
    renderTree(build(script.events, { prices: { currency: "USD", prices: [] } }), { width: 120 }),
  ).toContain("cost unknown (3 attempts without a price or usage)");
});

test("no colour is used unless asked for", () => {
  const trajectory = build(golden());

  expect(renderTree(trajectory)).not.toContain("\u001b");
  expect(renderTree(trajectory, { color: true })).toContain("\u001b[32m✓\u001b[39m");
});

test("colours change nothing but colour", () => {
  const trajectory = build(golden());
  const options = { width: 72, verdict: verdict(trajectory, { writer: "closed" }) };
  // oxlint-disable-next-line no-control-regex -- the escape sequences are what is taken away
  const plain = renderTree(trajectory, { ...options, color: true }).replaceAll(/\u001b\[\d+m/g, "");

  expect(plain.split("\n").map((line) => line.trimEnd())).toEqual(
    renderTree(trajectory, options).split("\n"),
  );
});

test("without unicode the drawing is ASCII", () => {
  expect(renderTree(build(golden()), { unicode: false, width: 60 })).toMatch(/^[\n -~]*$/);
});

test("an empty trajectory says so", () => {
  expect(renderTree(build([]))).toContain("no events");
});

describe("hostile text cannot leave its place", () => {
  const hostile = [
    "\u001b]0;owned\u0007\u001b[2K\rALL SAMPLES PASSED",
    "\u009b31m",
    "\u001b]52;c;AAAA\u0007",
    "\u001b]8;;http://evil.test\u0007x\u001b]8;;\u0007",
    "a\u202egnp.exe",
    "\u2066\u007f\u0000\r\n\u2028",
  ];

  test.each(hostile)("%j", (text) => {
    const script = new Script();
    const odd = turnIds(text, text);
    script.emit("on_session_start", { session_id: text, model: text, platform: text });
    startTurn(script, odd, true, text);
    startAttempt(script, odd, 1);
    script.emit("api_request_error", {
      ...odd,
      api_request_id: text,
      reason: text,
      error: { type: text, message: text },
    });
    script.emit("pre_tool_call", call(odd, text, text, { a: text }));
    script.emit("post_tool_call", {
      ...call(odd, text, text),
      ...outcome(text, { error_message: text }),
    });
    script.emit("pre_approval_request", {
      ...odd,
      pattern_key: text,
      surface: text,
      command: text,
      session_key: text,
    });
    script.emit("on_human_input_request", { ...odd, kind: text, request_id: text });
    script.emit("subagent_start", {
      parent_session_id: text,
      parent_turn_id: text,
      child_session_id: `${text}c`,
      child_role: text,
      child_goal: text,
    });
    script.emit(text, { session_id: text });
    const trajectory = build(script.events);

    const drawn = renderTree(trajectory, {
      width: 100,
      verdict: verdict(trajectory, { writer: "dead" }),
    });

    expect(drawn).not.toMatch(unsafe);
  });
});

test("property: no line is wider than the terminal, whatever the names", () => {
  const name = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.string({ unit: "grapheme", maxLength: 60 }),
    fc.constantFrom(
      "日本語のとても長い名前のツール日本語のとても長い名前",
      "👩‍👩‍👧‍👦👩‍👩‍👧‍👦🇩🇪🇯🇵🏴󠁧󠁢󠁥󠁮󠁧󠁿",
      "e\u0301e\u0301e\u0301",
      "각각각",
      "ｶﾞｶﾞ",
    ),
  );

  fc.assert(
    fc.property(name, fc.integer({ min: 20, max: 130 }), fc.boolean(), (text, width, unicode) => {
      const script = started();
      script.emit("pre_tool_call", call(ids, text, "1", { a: text }));
      script.emit("post_tool_call", {
        ...call(ids, text, "1"),
        ...outcome("error", { error_message: text }),
      });
      script.emit("subagent_start", {
        parent_session_id: "s1",
        parent_turn_id: "t1",
        child_session_id: text,
        child_role: text,
        child_goal: text,
      });
      startTurn(script, turnIds(text, `${text}1`), true, text);
      script.emit(text, { session_id: "s1" });
      const trajectory = build(script.events);

      const drawn = renderTree(trajectory, {
        width,
        unicode,
        verdict: verdict(trajectory, { writer: "dead" }),
      });

      for (const line of drawn.split("\n")) expect(stringWidth(line)).toBeLessThanOrEqual(width);
    }),
    { numRuns: 300 },
  );
});

test("a tree deeper than the terminal is wide keeps half of each line for its text", () => {
  const script = new Script();
  for (let i = 0; i < 40; i += 1) {
    script.emit("subagent_start", {
      parent_session_id: `s${i}`,
      parent_turn_id: "",
      child_session_id: `s${i + 1}`,
      child_role: `deep${i}`,
    });
  }

  const drawn = lines(renderTree(build(script.events), { width: 40 }));

  expect(Math.max(...drawn.map((line) => stringWidth(line)))).toBeLessThanOrEqual(40);
  expect(drawn.some((line) => line.includes("deep39"))).toBe(true);
});

test.each([
  [null, ""],
  [0, "0 ms"],
  [0.4, "<1 ms"],
  [999.4, "999 ms"],
  [999.5, "1.0 s"],
  [59_949, "59.9 s"],
  [59_950, "1m 00s"],
  [185_000, "3m 05s"],
  [3_599_499, "59m 59s"],
  [3_600_000, "1h 00m"],
  [7_620_000, "2h 07m"],
])("%j ms is %j", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test.each([
  [999, "999"],
  [1000, "1k"],
  [18_240, "18.2k"],
  [99_950, "100k"],
  [999_499, "999k"],
  [1_234_567, "1.2M"],
  [123_456_789, "123M"],
])("%j tokens are %j", (count, text) => {
  expect(formatCount(count)).toBe(text);
});

test.each([
  [0, "USD", "$0"],
  [12.345, "USD", "$12.35"],
  [0.0421, "EUR", "€0.0421"],
  [0.00031, "USD", "$0.00031"],
  [0.0000001, "USD", "<$0.000001"],
  [1, "CHF", "CHF 1.00"],
  [1, null, "1.00"],
])("%j %s is %j", (amount, currency, text) => {
  expect(formatMoney(amount, currency)).toBe(text);
});
