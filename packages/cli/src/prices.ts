import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createDemo } from "@hermes-observer/agent";
import { observerHome } from "@hermes-observer/host";
import { parsePriceTable } from "@hermes-observer/trajectory";
import type { PriceTable } from "@hermes-observer/trajectory";
import { CliError } from "./cli-error.ts";
import type { Arguments, CommandContext } from "./command.ts";
import { exitCodes } from "./exit-code.ts";

/**
 * The price table of `--prices`, else `prices.json` in the observer's home, else only the demo's. The demo's made-up
 * model keeps its price beside any table. @throws CliError for a file that is missing or no price table
 */
export function priceTable(args: Arguments, context: CommandContext): PriceTable {
  const demo = createDemo({ scratchDir: "" }).prices;
  const home = join(observerHome(context.env), "prices.json");
  const file = args.text("prices") ?? (existsSync(home) ? home : undefined);
  if (file === undefined) return demo;
  const table = readTable(file);
  const hasDemo = table.prices.some(({ model }) => model === demo.prices[0]?.model);
  if (hasDemo || table.currency !== demo.currency) return table;
  return { ...table, prices: [...table.prices, ...demo.prices] };
}

function readTable(file: string): PriceTable {
  try {
    return parsePriceTable(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(
      `"${file}" is no price table: ${reason}; expected ` +
        '{"currency":"USD","prices":[{"model":"m","input":3,"output":15}]}, prices per million tokens',
      exitCodes.usage,
    );
  }
}
