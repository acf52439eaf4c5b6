import { ledgerFileName, ledgerFolder } from "../format.ts";
import { reasonOf } from "../recorder-fault.ts";
import { ChainedFile, type ChainedFileState, type FileCalls } from "./chained-file.ts";
import { quote } from "./json-text.ts";
import { addLoss, gapHead, type Loss } from "./loss.ts";
import { RecordBuffer } from "./record-buffer.ts";
import { writerHead, writerPayload, type WriterFacts } from "./writer-record.ts";

/** What another thread needs to go on with a ledger. */
export interface LedgerState {
  readonly file: ChainedFileState;
  readonly hasHeader: boolean;
  readonly missed: Loss | undefined;
}

/**
 * The small chained file in which a writer notes which session files it opened, closed and left gaps in. A record
 * that cannot be written is made up for by a gap record; session files do not wait for it.
 */
export class Ledger {
  readonly #root: string;
  readonly #calls: FileCalls;
  readonly #onError: (error: unknown, path: string) => void;
  /** Its own: session files are laid out in another buffer while a ledger record is written. */
  readonly #buffer = new RecordBuffer();
  #facts: WriterFacts;
  #file: ChainedFile;
  #hasHeader = false;
  #missed: Loss | undefined;

  constructor(
    root: string,
    facts: WriterFacts,
    calls: FileCalls,
    onError: (error: unknown, path: string) => void,
  ) {
    this.#root = root;
    this.#calls = calls;
    this.#onError = onError;
    this.#facts = facts;
    this.#file = this.#makeFile();
  }

  get facts(): WriterFacts {
    return this.#facts;
  }

  /** Creates the file, and by that claims the writer id; takes `spare` where another recorder has the id already. */
  claim(spare: () => WriterFacts): void {
    if (this.#file.created) return;
    try {
      this.#file.open(this.#root);
    } catch (error) {
      if (reasonOf(error) !== "EEXIST") return;
      this.#facts = spare();
      this.#file = this.#makeFile();
    }
  }

  opened(file: string, at: number): void {
    this.#note(`{"k":"opened","at":${at},"file":${quote(file)}`, at);
  }

  closed(file: string, head: string, at: number): void {
    this.#note(`{"k":"closed","at":${at},"file":${quote(file)},"head":"${head}"`, at);
  }

  gap(loss: Loss, file: string, at: number): void {
    this.#note(gapHead(loss, at, file), at);
  }

  /** The last record; a ledger that never had one gets none. */
  end(at: number): void {
    if (this.#hasHeader)
      this.#note(`{"k":"writer","state":"closed","at":${at},"reason":"closed"`, at);
    this.#file.close();
  }

  release(): LedgerState {
    this.#file.close();
    return { file: this.#file.state(), hasHeader: this.#hasHeader, missed: this.#missed };
  }

  restore(state: LedgerState): void {
    this.#file.restore(state.file);
    this.#hasHeader = state.hasHeader;
    this.#missed = state.missed;
  }

  #note(head: string, at: number): void {
    try {
      if (this.#file.fd === -1) this.#file.open(this.#root);
      const buffer = this.#buffer;
      let { prev } = this.#file;
      buffer.reset();
      if (this.#file.torn) buffer.newline();
      if (!this.#hasHeader) {
        prev = buffer.content(writerHead(this.#facts, null, at), writerPayload(this.#facts), prev);
      }
      if (this.#missed !== undefined)
        prev = buffer.plain(gapHead(this.#missed, at, undefined), prev);
      prev = buffer.plain(head, prev);
      this.#file.write(buffer, prev);
      this.#hasHeader = true;
      this.#missed = undefined;
    } catch (error) {
      const reason = reasonOf(error);
      this.#missed = addLoss(this.#missed, {
        first: null,
        last: null,
        count: 1,
        reason,
        since: at,
      });
      this.#onError(error, this.#file.path);
    }
  }

  #makeFile(): ChainedFile {
    return new ChainedFile(ledgerFolder, ledgerFileName(this.#facts.writer), this.#calls);
  }
}
