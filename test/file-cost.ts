import type { TaskMeta } from 'vitest';

/** What `measure-cpu.ts` writes into the meta of a test file and `budget-reporter.ts` reads from it. */
export type FileCostMeta = TaskMeta & {
  /** CPU seconds of the file: its worker and every process that it started. */
  cpuSeconds?: number;
};
