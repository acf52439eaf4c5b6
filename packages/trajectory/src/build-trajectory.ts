import type { EventRecord } from "@hermes-observer/core";
import type { BuilderCounters, BuilderOptions } from "./builder-options.ts";
import type { RolledUp, TrajectoryNode } from "./node.ts";
import type { TrajectorySink } from "./sink.ts";
import { addTotals, emptyTotals } from "./totals.ts";
import { TrajectoryBuilder } from "./trajectory-builder.ts";

/** A node with what hangs below it, in the order in which it opened. */
export type TreeNode = TrajectoryNode & { readonly children: readonly TreeNode[] };

/** The whole tree of a record, for readers. */
export interface Trajectory {
  /** Sessions that hang below no other agent, in the order in which they were seen. */
  readonly roots: readonly TreeNode[];
  /** Sums over all roots. */
  readonly totals: RolledUp;
  readonly currency: string | null;
  readonly counters: BuilderCounters;
}

/** Options of `buildTrajectory`. */
export interface BuildOptions extends Omit<BuilderOptions, "sink"> {
  /** Why the record ends, if no more can come: closes what is open. Without it open nodes stay open. */
  readonly finish?: string;
}

/**
 * Builds the whole tree of a finite record.
 *
 * **Contract:** pure; never throws on any event (an iterable that throws does). The result is a copy of its own.
 */
export function buildTrajectory(
  events: Iterable<EventRecord>,
  options: BuildOptions = {},
): Trajectory {
  const collector = new Collector();
  const builder = new TrajectoryBuilder({ ...options, sink: collector });
  for (const event of events) builder.add(event?.payload, event);
  if (options.finish !== undefined) builder.finish(options.finish);
  const roots = collector.tree();
  return { roots, totals: sumOf(roots), currency: builder.currency, counters: builder.counters };
}

/** Every node of a trajectory, parents before children. */
export function* nodesOf(trajectory: Pick<Trajectory, "roots">): Generator<TreeNode> {
  const waiting = trajectory.roots.toReversed();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    waiting.push(...node.children.toReversed());
  }
}

/** A node in the growing tree. */
interface Slot {
  readonly node: TrajectoryNode;
  /** The node's id, or one of its own for a container that the builder had forgotten and saw again. */
  readonly id: string;
  parent: Slot | null;
  readonly children: Slot[];
}

/** Keeps every node below the parent that it was announced with. */
class Collector implements TrajectorySink {
  readonly #roots: Slot[] = [];
  readonly #latest: Map<string, Slot> = new Map();
  #forgotten = 0;

  onNode(node: TrajectoryNode): void {
    const known = this.#latest.get(node.id);
    const parent = node.parent_id === null ? null : (this.#latest.get(node.parent_id) ?? null);
    if (known === undefined || (known.node !== node && node.status === "open")) {
      this.#add(node, parent, known !== undefined);
    } else if (known.node === node && (known.parent?.node.id ?? null) !== node.parent_id) {
      this.#detach(known);
      known.parent = parent;
      this.#siblings(known).push(known);
    }
  }

  tree(): readonly TreeNode[] {
    return this.#roots.map((root) => treeOf(root));
  }

  #add(node: TrajectoryNode, parent: Slot | null, isAgain: boolean): void {
    if (isAgain) this.#forgotten += 1;
    const id = isAgain ? `${node.id}~again${this.#forgotten}` : node.id;
    const slot: Slot = { node, id, parent, children: [] };
    this.#latest.set(node.id, slot);
    this.#siblings(slot).push(slot);
  }

  #siblings(slot: Slot): Slot[] {
    return slot.parent === null ? this.#roots : slot.parent.children;
  }

  #detach(slot: Slot): void {
    const siblings = this.#siblings(slot);
    siblings.splice(siblings.indexOf(slot), 1);
  }
}

type Growing = TrajectoryNode & { readonly children: TreeNode[] };

/** Copies a tree without recursion: it may be deeper than the call stack. */
function treeOf(root: Slot): TreeNode {
  const top = copyOf(root, null);
  const waiting: { slot: Slot; copy: Growing }[] = [{ slot: root, copy: top }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const child of next.slot.children) {
      const copy = copyOf(child, next.slot.id);
      next.copy.children.push(copy);
      waiting.push({ slot: child, copy });
    }
  }
  return top;
}

/** A node as plain data, with sums that no longer move. */
function copyOf({ node, id }: Slot, parentId: string | null): Growing {
  const place = { id, parent_id: parentId, children: [] };
  if (!("totals" in node)) return { ...node, ...place };
  const { own, with_children: withChildren } = node.totals;
  return { ...node, totals: { own: { ...own }, with_children: { ...withChildren } }, ...place };
}

function sumOf(roots: readonly TreeNode[]): RolledUp {
  const own = emptyTotals();
  const withChildren = emptyTotals();
  for (const root of roots) {
    if (!("totals" in root)) continue;
    addTotals(own, root.totals.own, 1);
    addTotals(withChildren, root.totals.with_children, 1);
  }
  return { own, with_children: withChildren };
}
