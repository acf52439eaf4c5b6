import type { Reporter, TestModule } from "vitest/node";

/**
 * Prints `N passed, N failed` as the last line of a run: one line that people and machines read alike.
 *
 * **Contract:** a module that cannot be loaded counts as one failure, so that a broken file never reads as green.
 */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    let passed = 0;
    let failed = unhandledErrors.length;
    for (const module of modules) {
      failed += module.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed += 1;
        if (state === "failed") failed += 1;
      }
    }
    process.once("exit", () => {
      process.stdout.write(`${passed} passed, ${failed} failed\n`);
    });
  }
}
