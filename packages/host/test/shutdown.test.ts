import type { FlushReport } from "@hermes-observer/core";
import { expect, test, vi } from "vitest";

import { closeWithin } from "../src/index.ts";

const report: FlushReport = { isComplete: true, pending: 0, plugins: {} };

test("the report of closing is handed on, and the time with the call", async () => {
  const times: number[] = [];

  const result = await closeWithin(
    {
      close: async (timeoutMs) => {
        times.push(timeoutMs);
        return report;
      },
    },
    500,
  );

  expect(result).toBe(report);
  expect(times).toEqual([500]);
});

test("a close that fails or throws gives no report and no exception", async () => {
  const rejects = { close: () => Promise.reject(new Error("disk")) };
  const throws = {
    close: (): Promise<FlushReport> => {
      throw new Error("disk");
    },
  };

  expect(await closeWithin(rejects, 500)).toBeUndefined();
  expect(await closeWithin(throws, 500)).toBeUndefined();
});

test("a close that never comes back is left behind after its time", async () => {
  vi.useFakeTimers();
  try {
    const closed = closeWithin({ close: () => new Promise(() => {}) }, 500);
    await vi.advanceTimersByTimeAsync(600);

    expect(await closed).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});
