import { EMPTY_BOOK } from '#capabilities/enrichment/index.ts';
import { createAssessor, createMissCache } from '#capabilities/judging/index.ts';
import type { MailDeps, ScanUsage } from '#capabilities/mail/index.ts';
import { openScanThreads, type ScanLimits, type ScanThreads } from '#capabilities/mail/scan-threads.ts';
import { createAbsentLookup } from '#capabilities/providers/frame/create-lookup.ts';
import type { Clock } from '#platform/clock.ts';
import { createLog, type Log } from '#platform/log.ts';
import { type ListedCorpus, openListedCorpus } from '../listed-corpus.ts';

export const MAIL_NOW_MS = Date.UTC(2026, 7, 22, 12);
/** Generous, because the machine may be busy; tests of the deadline have their own. */
export const PATIENT_SCANS: ScanLimits = {
  slots: 4,
  budget: { cpuMs: 120_000, wallMs: 120_000 },
  startMs: 120_000,
  scansPerThread: 1_000,
  heapMb: 96,
};

export const THREE_SCANS: ScanUsage = {
  used: 3,
  limit: 50,
  startsAtMs: Date.UTC(2026, 10, 1),
  resetsAtMs: Date.UTC(2026, 11, 1),
  isSuspended: false,
};

export type MailRig = ListedCorpus & {
  readonly depsWith: (threads: ScanThreads) => MailDeps;
  /** Threads that are ended with the rig. */
  readonly threadsOf: (limits?: Partial<ScanLimits>, log?: Log) => ScanThreads;
};

/** What the route needs, on a real corpus and replica, with real threads and without a name server. */
export async function openMailRig(): Promise<MailRig> {
  const listed = await openListedCorpus(MAIL_NOW_MS);
  const { corpus } = listed;
  const clock: Clock = { now: listed.clock.now, monotonic: () => performance.now() };
  const assess = createAssessor({
    corpus,
    misses: createMissCache(clock),
    clock,
    enrichment: { book: () => EMPTY_BOOK },
  });
  const opened: ScanThreads[] = [];
  const providers = { dns: createAbsentLookup('dns', 'off') } as MailDeps['providers'];
  return {
    ...listed,
    depsWith: (threads) => ({ assess, corpus, clock, providers, threads, scansOf: async () => THREE_SCANS }),
    threadsOf: (limits = {}, log = createLog('silent')) => {
      const threads = openScanThreads({ ...PATIENT_SCANS, ...limits }, log);
      opened.push(threads);
      return threads;
    },
    close: async () => {
      for (const threads of opened) threads.close();
      await listed.close();
    },
  };
}
