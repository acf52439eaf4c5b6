import {
  allocated,
  cold,
  manySites,
  unobserved,
  warm,
} from "../packages/core/bench/dispatch.bench.ts";
import { goalRow } from "./row.ts";
import type { Row } from "./row.ts";

/** Dispatch at 0, 1, 3 and 10 observers, beside what else a host could use. */
export async function dispatchRows(): Promise<Row[]> {
  return [...(await unobservedRows()), ...[1, 3, 10].flatMap(warmRows), ...otherRows()];
}

async function unobservedRows(): Promise<Row[]> {
  const { empty, guarded } = await unobserved();
  return [
    { name: "empty call", value: empty, unit: "ns" },
    { name: "guarded call, nobody observes", value: guarded, unit: "ns" },
    goalRow("guarded over empty", guarded - empty, "ns", 1),
  ];
}

function warmRows(observers: number): Row[] {
  const rows = warm(observers);
  const ours = rows[0]?.ns ?? Number.NaN;
  return rows.flatMap(({ name, ns }, index): Row[] => {
    const label = `${name}, ${observers} observer${observers === 1 ? "" : "s"}`;
    const row: Row = { name: label, value: ns, unit: "ns per event" };
    const isSameEvent = index === 1;
    if (!isSameEvent || observers > 3) return [row];
    return [row, goalRow(`hermes-observer ÷ ${label}`, ours / ns, "×", 1)];
  });
}

function otherRows(): Row[] {
  const bytes = allocated(3);
  return [
    { name: "20 call sites, 1 observer", value: manySites(1), unit: "ns per event" },
    { name: "20 call sites, 3 observers", value: manySites(3), unit: "ns per event" },
    {
      name: "payload and envelope alone",
      value: bytes.payloadAndEnvelope,
      unit: "bytes per event",
    },
    { name: "event with 3 observers", value: bytes.event, unit: "bytes per event" },
    goalRow(
      "allocated besides payload and envelope",
      bytes.event - bytes.payloadAndEnvelope,
      "bytes per event",
      0,
    ),
    ...cold(1).flatMap(({ name, firstUs, hundredUs }): Row[] => [
      { name: `${name}: first event of a process`, value: firstUs, unit: "µs" },
      { name: `${name}: mean of the first hundred`, value: hundredUs, unit: "µs" },
    ]),
  ];
}
