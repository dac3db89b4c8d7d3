import { availableParallelism } from 'node:os';
import type { Log } from '#platform/log.ts';
import { openScanThreads, type ScanLimits, type ScanThreads } from './scan-threads.ts';

const SLOTS_PER_CORE = 2;

/** The limits of one of several listeners of a node: together they have two slots a core. */
export const scanLimits = (processes: number): ScanLimits => ({
  slots: Math.max(1, Math.ceil((SLOTS_PER_CORE * availableParallelism()) / processes)),
  // The backstop by the clock ends a scan before its route's deadline of 60 s, so that the caller learns why.
  budget: { cpuMs: 5_000, wallMs: 45_000 },
  startMs: 30_000,
  scansPerThread: 1_000,
  heapMb: 96,
});

export const openMail = (config: { readonly HTTP_PROCESSES: number }, log: Log): ScanThreads =>
  openScanThreads(scanLimits(config.HTTP_PROCESSES), log);
