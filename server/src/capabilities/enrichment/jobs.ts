import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import { type Cron, type Job, job } from '#platform/jobs.ts';
import type { Outbound } from '#platform/outbound.ts';
import type { Postgres } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { REFERENCE_KINDS, type ReferenceKind } from './compile-reference.ts';
import { fetchReference } from './fetch-references.ts';

export type ReferenceWorkerDeps = {
  readonly clock: Clock;
  readonly system: Pick<Postgres, 'db'>;
  readonly outbound: Outbound;
  /** The configured URLs; a kind without a URL is loaded by hand. */
  readonly urls: Readonly<Record<ReferenceKind, readonly string[]>>;
};

const FETCH = 'reference.fetch';
/** Enough for two downloads of 512 MB from a slow publisher and for reading them. */
const TIMEOUT_MS = 1_800_000;

/** Once a day, because publishers update such files daily to monthly. Without URLs no job is scheduled. */
export function referenceWorkerPart(deps: ReferenceWorkerDeps): {
  readonly jobs: readonly Job[];
  readonly crons: readonly Cron[];
} {
  const kinds = REFERENCE_KINDS.filter((kind) => deps.urls[kind].length > 0);
  if (kinds.length === 0) return { jobs: [], crons: [] };
  return {
    jobs: [
      job({
        name: FETCH,
        schema: z.object({}),
        timeoutMs: TIMEOUT_MS,
        run: async ({ log, transaction, signal }) => {
          const { clock, outbound, system } = deps;
          const given = { clock, outbound, log, transaction, db: system.db };
          for (const kind of kinds) {
            const outcome = await fetchReference(given, kind, deps.urls[kind], signal);
            if (outcome.outcome === 'failed') log.warn(outcome, 'reference.fetch.failed');
            else log.info(outcome, 'reference.fetched');
          }
        },
      }),
    ],
    crons: [{ job: FETCH, pattern: '17 4 * * *', catchUpMs: DAY_MS, maxAttempts: 3 }],
  };
}
