import { readdirSync, type Dirent } from "node:fs";
import { isDayFolder, sessionHash, splitSessionFileName } from "../format.ts";
import { readFileInfo, type SessionFileInfo } from "./file-info.ts";
import { FileSetReader, type SessionReader } from "./session-reader.ts";
import { sessionState, writerState, type WriterState } from "./writer-state.ts";

/** One line of the list of sessions, from the first records of its files. */
export interface SessionSummary {
  /** Null when the first record of each of its files is missing or damaged; then only its hash is known. */
  readonly sessionId: string | null;
  /** The 24 hex digits with which the names of its files begin. */
  readonly hash: string;
  /** Oldest first. */
  readonly files: readonly SessionFileInfo[];
  /** Epoch seconds of the first record; null when unknown. */
  readonly startedAt: number | null;
  /** Epoch seconds of the last change to one of the files. */
  readonly changedAt: number;
  readonly bytes: number;
}

/** What a session id, or the beginning of one, leads to. */
export type SessionLookup =
  | { readonly kind: "found"; readonly summary: SessionSummary }
  | { readonly kind: "none" }
  /** At most ten of the sessions whose ids begin so. */
  | { readonly kind: "ambiguous"; readonly sessionIds: readonly string[] };

/** Options of `openJournal`. */
export interface JournalReadOptions {
  /** What one payload may expand to, in characters; default 128 Mi. */
  readonly maxPayloadChars?: number;
}

/** A journal to read. Nothing is held between calls; a journal that is being written can be read. */
export interface Journal {
  readonly directory: string;
  /** All sessions, those with the newest day first; reads names, sizes and first records only. */
  sessions(): Generator<SessionSummary>;
  /** Files of one session, oldest first. */
  sessionFiles(sessionId: string): readonly SessionFileInfo[];
  /** The session of that id, else the only one whose id begins so. */
  findSession(idOrPrefix: string): SessionLookup;
  /** Events of one session; a session that is not there has none. */
  readSession(sessionId: string): SessionReader;
  /** Whether more can be expected in a file. */
  writerState(file: SessionFileInfo): WriterState;
  /** Whether more can be expected in a session. */
  sessionState(sessionId: string): WriterState;
}

/** Opens a journal for reading. A folder that is not there reads as an empty journal. */
export function openJournal(directory: string, options: JournalReadOptions = {}): Journal {
  const maxPayloadChars = options.maxPayloadChars ?? 128 * 1024 * 1024;
  return {
    directory,
    sessions: () => summaries(directory),
    sessionFiles: (sessionId) => filesOf(directory, sessionId),
    findSession: (idOrPrefix) => findSession(directory, idOrPrefix),
    readSession: (sessionId) =>
      new FileSetReader(
        filesOf(directory, sessionId).map(({ path }) => path),
        maxPayloadChars,
      ),
    writerState,
    sessionState: (sessionId) => sessionState(filesOf(directory, sessionId)),
  };
}

interface NamedFile {
  readonly day: string;
  readonly name: string;
}

function* summaries(directory: string): Generator<SessionSummary> {
  const byHash = new Map<string, NamedFile[]>();
  // Newest day first: a session stands where its newest file is.
  for (const day of days(directory).reverse()) {
    for (const name of names(directory, day)) {
      const hash = splitSessionFileName(name)?.session;
      if (hash === undefined) continue;
      const files = byHash.get(hash);
      if (files === undefined) byHash.set(hash, [{ day, name }]);
      else files.push({ day, name });
    }
  }
  for (const [hash, files] of byHash) yield* summarise(directory, hash, files);
}

/** One summary, or more where two ids share the 24 digits: possible for ids with lone surrogates only. */
function* summarise(
  directory: string,
  hash: string,
  files: readonly NamedFile[],
): Generator<SessionSummary> {
  const bySession = new Map<string | null, SessionFileInfo[]>();
  for (const { day, name } of files) {
    const info = readFileInfo(directory, day, name);
    if (info === undefined) continue;
    const id = info.header?.sessionId ?? null;
    bySession.set(id, [...(bySession.get(id) ?? []), info]);
  }
  const nameless = bySession.get(null) ?? [];
  if (bySession.size > 1) bySession.delete(null);
  let extra = nameless;
  for (const [sessionId, infos] of bySession) {
    const all = sessionId === null ? infos : [...infos, ...extra];
    extra = [];
    yield toSummary(sessionId, hash, all.sort(byStart));
  }
}

function toSummary(
  sessionId: string | null,
  hash: string,
  files: readonly SessionFileInfo[],
): SessionSummary {
  const starts = files.flatMap(({ header }) => (header === null ? [] : [header.startedAt]));
  return {
    sessionId,
    hash,
    files,
    startedAt: starts.length === 0 ? null : Math.min(...starts),
    changedAt: Math.max(...files.map(({ changedAt }) => changedAt)),
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

function findSession(directory: string, idOrPrefix: string): SessionLookup {
  const exact = filesOf(directory, idOrPrefix);
  if (exact.length > 0) {
    return { kind: "found", summary: toSummary(idOrPrefix, sessionHash(idOrPrefix), exact) };
  }
  const matches: SessionSummary[] = [];
  for (const summary of summaries(directory)) {
    if (summary.sessionId !== null && summary.sessionId.startsWith(idOrPrefix))
      matches.push(summary);
    if (matches.length > 10) break;
  }
  const [only] = matches;
  if (only === undefined) return { kind: "none" };
  if (matches.length === 1) return { kind: "found", summary: only };
  return {
    kind: "ambiguous",
    sessionIds: matches.slice(0, 10).map(({ sessionId }) => sessionId ?? ""),
  };
}

function filesOf(directory: string, sessionId: string): readonly SessionFileInfo[] {
  const prefix = `${sessionHash(sessionId)}-`;
  const files: SessionFileInfo[] = [];
  for (const day of days(directory)) {
    for (const name of names(directory, day)) {
      if (!name.startsWith(prefix)) continue;
      const info = readFileInfo(directory, day, name);
      if (info !== undefined && (info.header === null || info.header.sessionId === sessionId))
        files.push(info);
    }
  }
  return files.sort(byStart);
}

function byStart(left: SessionFileInfo, right: SessionFileInfo): number {
  const difference = (left.header?.startedAt ?? 0) - (right.header?.startedAt ?? 0);
  if (difference !== 0) return difference;
  return left.path < right.path ? -1 : 1;
}

/** Day folders, oldest first. A symbolic link is no folder here. */
function days(directory: string): string[] {
  return entries(directory)
    .filter((entry) => entry.isDirectory() && isDayFolder(entry.name))
    .map(({ name }) => name)
    .sort();
}

function names(directory: string, day: string): readonly string[] {
  return entries(`${directory}/${day}`).map(({ name }) => name);
}

function entries(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    // Not there (yet): an empty journal.
    return [];
  }
}
