import { endMemberAccess, logAccount, logKeys } from '#capabilities/access/index.ts';
import { isLastOwner, isManager, type MemberRole, refusalOf } from '#domain/organizations/index.ts';
import { badRequest, forbidden, notFound, ServiceError } from '#platform/errors.ts';
import type { Db } from '#platform/postgres.ts';
import { type Acting, lockAs, lockFor, note, type OrganizationsDeps, type Standing } from './acting.ts';
import { namedIn } from './invitation-limits.ts';
import { deleteInvitationsBy } from './invitation-store.ts';
import { countMembers, deleteMember, type MemberRow, selectMember, updateRole } from './store.ts';

/** API keys that a change ended. `logKeys` tells every node of them, as the last step of the transaction. */
type EndedKeys = readonly string[];

export async function setRole(
  deps: OrganizationsDeps,
  by: Acting,
  userId: string,
  role: MemberRole,
): Promise<MemberRow> {
  const nowMs = deps.clock.now();
  return deps.system.transaction(async (tx) => {
    const standing = await lockFor(tx, by);
    const member = await memberOf(tx, by.accountId, userId);
    if (member.role === role) return member;
    await refuseChange(tx, by, standing, member, role);
    await putRole(deps, tx, by, standing, member, role, nowMs);
    // Nodes cache the role with the member's keys, so they have to read the account again.
    await logAccount(tx, by.accountId);
    return { ...member, role };
  });
}

export async function removeMember(deps: OrganizationsDeps, by: Acting, userId: string): Promise<void> {
  const nowMs = deps.clock.now();
  await deps.system.transaction(async (tx) => {
    const standing = await lockFor(tx, by);
    const member = await memberOf(tx, by.accountId, userId);
    await refuseChange(tx, by, standing, member, null);
    const ended = await dismiss(tx, by, member, nowMs);
    if (userId !== by.userId)
      await deps.letters.enqueueLetter(tx, {
        to: member.email,
        kind: 'membership-ended',
        facts: {
          ...(await namedIn(tx, standing.organization, nowMs)),
          when: new Date(nowMs).toISOString(),
        },
        accountId: by.accountId,
      });
    await logKeys(tx, ended);
  });
}

export async function leaveOrganization(
  deps: OrganizationsDeps,
  by: Acting & { readonly userId: string },
): Promise<void> {
  const nowMs = deps.clock.now();
  await deps.system.transaction(async (tx) => {
    await lockFor(tx, by);
    const member = await memberOf(tx, by.accountId, by.userId);
    const { owners } = await countMembers(tx, by.accountId);
    if (isLastOwner(member.role, null, owners)) throw lastOwner();
    await logKeys(tx, await dismiss(tx, by, member, nowMs));
  });
}

/** The caller hands the organization over and stays as an administrator. */
export async function transferOrganization(
  deps: OrganizationsDeps,
  by: Acting & { readonly userId: string },
  userId: string,
): Promise<void> {
  const nowMs = deps.clock.now();
  await deps.system.transaction(async (tx) => {
    const standing = await lockAs(tx, by, ['OWNER']);
    if (userId === by.userId) throw badRequest('You own this organization already. Name another member.');
    const [own, heir] = [
      await memberOf(tx, by.accountId, by.userId),
      await memberOf(tx, by.accountId, userId),
    ];
    await putRole(deps, tx, by, standing, heir, 'OWNER', nowMs);
    await putRole(deps, tx, by, standing, own, 'ADMIN', nowMs);
    const states = { before: { owner: by.userId }, after: { owner: userId } };
    await note(tx, by, 'organization.transfer', userId, states, nowMs);
    await logAccount(tx, by.accountId);
  });
}

/** Part of a transaction that holds the organization: the membership ends with its keys, sessions and invitations. */
export async function dismiss(
  tx: Db,
  by: Acting,
  { userId, role }: Pick<MemberRow, 'userId' | 'role'>,
  nowMs: number,
): Promise<EndedKeys> {
  const { accountId, actor } = by;
  await deleteMember(tx, accountId, userId);
  await deleteInvitationsBy(tx, accountId, userId);
  await note(tx, by, 'membership.remove', userId, { before: role, after: null }, nowMs, { role });
  return endMemberAccess(tx, { accountId, userId }, actor, nowMs);
}

async function putRole(
  { letters }: OrganizationsDeps,
  tx: Db,
  by: Acting,
  { organization }: Standing,
  { userId, email, role: before }: MemberRow,
  role: MemberRole,
  nowMs: number,
): Promise<void> {
  const { accountId } = by;
  await updateRole(tx, accountId, userId, role);
  // Open invitations of a member who may no longer invite must not let anyone in.
  if (!isManager(role)) await deleteInvitationsBy(tx, accountId, userId);
  await note(tx, by, 'membership.put', userId, { before, after: role }, nowMs, { role, before });
  if (userId === by.userId) return;
  const facts = {
    ...(await namedIn(tx, organization, nowMs)),
    role,
    when: new Date(nowMs).toISOString(),
  };
  await letters.enqueueLetter(tx, { to: email, kind: 'role-changed', facts, accountId });
}

async function memberOf(tx: Db, accountId: string, userId: string): Promise<MemberRow> {
  const member = await selectMember(tx, accountId, userId);
  if (member === undefined) throw notFound('Member', userId);
  return member;
}

async function refuseChange(
  tx: Db,
  { accountId }: Acting,
  { role }: Standing,
  member: MemberRow,
  to: MemberRole | null,
): Promise<void> {
  const { owners } = await countMembers(tx, accountId);
  const refusal = refusalOf({ by: role, from: member.role, to, owners });
  if (refusal === 'no-manager')
    throw forbidden(
      `This needs the role OWNER or ADMIN; yours is ${role}. Ask an owner of the organization.`,
    );
  if (refusal === 'owner') throw forbidden('Only an owner makes, changes or removes owners.');
  if (refusal === 'last-owner') throw lastOwner();
}

const lastOwner = (): ServiceError =>
  new ServiceError(
    'Conflict',
    'An organization keeps at least one owner. Make another member an owner first, or delete the organization.',
  );
