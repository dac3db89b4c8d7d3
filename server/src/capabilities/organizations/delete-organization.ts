import { endAccountSessions, logAccount } from '#capabilities/access/index.ts';
import { notFound, ServiceError } from '#platform/errors.ts';
import { type Acting, lockAs, note, type OrganizationsDeps } from './acting.ts';
import { lockOrganization, markOrganization, selectMember, selectOwners } from './store.ts';

const OWNERS_TOLD_MAX = 100;

export type Deleted = { readonly deletedAtMs: number; readonly restorableUntilMs: number };

/** The keys and sessions of the organization end now; everything else stays until it is erased. */
export async function deleteOrganization(deps: OrganizationsDeps, by: Acting): Promise<Deleted> {
  const nowMs = deps.clock.now();
  const restorableUntilMs = nowMs + deps.deletedKeptMs;
  return deps.system.transaction(async (tx) => {
    const { organization } = await lockAs(tx, by, ['OWNER']);
    const { accountId } = by;
    await markOrganization(tx, accountId, nowMs);
    const sessions = String(await endAccountSessions(tx, accountId));
    const states = { before: { name: organization.name }, after: null };
    await note(tx, by, 'organization.delete', accountId, states, nowMs, { sessions });
    const facts = {
      what: `The organization "${organization.name}"`,
      until: new Date(restorableUntilMs).toISOString(),
    };
    for (const { email } of await selectOwners(tx, accountId, OWNERS_TOLD_MAX))
      await deps.letters.enqueueLetter(tx, { to: email, kind: 'deletion-planned', facts, accountId });
    await logAccount(tx, accountId);
    return { deletedAtMs: nowMs, restorableUntilMs };
  });
}

/** For its owners and operators. Keys work again; members have to sign in again. */
export async function restoreOrganization(
  deps: OrganizationsDeps,
  by: Acting,
): Promise<{ readonly id: string; readonly name: string }> {
  const nowMs = deps.clock.now();
  return deps.system.transaction(async (tx) => {
    const { accountId, userId } = by;
    const organization = await lockOrganization(tx, accountId);
    const role = userId === null ? 'OWNER' : (await selectMember(tx, accountId, userId))?.role;
    // An organization of others gets the same answer as one that does not exist.
    if (organization === undefined || role !== 'OWNER') throw notFound('Organization', accountId);
    const { id, name, deletedAt } = organization;
    if (deletedAt === null) throw new ServiceError('Conflict', 'This organization is not deleted.');
    if (deletedAt.getTime() + deps.deletedKeptMs <= nowMs) throw notFound('Organization', accountId);
    await markOrganization(tx, accountId, null);
    await note(tx, by, 'organization.restore', accountId, { before: null, after: { name } }, nowMs);
    await logAccount(tx, accountId);
    return { id, name };
  });
}
