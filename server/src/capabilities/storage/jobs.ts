import { z } from 'zod';
import { type Cron, type Job, job } from '#platform/jobs.ts';
import { gauge } from '#platform/metrics.ts';
import { selectLargest } from './store.ts';

const LARGEST = 'storage.largest';
const TIMEOUT_MS = 60_000;
/** As many series as the gauge has at most. */
const SHOWN_MAX = 10;

const largestAccounts = gauge({
  name: 'storage_largest_account_bytes',
  help: 'Bytes that each of the ten largest accounts stores; measured every five minutes.',
  labels: ['account'],
});

export const storageWorkerPart = (): { readonly jobs: readonly Job[]; readonly crons: readonly Cron[] } => ({
  jobs: [
    job({
      name: LARGEST,
      schema: z.object({}),
      timeoutMs: TIMEOUT_MS,
      run: async ({ transaction }) => {
        const accounts = await transaction((tx) => selectLargest(tx, SHOWN_MAX));
        largestAccounts.reset();
        for (const { accountId, bytes } of accounts) largestAccounts.set({ account: accountId }, bytes);
      },
    }),
  ],
  crons: [{ job: LARGEST, pattern: '*/5 * * * *', maxAttempts: 1 }],
});
