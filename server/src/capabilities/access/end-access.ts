import type { Db } from '#platform/postgres.ts';
import { appendChanges, appendChangesFrom } from '#platform/replica/change-log.ts';
import { type Actor, recordAudit } from './audit.ts';
import {
  deleteSessionsOfAccount,
  deleteSessionsOfMember,
  licencesOfAccount,
  revokeKeysOfMember,
} from './ended-access-store.ts';
import { accessDataset } from './key-records.ts';
import { keysOfAccount, lockAccountKeys } from './store.ts';

/**
 * Part of a transaction of the system role: the keys that a user holds in an account are revoked and their sessions in it end. A
 * member who comes back starts without them. Returns the apiKeys for `logKeys`.
 */
export async function endMemberAccess(
  tx: Db,
  { accountId, userId }: { readonly accountId: string; readonly userId: string },
  actor: Actor,
  nowMs: number,
): Promise<readonly string[]> {
  // Without the lock a key made at the same time would survive.
  await lockAccountKeys(tx, accountId);
  const keys = await revokeKeysOfMember(tx, accountId, userId, nowMs);
  const sessions = await deleteSessionsOfMember(tx, accountId, userId);
  const ended = [
    ...keys.map(({ id }) => ({ id, action: 'key.revoke' })),
    ...sessions.map(({ id }) => ({ id, action: 'session.end' })),
  ];
  for (const { id, action } of ended)
    await recordAudit(tx, { accountId, actor, action, target: id, before: { id }, after: null, nowMs });
  return keys.map(({ apiKey }) => apiKey);
}

/** Ends every session of an account; returns their number. */
export const endAccountSessions = (tx: Db, accountId: string): Promise<number> =>
  deleteSessionsOfAccount(tx, accountId);

/** Tells every node that these keys changed. The last step of a transaction (foundation rule 1). */
export const logKeys = (tx: Db, apiKeys: readonly string[]): Promise<number> =>
  appendChanges(
    tx,
    accessDataset.name,
    'key',
    apiKeys.map((apiKey) => Buffer.from(apiKey)),
  );

/** Tells every node that the records of an account changed: its keys and licences. The last step of a transaction. */
export async function logAccount(tx: Db, accountId: string): Promise<void> {
  await appendChangesFrom(tx, accessDataset.name, 'key', keysOfAccount(accountId));
  await appendChangesFrom(tx, accessDataset.name, 'licence', licencesOfAccount(accountId));
}
