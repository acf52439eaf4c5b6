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
      include: ["packages/*/src/**/*.ts"],
      reporter: ["text-summary", "json-summary"],
    },
  },
});
