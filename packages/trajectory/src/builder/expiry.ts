/*
 * What bounds the open nodes: time to live in event time, and a cap. An event that finds an expired node closes it
 * before anything else, so that a replay of one session closes what the live run of many closed.
 */
import { giveUp } from "./closing.ts";
import type { Core } from "./core.ts";
import { SessionEntry } from "./entry.ts";
import type { Entry } from "./entry.ts";

/** True if the entry is open and not expired; closes it when it is expired. */
export function isAlive(core: Core, entry: Entry): boolean {
  if (entry.node.status !== "open") return false;
  if (!core.isExpired(entry)) return true;
  expire(core, entry);
  return false;
}

/** Closes an entry that has been idle for longer than its time to live. */
export function expire(core: Core, entry: Entry): void {
  const before = core.open.size;
  core.withoutCause(() => giveUp(core, entry, "ttl"));
  core.counters.expired_nodes += before - core.open.size;
}

/** Closes everything that has been idle for too long. */
export function sweep(core: Core): void {
  const open = [...core.open]; // closing takes entries out
  for (const entry of open) {
    if (entry.node.status === "open" && core.isExpired(entry)) expire(core, entry);
  }
}

/** Gives up the longest idle nodes until an eighth of the cap is free again; leaves go before what holds them. */
export function evict(core: Core): void {
  const idle = [...core.open]
    .toReversed()
    .toSorted((a, b) => a.lastAt - b.lastAt || order(a) - order(b));
  const goal = core.limits.maxOpenNodes - (core.limits.maxOpenNodes >> 3);
  const before = core.open.size;
  core.withoutCause(() => {
    for (const entry of idle) {
      if (core.open.size <= goal) break;
      giveUp(core, entry, "evicted");
    }
  });
  core.counters.evicted_nodes += before - core.open.size;
}

function order(entry: Entry): number {
  return entry instanceof SessionEntry ? 1 : 0;
}
