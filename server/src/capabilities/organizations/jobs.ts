import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import { type Cron, type Job, type JobContext, job } from '#platform/jobs.ts';
import { DAY_MS, HOUR_MS } from '#platform/time-units.ts';
import { eraseAccount } from './erase-account.ts';
import { claimOrganizations, claimPeople } from './erase-store.ts';
import { deleteEndedInvitations } from './invitation-store.ts';

const ERASE_JOB = 'organizations.erase';
const FORGET_JOB = 'organizations.forget-invitations';
const ERASE_TIMEOUT_MS = 3 * HOUR_MS;
const FORGET_TIMEOUT_MS = 60_000;
/** The most organizations, and the most people, that one run erases; the rest waits for the next hour. */
const ACCOUNTS_MAX = 100;

export type OrganizationsWorkerDeps = { readonly clock: Clock; readonly deletedKeptMs: number };

export const organizationsWorkerPart = (
  deps: OrganizationsWorkerDeps,
): { readonly jobs: readonly Job[]; readonly crons: readonly Cron[] } => ({
  jobs: [
    job({
      name: ERASE_JOB,
      schema: z.object({}),
      timeoutMs: ERASE_TIMEOUT_MS,
      run: async (context) => {
        const figures = await eraseDeleted(deps, context);
        context.log.info(figures, 'organizations.erased');
      },
    }),
    job({
      name: FORGET_JOB,
      schema: z.object({}),
      timeoutMs: FORGET_TIMEOUT_MS,
      run: async ({ transaction, log }) => {
        const rows = await transaction((tx) => deleteEndedInvitations(tx, deps.clock.now()));
        log.info({ rows }, 'organizations.invitations-forgotten');
      },
    }),
  ],
  crons: [
    { job: ERASE_JOB, pattern: '47 * * * *', catchUpMs: DAY_MS, maxAttempts: 3 },
    { job: FORGET_JOB, pattern: '53 4 * * *', catchUpMs: DAY_MS, maxAttempts: 3 },
  ],
});

/** Erases the organizations and people that were deleted so long ago that they cannot be restored (G59). */
export async function eraseDeleted(
  { clock, deletedKeptMs }: OrganizationsWorkerDeps,
  context: Pick<JobContext, 'transaction' | 'signal'>,
): Promise<{ readonly accounts: number; readonly rows: number }> {
  const nowMs = clock.now();
  const due = await context.transaction(async (tx) => [
    ...(await claimOrganizations(tx, nowMs - deletedKeptMs, nowMs, ACCOUNTS_MAX)),
    ...(await claimPeople(tx, nowMs - deletedKeptMs, nowMs, ACCOUNTS_MAX)),
  ]);
  let rows = 0;
  for (const accountId of due) rows += await eraseAccount(context, accountId, nowMs);
  return { accounts: due.length, rows };
}
