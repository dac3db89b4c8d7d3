import {
  type Actor,
  endPersonSessions,
  logAccount,
  logKeys,
  recordAudit,
} from '#capabilities/access/index.ts';
import { isLastOwner, type MemberRole } from '#domain/organizations/index.ts';
import { notFound, ServiceError } from '#platform/errors.ts';
import type { Db } from '#platform/postgres.ts';
import type { ActingPerson, OrganizationsDeps } from './acting.ts';
import { dismiss } from './change-members.ts';
import type { Deleted } from './delete-organization.ts';
import {
  countMembers,
  deleteLinksOf,
  isAddressTaken,
  lockDeletedPerson,
  lockOrganization,
  lockPerson,
  markPersonDeleted,
  selectMembershipsOf,
  unmarkPersonDeleted,
} from './store.ts';

/**
 * The person leaves every organization, their keys and sessions end now, and their address is free. The rest stays until it is erased.
 */
export async function deletePerson(
  deps: OrganizationsDeps,
  { userId, actor }: ActingPerson,
): Promise<Deleted> {
  const nowMs = deps.clock.now();
  const restorableUntilMs = nowMs + deps.deletedKeptMs;
  return deps.system.transaction(async (tx) => {
    const person = await lockPerson(tx, userId);
    if (person === undefined) throw notFound('User', userId);
    const memberships = await lockMemberships(tx, userId);
    const ended: string[] = [];
    for (const { accountId, role } of memberships)
      ended.push(...(await dismiss(tx, { accountId, userId, actor }, { userId, role }, nowMs)));
    await deleteLinksOf(tx, userId);
    await endPersonSessions(tx, userId, actor, nowMs);
    await deps.letters.enqueueLetter(tx, {
      to: person.email,
      kind: 'deletion-planned',
      facts: { what: 'Your account', until: new Date(restorableUntilMs).toISOString() },
      accountId: userId,
    });
    await notePerson(tx, userId, actor, 'user.delete', nowMs);
    await markPersonDeleted(tx, userId, nowMs);
    await logKeys(tx, ended);
    await logAccount(tx, userId);
    return { deletedAtMs: nowMs, restorableUntilMs };
  });
}

type Membership = { readonly accountId: string; readonly role: MemberRole };

/** Locks the organizations of a person, who must be the last owner of none. */
async function lockMemberships(tx: Db, userId: string): Promise<readonly Membership[]> {
  const memberships = await selectMembershipsOf(tx, userId);
  const owned: string[] = [];
  for (const { accountId, role } of memberships) {
    const organization = await lockOrganization(tx, accountId);
    const { owners } = await countMembers(tx, accountId);
    // A deleted organization is on its way out, with or without an owner.
    if (organization?.deletedAt === null && isLastOwner(role, null, owners)) owned.push(accountId);
  }
  if (owned.length > 0)
    throw new ServiceError(
      'Conflict',
      `You are the only owner of ${owned.slice(0, OWNED_SHOWN_MAX).join(', ')}. Hand each organization over or delete it first.`,
    );
  return memberships;
}

const OWNED_SHOWN_MAX = 10;

/** For operators: the person who was deleted last with this address. Memberships do not come back. */
export async function restorePerson(
  deps: OrganizationsDeps,
  { email, actor }: { readonly email: string; readonly actor: Actor },
): Promise<string> {
  const nowMs = deps.clock.now();
  return deps.system.transaction(async (tx) => {
    const found = await lockDeletedPerson(tx, email);
    if (found === undefined || found.deletedAt.getTime() + deps.deletedKeptMs <= nowMs)
      throw notFound('Deleted user', email);
    if (await isAddressTaken(tx, email))
      throw new ServiceError('Conflict', `'${email}' has registered again. Delete that user first.`);
    await unmarkPersonDeleted(tx, found.userId);
    await notePerson(tx, found.userId, actor, 'user.restore', nowMs);
    await logAccount(tx, found.userId);
    return found.userId;
  });
}

const notePerson = (
  tx: Db,
  userId: string,
  actor: Actor,
  action: 'user.delete' | 'user.restore',
  nowMs: number,
): Promise<void> =>
  recordAudit(tx, {
    accountId: userId,
    actor,
    action,
    target: userId,
    before: action === 'user.delete' ? { userId } : null,
    after: action === 'user.delete' ? null : { userId },
    nowMs,
  });
