import { z } from 'zod';
import { RULES_MARK } from '#domain/ransomware/index.ts';
import { type Cron, type Job, job } from '#platform/jobs.ts';
import { inferBatch } from './load/infer-missing.ts';
import { hasOtherMarks } from './load/infer-store.ts';
import { lockLoads } from './load/load-store.ts';

const TIMEOUT_MS = 600_000;
const INFER_JOB = 'ransomware.infer';

/** Infers sector and country again after an update changed the rules; loads infer what they write themselves. */
export const ransomwareWorkerPart = (): {
  readonly jobs: readonly Job[];
  readonly crons: readonly Cron[];
} => ({
  jobs: [
    job({
      name: INFER_JOB,
      schema: z.object({}),
      timeoutMs: TIMEOUT_MS,
      run: async (context) => {
        if (!(await context.transaction((tx) => hasOtherMarks(tx, RULES_MARK)))) return;
        for (let after: string | null = ''; after !== null; ) {
          context.signal.throwIfAborted();
          const from: string = after;
          after = await context.transaction(async (tx) => {
            await lockLoads(tx);
            return inferBatch(tx, from);
          });
        }
      },
    }),
  ],
  crons: [{ job: INFER_JOB, pattern: '*/5 * * * *', maxAttempts: 1 }],
});
