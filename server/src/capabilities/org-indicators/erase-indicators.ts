import type { JobContext } from '#platform/jobs.ts';
import { appendChanges } from '#platform/replica/change-log.ts';
import { ENTRIES, ORGANIZATIONS, STATES } from './dataset.ts';
import { eraseIndicatorRows, eraseRows, eraseState } from './erase-store.ts';

const ROWS_AT_ONCE = 5_000;

/**
 * Deletes the indicators of an organization, in small transactions, and from every replica with them. A run that is stopped
 * anywhere goes on where it was. Returns the rows deleted.
 */
export async function eraseIndicators(
  { transaction, signal }: Pick<JobContext, 'transaction' | 'signal'>,
  accountId: string,
): Promise<number> {
  let erased = 0;
  const repeat = async (work: Parameters<typeof transaction<number>>[0]): Promise<void> => {
    let rows = ROWS_AT_ONCE;
    while (rows === ROWS_AT_ONCE) {
      signal.throwIfAborted();
      rows = await transaction(work);
      erased += rows;
    }
  };
  for (const table of ['org_indicator_object', 'org_indicator_period', 'org_indicator_revision'] as const)
    await repeat((tx) => eraseRows(tx, table, accountId, ROWS_AT_ONCE));
  await repeat(async (tx) => {
    const keys = await eraseIndicatorRows(tx, accountId, ROWS_AT_ONCE);
    await appendChanges(tx, ORGANIZATIONS, ENTRIES, keys);
    return keys.length;
  });
  await repeat(async (tx) => {
    const rows = await eraseState(tx, accountId);
    if (rows > 0) await appendChanges(tx, ORGANIZATIONS, STATES, [Buffer.from(accountId)]);
    return rows;
  });
  return erased;
}
