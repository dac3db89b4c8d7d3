import { type Actor, endMemberAccess } from '#capabilities/access/index.ts';
import type { Db } from '#platform/postgres.ts';
import { note } from './acting.ts';
import { MEMBERS_MAX } from './invite-member.ts';
import { countMembers, insertMember, keepExternalId } from './store.ts';

/**
 * Part of a transaction that holds the person and the organization: a person whom the organization's identity provider vouches for
 * becomes a member. Returns the apiKeys for `logKeys`, or null where the organization is full.
 */
export async function admitMember(
  tx: Db,
  {
    accountId,
    userId,
    externalId,
    actor,
  }: {
    readonly accountId: string;
    readonly userId: string;
    readonly externalId: string;
    readonly actor: Actor;
  },
  nowMs: number,
): Promise<readonly string[] | null> {
  if ((await countMembers(tx, accountId)).members >= MEMBERS_MAX) return null;
  // A key or session that was being made while this person left the organization earlier must not come back to life.
  const ended = await endMemberAccess(tx, { accountId, userId }, actor, nowMs);
  const role = 'MEMBER';
  await insertMember(tx, { accountId, userId, role, origin: 'sso' }, nowMs);
  await keepExternalId(tx, accountId, userId, externalId);
  const by = { accountId, userId, actor };
  await note(tx, by, 'membership.put', userId, { before: null, after: role }, nowMs, { role, origin: 'sso' });
  return ended;
}
