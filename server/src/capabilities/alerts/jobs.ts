import { z } from 'zod';
import { SEVERITIES } from '#domain/alerts/index.ts';
import type { ReaderSpec } from '#platform/events.ts';
import { type Cron, type Job, type JobContext, job } from '#platform/jobs.ts';
import { HOUR_MS } from '#platform/time-units.ts';
import { type FindingDeps, findingReader, resolveEnded } from './follow-findings.ts';
import { pendingAccounts, selectOwners, takePending } from './letter-store.ts';
import { writeTo } from './mail-alerts.ts';

const LETTER = 'alerts.hourly-letter';
const ENDED = 'alerts.resolve-ended';
const TIMEOUT_MS = 600_000;
const ACCOUNTS_AT_ONCE = 100;
const PARTS_MAX = 10_000;

export const alertsWorkerPart = (
  deps: FindingDeps,
): {
  readonly jobs: readonly Job[];
  readonly crons: readonly Cron[];
  readonly readers: readonly ReaderSpec[];
} => ({
  jobs: [
    job({
      name: LETTER,
      schema: z.object({}),
      timeoutMs: TIMEOUT_MS,
      run: (context) => sendHourlyLetters(deps, context),
    }),
    job({
      name: ENDED,
      schema: z.object({}),
      timeoutMs: TIMEOUT_MS,
      run: async ({ transaction, signal, log }) => {
        let rows = 0;
        for (let part = 0; part < PARTS_MAX && !signal.aborted; part += 1) {
          const resolved = await transaction((tx) => resolveEnded(tx, deps));
          rows += resolved;
          if (resolved === 0) break;
        }
        if (rows > 0) log.info({ rows }, 'alerts.resolved-ended');
      },
    }),
  ],
  crons: [
    { job: LETTER, pattern: '0 * * * *', catchUpMs: HOUR_MS, maxAttempts: 3 },
    { job: ENDED, pattern: '29 * * * *', maxAttempts: 1 },
  ],
  readers: [findingReader(deps)],
});

/** Sends each account with waiting alerts one letter, which leaves out alerts resolved since. */
export async function sendHourlyLetters(
  { mail }: FindingDeps,
  { transaction, signal, log }: Pick<JobContext, 'transaction' | 'signal' | 'log'>,
): Promise<void> {
  let after = '';
  let accounts = 0;
  for (;;) {
    signal.throwIfAborted();
    const part = await transaction((tx) => pendingAccounts(tx, after, ACCOUNTS_AT_ONCE));
    for (const accountId of part)
      await transaction(async (tx) => {
        const pending = await takePending(tx, accountId);
        const alerts = pending.flatMap(({ id, severity, title, isResolved }) =>
          isResolved ? [] : [{ id, title, severity: SEVERITIES[severity] ?? 'info' }],
        );
        for (const owner of await selectOwners(tx, [accountId])) await writeTo(tx, mail, owner, alerts);
      });
    accounts += part.length;
    const last = part.at(-1);
    if (last === undefined || part.length < ACCOUNTS_AT_ONCE) break;
    after = last;
  }
  if (accounts > 0) log.info({ accounts }, 'alerts.letters-written');
}
