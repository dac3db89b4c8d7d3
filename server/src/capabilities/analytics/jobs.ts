import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import { type Cron, type Job, job } from '#platform/jobs.ts';
import { FRESH_MS, refreshStatistics, type StatisticsDeps } from './refresh-statistics.ts';

const REFRESH = 'analytics.refresh';
const TIMEOUT_MS = 600_000;
/** The tick of a minute is late by some milliseconds; without this slack every other one would be skipped. */
const TICK_SLACK_MS = 30_000;

/**
 * Runs every minute, so that a new deployment has figures within a minute of its first load; recomputes
 * figures older than five minutes.
 */
export const analyticsWorkerPart = (
  deps: { readonly clock: Clock } & Pick<StatisticsDeps, 'onCounted' | 'openCountries'>,
): { readonly jobs: readonly Job[]; readonly crons: readonly Cron[] } => ({
  jobs: [
    job({
      name: REFRESH,
      schema: z.object({}),
      timeoutMs: TIMEOUT_MS,
      run: async (context) => {
        const report = await refreshStatistics(
          { ...deps, transaction: context.transaction },
          { maxAgeMs: FRESH_MS - TICK_SLACK_MS },
        );
        if (report.outcome === 'computed') context.log.info(report, 'analytics.refreshed');
      },
    }),
  ],
  crons: [{ job: REFRESH, pattern: '* * * * *', maxAttempts: 1 }],
});
