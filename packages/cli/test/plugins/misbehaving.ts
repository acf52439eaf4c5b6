import type { PluginContext } from "@hermes-observer/core";
import { misbehaving } from "@hermes-observer/core/testing";
import type { Misbehaviour } from "@hermes-observer/core/testing";

const kind = process.env["HERMES_OBSERVER_TEST_MISBEHAVIOUR"];

// Outside of any hook, where no dispatcher can catch it.
if (kind === "throws") {
  setTimeout(() => {
    throw new Error("a plugin's timer throws");
  }, 5);
}
setInterval(() => {}, 1000);

// The test sets one of the kinds.
const plugin = misbehaving(kind as Misbehaviour);
export const { name } = plugin;
export function register(ctx: PluginContext): void {
  plugin.register(ctx);
}
