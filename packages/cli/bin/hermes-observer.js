#!/usr/bin/env node
import { existsSync } from "node:fs";
import * as nodeModule from "node:module";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `hermes-observer needs Node.js 22.18 or newer and was started with ${process.versions.node}.\n` +
      "Inside the repository, `npm ci` brings a fitting Node: start it as `npx hermes-observer …`.\n",
  );
  process.exit(1);
}

const source = new URL("../src/main.ts", import.meta.url);
if (existsSync(source)) {
  // In the repository the sources run as they are: this condition maps each of our packages to its TypeScript.
  nodeModule.registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, {
        ...context,
        conditions: ["@hermes-observer/source", ...context.conditions],
      }),
  });
  await import(source.href);
} else {
  await import("../dist/main.js");
}
