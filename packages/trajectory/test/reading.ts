import type { EventRecord } from "@hermes-observer/core";
import { buildTrajectory, nodesOf } from "../src/index.ts";
import type { BuildOptions, NodeKind, Trajectory, TreeNode } from "../src/index.ts";
import { prices } from "./golden.ts";

/** The trajectory of events, priced. */
export function build(events: Iterable<EventRecord>, options: BuildOptions = {}): Trajectory {
  return buildTrajectory(events, { prices, ...options });
}

/** All nodes of a kind, in the order of the tree. */
export function all<Kind extends NodeKind>(
  trajectory: Trajectory,
  kind: Kind,
): (TreeNode & { readonly kind: Kind })[] {
  return [...nodesOf(trajectory)].filter(
    (node): node is TreeNode & { readonly kind: Kind } => node.kind === kind,
  );
}

/** The only node of a kind. */
export function only<Kind extends NodeKind>(
  trajectory: Trajectory,
  kind: Kind,
): TreeNode & { readonly kind: Kind } {
  const found = all(trajectory, kind);
  const [node] = found;
  if (node === undefined || found.length > 1) throw new Error(`${found.length} nodes of ${kind}`);
  return node;
}

/** Codes of a node's deviations. */
export function codes(node: TreeNode | undefined): string[] {
  return node?.deviations.map(({ code }) => code) ?? [];
}

/** Codes of all deviations in a trajectory, sorted. */
export function allCodes(trajectory: Trajectory): string[] {
  return [...nodesOf(trajectory)].flatMap((node) => codes(node)).toSorted();
}
