import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openJournal, sessionFileName, sessionHash } from "../src/index.ts";
import { event, lineOf, readBack, scratchFolder, scratchRecorder } from "./scratch.ts";

const day = "2026-12-01";
const noon = Date.parse(`${day}T12:00:00Z`) / 1000;

describe.skipIf(process.platform === "win32")("files and folders", () => {
  test("files are 0600 in folders 0700, whatever the umask lets through", () => {
    const umask = process.umask(0);
    const { directory, recorder } = scratchRecorder({ now: () => noon, writer: "w" });

    recorder.append(event("w:1", { session_id: "s1" }));
    process.umask(umask);

    const modeOf = (path: string): string =>
      (lstatSync(join(directory, path)).mode & 0o7777).toString(8);
    expect(modeOf("")).toBe("700");
    expect(modeOf(day)).toBe("700");
    expect(modeOf("ledger")).toBe("700");
    expect(modeOf(`${day}/${sessionFileName("s1", "w")}`)).toBe("600");
    expect(modeOf(`ledger/${readdirSync(join(directory, "ledger"))[0] ?? ""}`)).toBe("600");
  });

  test("a day folder that is a symbolic link is not followed, and events are recorded once it is gone", () => {
    const elsewhere = scratchFolder();
    const { directory, faults, recorder } = scratchRecorder({ now: () => noon });
    mkdirSync(directory, { recursive: true });
    symlinkSync(elsewhere, join(directory, day));

    const isFirstWritten = recorder.append(event("w:1", { session_id: "s1" }));
    rmSync(join(directory, day));
    const isSecondWritten = recorder.append(event("w:2", { session_id: "s1" }));

    expect([isFirstWritten, isSecondWritten]).toEqual([false, true]);
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(faults).toHaveLength(1);
    expect(faults[0]?.code).toBe("OBS_JOURNAL_WRITE");
    expect(openJournal(directory).readSession("s1").problems).toEqual([]);
    expect(readBack(directory, "s1").problems).toEqual(["gap"]);
  });

  test("a ledger folder that is a symbolic link is not followed and does not stop recording", () => {
    const elsewhere = scratchFolder();
    const { directory, faults, recorder } = scratchRecorder();
    mkdirSync(directory, { recursive: true });
    symlinkSync(elsewhere, join(directory, "ledger"));

    expect(recorder.append(event("w:1", { session_id: "s1" }))).toBe(true);

    expect(readdirSync(elsewhere)).toEqual([]);
    expect(faults).toHaveLength(1);
  });

  test("a session file that is a symbolic link is neither written through nor read", async () => {
    const elsewhere = join(scratchFolder(), "target");
    const { directory, recorder } = scratchRecorder({ now: () => noon, writer: "w" });
    mkdirSync(join(directory, day), { recursive: true });
    symlinkSync(elsewhere, join(directory, day, sessionFileName("s1", "w")));

    expect(recorder.append(event("w:1", { session_id: "s1" }))).toBe(true);
    await recorder.close(1000);

    expect(existsSync(elsewhere)).toBe(false);
    expect(openJournal(directory).sessionFiles("s1")).toHaveLength(1);
    expect(readBack(directory, "s1").lines).toHaveLength(1);
  });
});

describe("session ids", () => {
  test.each([
    "../../etc/passwd",
    "a\0b",
    "/",
    "..",
    "CON",
    "s\n1",
    "",
    "é".normalize("NFD"),
    "x".repeat(10_000_000),
  ])("of any text lead to a file below its day folder (%#)", (id) => {
    const { directory, recorder } = scratchRecorder({ now: () => noon, writer: "w" });
    const record = event("w:1", { session_id: id });

    recorder.append(record);

    expect(readdirSync(directory).sort()).toEqual([day, "ledger"]);
    expect(readdirSync(join(directory, day))).toEqual([sessionFileName(id, "w")]);
    expect(readBack(directory, id)).toEqual({ lines: [lineOf(record)], problems: [] });
    expect(openJournal(directory).sessions().next().value).toMatchObject({ sessionId: id });
  });

  test("with lone surrogates that share a name are kept apart", () => {
    const { directory, recorder } = scratchRecorder();

    recorder.append(event("w:1", { session_id: "\ud800" }));
    recorder.append(event("w:2", { session_id: "\udfff" }));

    expect(sessionHash("\ud800")).toBe(sessionHash("\udfff"));
    expect(readBack(directory, "\ud800").lines).toHaveLength(1);
    expect(readBack(directory, "\udfff").lines).toHaveLength(1);
    expect([...openJournal(directory).sessions()]).toHaveLength(2);
  });

  test("of subagent events without one are the parent's; events with none go to the unattributed file", () => {
    const { directory, recorder } = scratchRecorder();

    recorder.append(event("w:1", { parent_session_id: "p", session_id: "" }, "subagent_start"));
    recorder.append(event("w:2", { parent_session_id: "p", session_id: "own" }, "subagent_stop"));
    recorder.append(event("w:3", { parent_session_id: "p" }, "pre_tool_call"));
    recorder.append(event("w:4", { session_id: 7 }));

    const idsOf = (session: string): string[] =>
      [...openJournal(directory).readSession(session)].map(({ id }) => id);
    expect(idsOf("p")).toEqual(["w:1"]);
    expect(idsOf("own")).toEqual(["w:2"]);
    expect(idsOf("")).toEqual(["w:3", "w:4"]);
  });
});

