import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bytesBelow, cli, collect, scratch, start, wire } from "./cli.ts";

const at = 1_796_089_200;
const event = (id: string, hook: string, payload: object, offset = 0): object => ({
  id,
  at: at + offset,
  hook,
  payload: { session_id: "s1", turn_id: "t1", ...payload },
});
const good = [
  event("w:1", "pre_llm_call", {
    user_message: "hi",
    is_first_turn: true,
    model: "m",
    platform: "cli",
    sender_id: "",
  }),
  event("w:2", "pre_tool_call", { tool_name: "grep", args: { q: "x" }, tool_call_id: "c1" }, 1),
  event(
    "w:3",
    "post_tool_call",
    { tool_name: "grep", args: {}, tool_call_id: "c1", result: "r", status: "ok", duration_ms: 5 },
    2,
  ),
  event("w:4", "on_session_end", { completed: true, interrupted: false }, 3),
];

describe("ingest", () => {
  test("takes good lines, names bad ones by number and keeps the rest", async () => {
    const journal = scratch();
    const lines = [
      wire(good[0] ?? {}),
      "not json\n",
      "\n",
      "[1]\n",
      '{"payload":{}}\n',
      '{"hook":"x","payload":3}\n',
      '{"hook":"x","at":"now","payload":{}}\n',
      '{"hook":"x","id":"","payload":{}}\n',
      wire(...good.slice(1)).trimEnd(),
    ].join("");

    const { code, stderr } = await cli(["ingest", "--journal", journal], lines);
    const shown = await cli(["events", "s1", "--journal", journal]);

    expect(code).toBe(1);
    for (const number of [2, 4, 5, 6, 7, 8]) expect(stderr).toContain(`line ${number}:`);
    expect(stderr).toContain("4 events stored, 0 known already; 6 bad lines");
    expect(
      shown.stdout
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as { id: string }).id),
    ).toEqual(["w:1", "w:2", "w:3", "w:4"]);
  });

  test("the same id and bytes are not stored again, other bytes are kept and flagged", async () => {
    const journal = scratch();
    const changed = {
      ...(good[1] as object),
      payload: { session_id: "s1", turn_id: "t1", tool_name: "other" },
    };
    await cli(["ingest", "--journal", journal], wire(...good));

    const again = await cli(["ingest", "--journal", journal, "--json"], wire(...good, changed));

    expect(JSON.parse(again.stdout)).toMatchObject({
      stored: 0,
      duplicate: 4,
      conflict: 1,
      bad_lines: 0,
    });
  });

  test("--ack prints the id of each event after its write, line by line from a pipe that stays open", async () => {
    const child = start(["ingest", "--ack", "--journal", scratch(), "-"]);
    const acks: string[] = [];
    let wake = (): void => {};
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      acks.push(...text.split("\n").filter((line) => line !== ""));
      wake();
    });
    for (const [index, line] of good.entries()) {
      child.stdin.write(wire(line));
      while (acks.length <= index) await new Promise<void>((resolve) => (wake = resolve));
    }
    child.kill("SIGTERM");
    const { code } = await new Promise<{ code: number | null }>((resolve) =>
      child.on("close", (ended) => resolve({ code: ended })),
    );

    expect(acks).toEqual(["w:1", "w:2", "w:3", "w:4"]);
    expect(code).toBe(143);
  });

  test("events that lack id and time get them; unknown hooks and versions are stored and counted", async () => {
    const journal = scratch();
    const lines = wire(
      { hook: "kanban_task_claimed", payload: { session_id: "s1", board: "b" } },
      {
        hook: "pre_tool_call",
        payload: { session_id: "s1", telemetry_schema_version: "hermes.observer.v9" },
      },
    );

    const { stdout, code } = await cli(["ingest", "--json", "--journal", journal], lines);
    const events = (await cli(["events", "s1", "--journal", journal])).stdout.trim().split("\n");

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      stored: 2,
      unknown_hook: 1,
      unknown_schema_version: 1,
    });
    expect(events.map((line) => Object.keys(JSON.parse(line) as object))).toEqual([
      ["id", "at", "hook", "payload"],
      ["id", "at", "hook", "payload"],
    ]);
  });

  test("events | ingest into an empty journal gives the same session, children included", async () => {
    const one = scratch();
    const two = scratch();
    const demo = await cli([
      "demo",
      "--json",
      "--journal",
      one,
      "--seed",
      "3",
      "--clock",
      String(at),
    ]);
    const id = (JSON.parse(demo.stdout) as { session_id: string }).session_id;
    const events = await cli(["events", id, "--journal", one]);

    await cli(["ingest", "--journal", two], events.stdout);
    const copied = await cli(["events", id, "--journal", two]);
    const shown = await Promise.all(
      [one, two].map((journal) => cli(["show", id, "--json", "--journal", journal])),
    );

    expect(copied.stdout).toBe(events.stdout);
    expect(shown[1]?.stdout).toBe(shown[0]?.stdout);
  });

  test("planted secrets are in no byte of the journal, look-alikes stay", async () => {
    const journal = scratch();
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    const lines = wire(
      event("w:1", "post_tool_call", {
        tool_name: "terminal",
        args: {
          command: `curl -H "Authorization: Bearer ${secret}" https://u:hunter2pass@example.test/?token=${secret}`,
        },
        result: JSON.stringify({ env: `A=1\nDB_PASSWORD=hunter2pass\nGITHUB_TOKEN=${secret}` }),
        usage: { prompt_tokens: 12, max_tokens: 4096 },
        note: "risk-assessment-for-quarterly-review",
      }),
    );

    await cli(["ingest", "--journal", journal], lines);
    const bytes = bytesBelow(journal);

    expect([bytes.includes(secret), bytes.includes("hunter2pass")]).toEqual([false, false]);
    for (const kept of [
      '"prompt_tokens":12',
      '"max_tokens":4096',
      "risk-assessment-for-quarterly-review",
    ]) {
      expect(bytes).toContain(kept);
    }
  });

  test("hostile lines are taken or named, never fatal", async () => {
    const journal = scratch();
    const deep = `${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`;
    const file = join(scratch(), "hostile.ndjson");
    const lines = [
      `{"hook":"pre_tool_call","payload":{"session_id":"s1","deep":${deep}}}`,
      '{"hook":"pre_tool_call","payload":{"session_id":"s1","__proto__":{"polluted":1},"constructor":{"prototype":{"p":1}}}}',
      `{"hook":"pre_tool_call","payload":{"session_id":"../../etc/passwd\\u0000","x":"\\ud800"}}`,
      `{"hook":"pre_tool_call","payload":{"session_id":"s1","big":"${"x".repeat(50_000_000)}"}}`,
      '{"hook":"pre_tool_call","payload":{"session_id":"s1","ansi":"\\u001b]0;owned\\u0007\\u001b[2K","html":"<script>"}}',
    ];
    writeFileSync(file, `${lines.join("\n")}\n`);

    const { code, stderr } = await cli(["ingest", file, "--journal", journal]);
    const shown = await cli(["show", "s1", "--journal", journal]);
    const outside = await cli(["sessions", "--json", "--journal", journal]);

    expect([code, stderr.includes("5 events stored")]).toEqual([0, true]);
    expect(shown.stdout).not.toMatch(/[^\P{Cc}\n]/u);
    expect((JSON.parse(outside.stdout) as { total: number }).total).toBe(2);
  }, 60_000);

  test("show --json keeps control characters as escapes of the same text", async () => {
    const journal = scratch();
    const name = "a\u009B31m\u202Eb\u007F";
    await cli(
      ["ingest", "--journal", journal],
      wire(event("w:1", "pre_tool_call", { tool_name: name, tool_call_id: "c" })),
    );

    const { stdout } = await cli(["show", "s1", "--json", "--journal", journal]);

    expect(stdout).not.toMatch(/[^\P{Cc}\n]|\u202E/u);
    expect(stdout).toContain(String.raw`a\u009b31m\u202eb\u007f`);
  });

  test("a file that is not there is an error with its name", async () => {
    const { code, stderr } = await cli(["ingest", "not-there.ndjson", "--journal", scratch()]);

    expect([code, stderr.includes("not-there.ndjson")]).toEqual([3, true]);
  });
});

