import { contenders, payload } from "./dispatch-contenders.ts";

const [mode, contender = "0", observers = "1"] = process.argv.slice(2);
const fire = contenders[Number(contender)]?.make(Number(observers));
if (fire === undefined) throw new Error(`no contender ${contender}`);

process.stdout.write(JSON.stringify(mode === "cold" ? coldTimes(fire) : bytes(fire)));

function coldTimes(call: () => void): { first: number; hundred: number } {
  const start = process.hrtime.bigint();
  call();
  const first = Number(process.hrtime.bigint() - start) / 1000;
  for (let index = 0; index < 99; index += 1) call();
  return { first, hundred: Number(process.hrtime.bigint() - start) / 1000 / 100 };
}

/** Heap growth per call with collection out of the way: the young generation is larger than what is allocated. */
function bytes(call: () => void): { event: number; base: number } {
  let count = 0;
  const kept = { last: undefined as unknown };
  const base = (): void => {
    const event = payload() as { telemetry_schema_version?: string };
    event.telemetry_schema_version = "hermes.observer.v1";
    const envelope = {
      id: `abcdefghijkl:${(count += 1)}`,
      at: Date.now() / 1000,
      hook: "post_tool_call",
    };
    kept.last = [Object.freeze(event), Object.freeze(envelope)].length;
  };
  for (let index = 0; index < 20_000; index += 1) {
    call();
    base();
  }
  return { event: growth(call), base: growth(base) };
}

function growth(call: () => void): number {
  const calls = 100_000;
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < calls; index += 1) call();
  return (process.memoryUsage().heapUsed - before) / calls;
}
