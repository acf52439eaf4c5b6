import { defineConfig } from "vitest/config";

const conditions = ["@hermes-observer/source", "import", "module", "node", "default"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: [
      "packages/*/test/**/*.test.ts",
      "packages/adapters/*/test/**/*.test.ts",
      "test/**/*.test.ts",
    ],
    reporters: ["default", "./test/closing-line-reporter.ts"],
    testTimeout: 30_000,
    coverage: {
      provider: "v8",
      // The command line is tested as users run it, in processes of its own, which are not counted.
      include: ["packages/*/src/**/*.ts"],
      exclude: ["packages/cli/**"],
      thresholds: {
        "packages/core/src/**": { lines: 100, branches: 99 },
        "packages/trajectory/src/**": { lines: 90, branches: 90 },
        "packages/agent/src/**": { lines: 90, branches: 90 },
        "packages/host/src/**": { lines: 90, branches: 90 },
        "packages/journal/src/**": { lines: 90, branches: 82 },
      },
      reporter: ["text-summary", "json-summary"],
    },
  },
});
