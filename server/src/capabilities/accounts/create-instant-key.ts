import { type Actor, createKey, type RevealedKey, recordAudit, setPlan } from '#capabilities/access/index.ts';
import { newId } from '#platform/ids.ts';
import { sendClaim } from './answer-request.ts';
import type { PeopleDeps } from './people-deps.ts';
import { insertUser } from './store.ts';
import { withinTransaction } from './within-transaction.ts';

/** The tier of an unclaimed key: the FREE plan with fewer checks (contract 8.1 rule 2). */
export const INSTANT_CHECKS_PER_MONTH = 50;

/** A user, a subscription and a key pair for an address that is not proven yet, and the letter that lets its owner claim them. */
export async function createInstantKey(
  deps: PeopleDeps,
  email: string,
  actor: Actor,
): Promise<RevealedKey | null> {
  const nowMs = deps.clock.now();
  return deps.system.transaction(async (tx) => {
    const userId = newId('usr', nowMs);
    if (!(await insertUser(tx, { id: userId, email, isClaimed: false }, nowMs))) return null;
    await recordAudit(tx, {
      accountId: userId,
      actor,
      action: 'user.instant',
      target: userId,
      before: null,
      after: { email },
      nowMs,
    });
    if (deps.letters.canSendLetters) await sendClaim(deps, tx, email, userId);
    const manage = { ...deps, postgres: withinTransaction(deps.system, tx) };
    await setPlan(manage, actor, userId, {
      plan: 'FREE',
      limits: { checksPerMonth: INSTANT_CHECKS_PER_MONTH },
    });
    const wanted = { accountId: userId, userId, label: 'instant key', allowedCidrs: [] };
    return createKey(manage, actor, wanted);
  });
}