describe("a file and its day", () => {
  test("a session that goes on after midnight stays in the file of the day on which that was opened", () => {
    let now = noon;
    const { directory, recorder } = scratchRecorder({ now: () => now });

    recorder.append(event("w:1", { session_id: "s1" }));
    now += 86_400;
    recorder.append(event("w:2", { session_id: "s1" }));
    recorder.append(event("w:3", { session_id: "s2" }));

    expect(readdirSync(directory).sort()).toEqual([day, "2026-12-02", "ledger"]);
    expect(readBack(directory, "s1").lines).toHaveLength(2);
    expect([...openJournal(directory).sessions()].map(({ sessionId }) => sessionId)).toEqual([
      "s2",
      "s1",
    ]);
  });

  test("a writer id that another recorder has is not used twice", async () => {
    const { directory, recorder } = scratchRecorder({ writer: "same" });
    const { recorder: other } = scratchRecorder({ writer: "same", directory });

    recorder.append(event("a:1", { session_id: "s1" }));
    other.append(event("b:1", { session_id: "s1" }));
    recorder.append(event("a:2", { session_id: "s1" }));
    await Promise.all([recorder.close(1000), other.close(1000)]);

    expect(recorder.writer).toBe("same");
    expect(other.writer).toMatch(/^same\./);
    expect(openJournal(directory).sessionFiles("s1")).toHaveLength(2);
    expect(readBack(directory, "s1")).toMatchObject({ problems: [] });
    expect(readBack(directory, "s1").lines).toHaveLength(3);
  });

  test("a file that was removed while its descriptor was closed is begun anew", () => {
    const { directory, recorder } = scratchRecorder({ maxOpenFiles: 1, now: () => noon });
    recorder.append(event("w:1", { session_id: "s1" }));
    recorder.append(event("w:2", { session_id: "s2" }));
    rmSync(openJournal(directory).sessionFiles("s1")[0]?.path ?? "");

    expect(recorder.append(event("w:3", { session_id: "s1", text: "x".repeat(300) }))).toBe(true);

    expect(readBack(directory, "s1")).toMatchObject({ problems: [] });
    expect(readBack(directory, "s1").lines).toHaveLength(1);
  });
});

describe.runIf(process.platform === "linux")("descriptors", () => {
  const openJournalFiles = (directory: string): number =>
    readdirSync("/proc/self/fd").filter((fd) => linkOf(fd).startsWith(directory)).length;

  test("stay within maxOpenFiles, plus the ledger, while every session keeps one chained file", async () => {
    const { directory, recorder } = scratchRecorder({ maxOpenFiles: 5 });
    let most = 0;

    for (let round = 0; round < 4; round++) {
      for (let session = 0; session < 40; session++) {
        recorder.append(
          event(`w:${round}-${session}`, { session_id: `s${session}`, text: "y".repeat(400) }),
        );
        most = Math.max(most, openJournalFiles(directory));
      }
    }
    await recorder.close(1000);

    expect(most).toBe(6);
    expect(openJournalFiles(directory)).toBe(0);
    for (let session = 0; session < 40; session++) {
      expect(readBack(directory, `s${session}`)).toMatchObject({ problems: [] });
      expect(openJournal(directory).sessionFiles(`s${session}`)).toHaveLength(1);
    }
  });

  test("are not kept by reading, also when it stops early", () => {
    const { directory, recorder } = scratchRecorder();
    recorder.append(event("w:1", { session_id: "s1" }));
    recorder.append(event("w:2", { session_id: "s1" }));
    const before = openJournalFiles(directory);

    for (const one of openJournal(directory).readSession("s1")) {
      expect(one.id).toBe("w:1");
      break;
    }
    const sessions = [...openJournal(directory).sessions()];

    expect(sessions).toHaveLength(1);
    expect(openJournalFiles(directory)).toBe(before);
  });
});

test("sessions beyond maxSessions are ended as idle and go on in another file", async () => {
  const { directory, recorder } = scratchRecorder({ maxSessions: 2 });

  for (const [n, session] of ["a", "b", "c", "a"].entries()) {
    recorder.append(event(`w:${n}`, { session_id: session }));
  }
  const whileOpen = openJournal(directory)
    .sessionFiles("a")
    .map((file) => openJournal(directory).writerState(file));
  await recorder.close(1000);

  expect(whileOpen.sort()).toEqual(["alive", "closed"]);
  expect(readBack(directory, "a")).toMatchObject({ problems: [] });
  expect(readBack(directory, "a").lines).toHaveLength(2);
});

function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    // The descriptor that listed the folder is gone by now.
    return "";
  }
}
