export {
  bodyThresholdBytes,
  journalFormatVersion,
  sessionFileName,
  sessionHash,
} from "./format.ts";
export { createIngestWriter } from "./ingest-writer.ts";
export { openJournal } from "./read/journal.ts";
export { createRecorder } from "./recorder.ts";
export { sessionOf } from "./session-of.ts";
export { verifyChain } from "./verify-chain.ts";

export type { IngestResult, IngestWriter, IngestWriterOptions } from "./ingest-writer.ts";
export type { ProcessIdentity } from "./process-identity.ts";
export type { FileHeader, SessionFileInfo } from "./read/file-info.ts";
export type { Journal, JournalReadOptions, SessionLookup, SessionSummary } from "./read/journal.ts";
export type { JournalProblem, JournalProblemKind } from "./read/problem.ts";
export type { SessionReader } from "./read/session-reader.ts";
export type { StoredEvent } from "./read/stored-event.ts";
export type { WriterState } from "./read/writer-state.ts";
export type { JournalFault } from "./recorder-fault.ts";
export type { RecorderOptions, SlowWritePolicy } from "./recorder-options.ts";
export type { Recorder, RecorderReport, RecorderStats } from "./recorder.ts";
export type { ChainReport } from "./verify-chain.ts";
export type { FsyncPolicy } from "./write/sync-policy.ts";
export type { WriteMode } from "./write/writer-record.ts";
