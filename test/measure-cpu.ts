import { isMainThread } from 'node:worker_threads';
import { afterAll } from 'vitest';
import { readProcesses, treeSeconds } from './cpu-seconds.ts';
import type { FileCostMeta } from './file-cost.ts';

const kept = globalThis as { cpuSecondsBefore?: number };

/** A worker thread counts its own CPU only: other files run in its process, and it starts no child processes. */
function usedSeconds(): number {
  if (isMainThread) return treeSeconds(process.pid, readProcesses());
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000_000;
}

// Hooks run in reverse order of registration. This one is first, so it runs after those that stop services.
/* oxlint-disable no-empty-pattern */
// biome-ignore lint/correctness/noEmptyPattern: the runner accepts only a destructured first argument.
afterAll(({}, suite) => {
  const now = usedSeconds();
  const before = kept.cpuSecondsBefore ?? 0;
  kept.cpuSecondsBefore = now;
  const meta: FileCostMeta = suite.meta;
  meta.cpuSeconds = now - before;
});
