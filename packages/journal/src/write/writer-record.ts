import type { Producer } from "@hermes-observer/core";
import { journalFormatVersion } from "../format.ts";
import type { ProcessIdentity } from "../process-identity.ts";
import { quote } from "./json-text.ts";

/** How records reach the disk: by the thread that emits, or by one of their own. */
export type WriteMode = "sync" | "worker";

/** What the first record of a file says about who writes it. */
export interface WriterFacts {
  readonly writer: string;
  readonly identity: ProcessIdentity;
  readonly producer: Producer;
  readonly mode: WriteMode;
}

/** Head of the first record of a file. `session` is null in a ledger, which belongs to no session. */
export function writerHead(facts: WriterFacts, session: string | null, at: number): string {
  const { boot, host, pid, pidns, started } = facts.identity;
  return (
    `{"k":"writer","state":"open","v":${journalFormatVersion}` +
    (session === null ? "" : `,"session":${quote(session)}`) +
    `,"writer":${quote(facts.writer)},"at":${at},"mode":"${facts.mode}","salting":"random-16"` +
    `,"pid":${pid},"host":${quote(host)}` +
    (boot === undefined ? "" : `,"boot":${quote(boot)}`) +
    (pidns === undefined ? "" : `,"pidns":${quote(pidns)}`) +
    (started === undefined ? "" : `,"started":${started}`)
  );
}

/** Payload of the same record. */
export function writerPayload(facts: WriterFacts): string {
  return JSON.stringify({ producer: facts.producer });
}

/** Head of the last record of a file that was closed in order, or set aside. */
export function closedHead(at: number, events: number, reason: "closed" | "idle"): string {
  return `{"k":"writer","state":"closed","at":${at},"reason":"${reason}","events":${events}`;
}

/** Head of the record that says that writing goes on in another mode. */
export function modeHead(at: number, mode: WriteMode, reason: string): string {
  return `{"k":"writer","state":"mode","at":${at},"mode":"${mode}","reason":${quote(reason)}`;
}
