import type { IngestResult } from "@hermes-observer/journal";
import { cleanText } from "@hermes-observer/trajectory";
import type { Output } from "../output.ts";
import type { TakenLine } from "./wire-line.ts";

const MAX_NAMED = 100;
const PROGRESS_MS = 200;

/** Counts what `ingest` took and refused, and tells it. */
export class IngestReport {
  badLines = 0;
  readonly #output: Output;
  readonly #bad: { line: number; reason: string }[] = [];
  readonly #counts = { unknown_hook: 0, unknown_schema_version: 0 };
  #lastProgress = 0;

  constructor(output: Output) {
    this.#output = output;
  }

  bad(line: number, reason: string): void {
    this.badLines += 1;
    if (this.#bad.length >= MAX_NAMED) return;
    this.#bad.push({ line, reason });
    this.#output.note(`line ${line}: ${cleanText(reason).slice(0, 300)}`);
  }

  took(line: number, result: IngestResult, taken: TakenLine): void {
    if (taken.kind !== "event") return;
    if (!taken.isHookKnown) this.#counts.unknown_hook += 1;
    if (!taken.isVersionKnown) this.#counts.unknown_schema_version += 1;
    if (result === "conflict") {
      this.#output.note(
        `line ${line}: id ${cleanText(taken.event.id)} is stored with other content; kept both`,
      );
    }
  }

  progress(counts: Readonly<Record<IngestResult, number>>): void {
    const now = performance.now();
    if (now - this.#lastProgress < PROGRESS_MS) return;
    this.#lastProgress = now;
    this.#output.progress(
      `${counts.stored} stored, ${counts.duplicate} known already, ${this.badLines} bad`,
    );
  }

  finish(counts: Readonly<Record<IngestResult, number>>, isJson: boolean): void {
    const all = { ...counts, bad_lines: this.badLines, ...this.#counts };
    if (isJson) {
      this.#output.json({ ...all, bad: this.#bad });
      return;
    }
    const odd = [
      ...(counts.conflict > 0 ? [`${counts.conflict} with an id of other content`] : []),
      ...(counts.lost > 0 ? [`${counts.lost} could not be written`] : []),
      ...(this.badLines > 0 ? [`${this.badLines} bad lines`] : []),
      ...(this.badLines > MAX_NAMED ? [`the first ${MAX_NAMED} named above`] : []),
      ...(all.unknown_hook > 0 ? [`${all.unknown_hook} of unknown hooks`] : []),
      ...(all.unknown_schema_version > 0
        ? [`${all.unknown_schema_version} of unknown versions`]
        : []),
    ];
    const rest = odd.length === 0 ? "" : `; ${odd.join(", ")}`;
    this.#output.note(`${counts.stored} events stored, ${counts.duplicate} known already${rest}`);
  }
}
