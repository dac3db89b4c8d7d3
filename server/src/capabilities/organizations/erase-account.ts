import { recordAudit } from '#capabilities/access/index.ts';
import { eraseIndicators } from '#capabilities/org-indicators/index.ts';
import type { JobContext } from '#platform/jobs.ts';
import { deleteOrganization, detachKeys, emptyPerson, eraseRows } from './erase-store.ts';
import { ERASED } from './erased-tables.ts';

const ROWS_AT_ONCE = 5_000;
const SYSTEM = { kind: 'system', id: 'organizations.erase', ip: '', requestId: '' } as const;

/**
 * Erases everything an account has, in small transactions: a run that is stopped anywhere goes on where it was. Returns the rows
 * deleted. Its keys and licences left the replicas when it was deleted.
 */
export async function eraseAccount(
  { transaction, signal }: Pick<JobContext, 'transaction' | 'signal'>,
  accountId: string,
  nowMs: number,
): Promise<number> {
  let erased = await eraseIndicators({ transaction, signal }, accountId);
  await transaction((tx) => detachKeys(tx, accountId));
  for (const place of ERASED) {
    let rows = ROWS_AT_ONCE;
    while (rows === ROWS_AT_ONCE) {
      signal.throwIfAborted();
      rows = await transaction((tx) => eraseRows(tx, place, accountId, ROWS_AT_ONCE));
      erased += rows;
    }
  }
  await transaction(async (tx) => {
    const isOrganization = accountId.startsWith('org_');
    const isDone = await (isOrganization
      ? deleteOrganization(tx, accountId)
      : emptyPerson(tx, accountId, nowMs));
    if (!isDone) return;
    await recordAudit(tx, {
      accountId,
      actor: SYSTEM,
      action: isOrganization ? 'organization.erase' : 'user.erase',
      target: accountId,
      before: { id: accountId },
      after: null,
      nowMs,
    });
  });
  return erased;
}
