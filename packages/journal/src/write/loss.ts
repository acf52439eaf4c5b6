import { quote } from "./json-text.ts";

/** Events that could not be written since the last successful write: what the next gap record says. */
export interface Loss {
  /** Id of the first and the last one; null where it is not known. */
  first: string | null;
  last: string | null;
  count: number;
  /** The system's code of the first failure. */
  reason: string;
  /** Epoch seconds of the first failure. */
  readonly since: number;
}

/** Adds `more` to what is lost already; the first reason stays. */
export function addLoss(loss: Loss | undefined, more: Loss): Loss {
  if (loss === undefined) return { ...more };
  loss.last = more.last;
  loss.count += more.count;
  return loss;
}

/** Head of the gap record. */
export function gapHead(loss: Loss, at: number, file: string | undefined): string {
  const inFile = file === undefined ? "" : `,"file":${quote(file)}`;
  return (
    `{"k":"gap","at":${at}${inFile},"first":${nullable(loss.first)},"last":${nullable(loss.last)}` +
    `,"count":${loss.count},"reason":${quote(loss.reason)},"since":${loss.since}`
  );
}

function nullable(id: string | null): string {
  return id === null ? "null" : quote(id);
}
