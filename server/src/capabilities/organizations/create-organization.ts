import { changePlan } from '#capabilities/access/index.ts';
import { ServiceError } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { type Acting, type ActingPerson, lockAs, note, type OrganizationsDeps } from './acting.ts';
import {
  countMadeBy,
  insertMember,
  insertOrganization,
  lockPerson,
  type OrganizationRow,
  renameOrganization,
} from './store.ts';

/** Makes an organization; the person who makes it is its first owner. */
export async function createOrganization(
  deps: OrganizationsDeps,
  { userId, actor }: ActingPerson,
  name: string,
): Promise<OrganizationRow> {
  const nowMs = deps.clock.now();
  return deps.system.transaction(async (tx) => {
    if ((await lockPerson(tx, userId)) === undefined)
      throw new ServiceError('Unauthorized', 'This session has ended. Sign in again.');
    if ((await countMadeBy(tx, userId)) >= deps.organizationsPerPerson)
      throw new ServiceError(
        'Conflict',
        `A person makes at most ${deps.organizationsPerPerson} organizations, deleted ones included until they are erased. Delete one, or ask the operator of this service for more.`,
      );
    const id = newId('org', nowMs);
    const by = { accountId: id, userId, actor };
    await insertOrganization(tx, { id, name, createdBy: userId }, nowMs);
    await insertMember(tx, { accountId: id, userId, role: 'OWNER', origin: 'manual' }, nowMs);
    await note(tx, by, 'organization.create', id, { before: null, after: { name } }, nowMs);
    await note(tx, by, 'membership.put', userId, { before: null, after: 'OWNER' }, nowMs, { role: 'OWNER' });
    await changePlan(tx, actor, id, { plan: deps.defaultPlan }, nowMs);
    return { id, name, createdAt: new Date(nowMs), deletedAt: null };
  });
}

export async function changeName(deps: OrganizationsDeps, by: Acting, name: string): Promise<void> {
  const nowMs = deps.clock.now();
  await deps.system.transaction(async (tx) => {
    const { organization } = await lockAs(tx, by, ['OWNER', 'ADMIN']);
    if (organization.name === name) return;
    await renameOrganization(tx, by.accountId, name);
    const states = { before: { name: organization.name }, after: { name } };
    await note(tx, by, 'organization.rename', by.accountId, states, nowMs);
  });
}
