import { type Actor, changePlan, listKeysOf, recordAudit, revokeKey } from '#capabilities/access/index.ts';
import { newId } from '#platform/ids.ts';
import type { Db } from '#platform/postgres.ts';
import { endInstantTier } from './end-instant-tier.ts';
import type { PeopleDeps } from './people-deps.ts';
import { keepPassword } from './set-password.ts';
import { findPerson, findRegistration, insertUser, lockMailbox, takeRegistration } from './store.ts';
import { tokenHash } from './tokens.ts';
import { withinTransaction } from './within-transaction.ts';

const KEYS_MAX = 100;

/** Makes the user of a registration, or gives one that an operator made its first password. */
export async function completeRegistration(
  deps: PeopleDeps,
  token: string,
  actor: Actor,
): Promise<string | null> {
  const nowMs = deps.clock.now();
  return deps.system.transaction(async (tx) => {
    const hash = tokenHash(token);
    const waiting = await findRegistration(tx, hash, nowMs);
    if (waiting === undefined) return null;
    await lockMailbox(tx, waiting.email);
    const taken = await takeRegistration(tx, hash, nowMs);
    if (taken === undefined) return null;
    const { email, phc } = taken;
    const id = newId('usr', nowMs);
    const isNew = await insertUser(tx, { id, email, isClaimed: true }, nowMs);
    const known = isNew ? undefined : await findPerson(tx, email);
    // Another registration of this address was completed meanwhile.
    if (!isNew && known?.phc !== null) return null;
    const userId = known?.userId ?? id;
    if (isNew)
      await recordAudit(tx, {
        accountId: userId,
        actor,
        action: 'user.register',
        target: userId,
        before: null,
        after: { email },
        nowMs,
      });
    if (isNew) await changePlan(tx, actor, userId, { plan: deps.defaultPlan }, nowMs);
    await keepPassword(tx, { userId, phc, actor, nowMs });
    if (known?.isUnclaimed === true) await endInstantKeys(deps, tx, userId, actor);
    return userId;
  });
}

/** Ends the instant keys of this address, because the person who asked for them had not proven that it is theirs. */
async function endInstantKeys(deps: PeopleDeps, tx: Db, userId: string, actor: Actor): Promise<void> {
  await endInstantTier(deps, tx, userId, actor);
  const manage = { ...deps, postgres: withinTransaction(deps.system, tx) };
  const keys = await listKeysOf(manage, userId, KEYS_MAX);
  // Keys made in sessions of a key are revoked with it.
  for (const key of keys.filter(({ parentId }) => parentId === null))
    await revokeKey(manage, actor, { accountId: userId, userId: null }, key.id);
}
