import {
  type Actor,
  createKey,
  listKeysOf,
  type RevealedKey,
  revokeKey,
  rotateKey,
} from '#capabilities/access/index.ts';
import { endInstantTier } from './end-instant-tier.ts';
import type { PeopleDeps } from './people-deps.ts';
import { keepPassword } from './set-password.ts';
import { takeToken } from './store.ts';
import { tokenHash } from './tokens.ts';
import { withinTransaction } from './within-transaction.ts';

const KEYS_MAX = 100;

/**
 * The owner of the mailbox takes over the account of an instant key: a password, the plan of people who register, and a new
 * secret. The old secret, keys made with it and its sessions end at once, because another person may have asked for them.
 */
export async function claimAccount(
  deps: PeopleDeps,
  token: string,
  phc: string,
  actor: Actor,
): Promise<{ readonly userId: string; readonly key: RevealedKey } | null> {
  const nowMs = deps.clock.now();
  return deps.system.transaction(async (tx) => {
    const taken = await takeToken(tx, tokenHash(token), 'claim', nowMs);
    if (taken === undefined) return null;
    const { userId } = taken;
    await keepPassword(tx, { userId, phc, actor, nowMs });
    await endInstantTier(deps, tx, userId, actor);
    const manage = { ...deps, postgres: withinTransaction(deps.system, tx) };
    const scope = { accountId: userId, userId: null };
    const keys = await listKeysOf(manage, userId, KEYS_MAX);
    // The instant key is the oldest key without a parent (the list is newest first); others were made in its sessions.
    const instant = keys.findLast(({ parentId }) => parentId === null);
    if (instant === undefined) return { userId, key: await createKey(manage, actor, newKeyOf(userId)) };
    for (const child of keys.filter(({ parentId }) => parentId === instant.id))
      await revokeKey(manage, actor, scope, child.id);
    return { userId, key: await rotateKey(manage, actor, scope, instant.id, 0) };
  });
}

const newKeyOf = (userId: string) => ({ accountId: userId, userId, label: 'claimed key', allowedCidrs: [] });