describe("sessions, show, events, verdict", () => {
  test("an unknown session, an ambiguous beginning and a unique one", async () => {
    const journal = scratch();
    const lines = wire(
      { hook: "pre_llm_call", payload: { session_id: "abc-1", turn_id: "t" } },
      { hook: "pre_llm_call", payload: { session_id: "abd-2", turn_id: "t" } },
    );
    await cli(["ingest", "--journal", journal], lines);

    const none = await cli(["show", "zzz", "--journal", journal]);
    const ambiguous = await cli(["show", "ab", "--journal", journal]);
    const unique = await cli(["verdict", "abc", "--json", "--journal", journal]);

    expect([none.code, ambiguous.code, unique.code]).toEqual([3, 3, 1]);
    expect(ambiguous.stderr).toContain("abc-1, abd-2");
    expect(JSON.parse(unique.stdout)).toMatchObject({ session_id: "abc-1", verdict: "incomplete" });
  });

  test("show --json names what is wrong with a stream and misplaces nothing", async () => {
    const journal = scratch();
    const [first, pre, post, end] = good;
    const other = {
      ...event("v:1", "pre_tool_call", { tool_name: "ls", tool_call_id: "c1" }, 1.5),
      payload: { session_id: "s2", turn_id: "t9", tool_name: "ls", tool_call_id: "c1" },
    };
    await cli(
      ["ingest", "--journal", journal],
      wire(first ?? {}, post ?? {}, other, pre ?? {}, end ?? {}),
    );

    const { stdout } = await cli(["show", "s1", "--json", "--journal", journal]);
    const shown = JSON.parse(stdout) as {
      verdict: { reasons: { code: string }[] };
      roots: { kind: string; session_id: string }[];
    };

    expect(shown.verdict.reasons.map(({ code }) => code)).toContain("out_of_order");
    expect(shown.roots.map((root) => root.session_id)).toEqual(["s1"]);
    expect(stdout).not.toContain('"ls"');
  });

  test("an empty journal is told, with what to do next", async () => {
    const { code, stdout } = await cli(["sessions", "--journal", scratch()]);

    expect([code, stdout.includes("hermes-observer demo")]).toEqual([0, true]);
  });

  test("wrong command lines exit with 2 and say what is expected", async () => {
    const results = await Promise.all([
      cli([]),
      cli(["dance"]),
      cli(["show"]),
      cli(["show", "a", "--nope"]),
      cli(["demo", "--seed", "x"]),
      cli(["run", "task"]),
      cli(["run", "task", "--model", "openai/x"]),
      cli([
        "run",
        "task",
        "--base-url",
        "http://127.0.0.1:9/v1",
        "--model",
        "m",
        "--approve",
        "maybe",
      ]),
    ]);

    expect(results.map(({ code }) => code)).toEqual(results.map(() => 2));
    expect(results[6]?.stderr).toContain("OPENAI_API_KEY");
  });

  test("every command has help with an example", async () => {
    for (const name of ["demo", "run", "ingest", "sessions", "show", "events", "verdict"]) {
      const { code, stdout } = await cli([name, "--help"]);
      expect([
        code,
        stdout.includes("Example"),
        stdout.includes(`hermes-observer ${name}`),
      ]).toEqual([0, true, true]);
    }
  });

  test("a reader that goes away ends the command quietly", async () => {
    const journal = scratch();
    const lines = Array.from({ length: 20_000 }, (_, index) =>
      event(`w:${index}`, "pre_tool_call", { tool_call_id: `c${index}` }),
    );
    await cli(["ingest", "--journal", journal], wire(...lines));

    const child = start(["events", "s1", "--journal", journal]);
    const ended = collect(child);
    child.stdout.once("data", () => child.stdout.destroy());

    expect([(await ended).code, (await ended).stderr]).toEqual([0, ""]);
  });
});
