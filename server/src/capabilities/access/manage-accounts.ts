import { isLastOwner } from '#domain/organizations/index.ts';
import type { Billing, Limits, Plan, SubscriptionStatus } from '#domain/plans/plans.ts';
import type { Clock } from '#platform/clock.ts';
import { notFound, ServiceError } from '#platform/errors.ts';
import { emit } from '#platform/events.ts';
import { newId } from '#platform/ids.ts';
import type { Db, Postgres } from '#platform/postgres.ts';
import { appendChanges, appendChangesFrom } from '#platform/replica/change-log.ts';
import { type Actor, recordAudit } from './audit.ts';
import { endMemberAccess, logKeys } from './end-access.ts';
import { PlanChanged } from './events.ts';
import { licenceHash, newLicence } from './key-format.ts';
import { accessDataset } from './key-records.ts';
import {
  accountExists,
  countMembers,
  countOwners,
  deleteMember,
  ensureUser,
  findOrganizations,
  findRole,
  findUser,
  insertLicence,
  insertOrganization,
  keysOfAccount,
  type LicenceRow,
  listLicences,
  lockOrganization,
  lockOrganizationName,
  lockSubscription,
  putDemandsFactor,
  putMember,
  putSubscription,
  type Role,
  revokeLicenceRow,
  type SubscriptionRow,
} from './store.ts';

/** Works across accounts: `postgres` is the system pool (foundation rule 2), so only administration uses it. */
export type ManageAccountsDeps = { readonly postgres: Postgres; readonly clock: Clock };

const FREE: SubscriptionRow = { plan: 'FREE', billing: null, status: 'active', limits: {} };
const LICENCES_LISTED_MAX = 1_000;

export async function createUser(deps: ManageAccountsDeps, actor: Actor, email: string): Promise<string> {
  const nowMs = deps.clock.now();
  return deps.postgres.transaction(async (tx) => {
    const id = newId('usr', nowMs);
    const userId = await ensureUser(tx, id, email, nowMs);
    if (userId === id) await note(tx, actor, 'user.create', userId, userId, null, { email }, nowMs);
    return userId;
  });
}

/**
 * The organization with this id or name, or a new one with this name. For operators, who name organizations on the
 * command line: a name that several have is refused, because it says nothing about which one is meant (O44).
 */
export async function ensureOrganization(
  deps: ManageAccountsDeps,
  actor: Actor,
  nameOrId: string,
): Promise<string> {
  const nowMs = deps.clock.now();
  return deps.postgres.transaction(async (tx) => {
    await lockOrganizationName(tx, nameOrId);
    const found = await onlyOrganization(tx, nameOrId);
    if (found !== undefined) return found;
    const id = newId('org', nowMs);
    await insertOrganization(tx, id, nameOrId, nowMs);
    await note(tx, actor, 'organization.create', id, id, null, { name: nameOrId }, nowMs);
    return id;
  });
}

const AMBIGUOUS_SHOWN_MAX = 10;

async function onlyOrganization(tx: Db, nameOrId: string): Promise<string | undefined> {
  const [only, ...more] = await findOrganizations(tx, nameOrId, AMBIGUOUS_SHOWN_MAX);
  if (more.length > 0)
    throw new ServiceError(
      'Conflict',
      `Several organizations are called '${nameOrId}'. Name one by its id: ${[only, ...more].join(', ')}.`,
    );
  return only;
}

/** Whether sessions need a second factor to act for the organization. Keys are not affected. */
export async function setDemandsFactor(
  deps: ManageAccountsDeps,
  actor: Actor,
  organizationId: string,
  demandsFactor: boolean,
): Promise<void> {
  const nowMs = deps.clock.now();
  await deps.postgres.transaction(async (tx) => {
    const before = await putDemandsFactor(tx, organizationId, demandsFactor);
    if (before === undefined) throw notFound('Organization', organizationId);
    if (before === demandsFactor) return;
    const [was, is] = [{ demandsFactor: before }, { demandsFactor }];
    await note(tx, actor, 'organization.factor', organizationId, organizationId, was, is, nowMs);
  });
}

/** Adds a member or changes the role. Nodes are told, because the role is part of the records of the member's keys. */
export async function putMembership(
  deps: ManageAccountsDeps,
  actor: Actor,
  organizationId: string,
  userId: string,
  role: Role,
): Promise<void> {
  const nowMs = deps.clock.now();
  await deps.postgres.transaction(async (tx) => {
    const before = await heldRole(tx, organizationId, userId);
    if (before === role) return;
    await refuseLastOwner(tx, organizationId, before, role);
    await putMember(tx, organizationId, userId, role, nowMs);
    await note(tx, actor, 'membership.put', organizationId, userId, before ?? null, role, nowMs);
    await appendAccountKeys(tx, organizationId);
  });
}

/** The keys and sessions that a member has in the organization end with the membership. */
export async function removeMembership(
  deps: ManageAccountsDeps,
  actor: Actor,
  organizationId: string,
  userId: string,
): Promise<void> {
  const nowMs = deps.clock.now();
  await deps.postgres.transaction(async (tx) => {
    const before = await heldRole(tx, organizationId, userId);
    await refuseLastOwner(tx, organizationId, before, null);
    if (!(await deleteMember(tx, organizationId, userId))) throw notFound('Member', userId);
    await note(tx, actor, 'membership.remove', organizationId, userId, before, null, nowMs);
    await logKeys(tx, await endMemberAccess(tx, { accountId: organizationId, userId }, actor, nowMs));
  });
}

async function heldRole(tx: Db, organizationId: string, userId: string): Promise<Role | undefined> {
  await lockOrganization(tx, organizationId);
  return findRole(tx, organizationId, userId);
}

/** Refuses to remove the last owner, to operators too: without one the members can neither hand over nor delete it. */
async function refuseLastOwner(
  tx: Db,
  organizationId: string,
  from: Role | undefined,
  to: Role | null,
): Promise<void> {
  if (from === undefined || !isLastOwner(from, to, await countOwners(tx, organizationId))) return;
  throw new ServiceError(
    'Conflict',
    'An organization keeps at least one owner. Make another member an owner first (admin org add-member --role OWNER), or delete the organization (admin org delete).',
  );
}

export async function findAccount(
  deps: ManageAccountsDeps,
  named: { readonly account?: string; readonly email?: string; readonly org?: string },
): Promise<string | undefined> {
  return deps.postgres.transaction(async (tx) => {
    if (named.account !== undefined)
      return (await accountExists(tx, named.account)) ? named.account : undefined;
    if (named.email !== undefined) return findUser(tx, named.email);
    return named.org === undefined ? undefined : onlyOrganization(tx, named.org);
  });
}

/** Makes sure that a user belongs to an organization: the first member is OWNER, later ones are MEMBER. */
export async function ensureMembership(
  deps: ManageAccountsDeps,
  actor: Actor,
  organizationId: string,
  userId: string,
): Promise<Role> {
  const { held, members } = await deps.postgres.transaction(async (tx) => ({
    held: await findRole(tx, organizationId, userId),
    members: await countMembers(tx, organizationId),
  }));
  if (held !== undefined) return held;
  const role = members === 0 ? 'OWNER' : 'MEMBER';
  await putMembership(deps, actor, organizationId, userId, role);
  return role;
}

export type PlanChange = {
  readonly plan?: Plan;
  readonly billing?: Billing | null;
  readonly status?: SubscriptionStatus;
  readonly limits?: Partial<Limits>;
};

/** Changes the plan of an account. An account without a subscription gets one, of `firstPlan` unless `change` has a plan. */
export async function setPlan(
  deps: ManageAccountsDeps,
  actor: Actor,
  accountId: string,
  change: PlanChange,
  firstPlan: Plan = 'FREE',
): Promise<SubscriptionRow> {
  const nowMs = deps.clock.now();
  return deps.postgres.transaction((tx) => changePlan(tx, actor, accountId, change, nowMs, firstPlan));
}

/**
 * Changes a plan as the last step of a transaction of the system role. Tells every node, and emits the event on which
 * readers end what the new plan no longer includes. A new account emits none; it gets `firstPlan` unless `change` has a plan.
 */
export async function changePlan(
  tx: Db,
  actor: Actor,
  accountId: string,
  change: PlanChange,
  nowMs: number,
  firstPlan: Plan = 'FREE',
): Promise<SubscriptionRow> {
  const before = await lockSubscription(tx, accountId);
  const after: SubscriptionRow = { ...FREE, plan: firstPlan, ...before, ...change };
  await putSubscription(tx, accountId, after, nowMs);
  await note(tx, actor, 'plan.set', accountId, accountId, before ?? null, after, nowMs);
  if (before !== undefined)
    await emit(tx, { type: PlanChanged, accountId, payload: {}, occurredAt: new Date(nowMs) });
  await appendAccountKeys(tx, accountId);
  return after;
}

export async function createLicence(
  deps: ManageAccountsDeps,
  actor: Actor,
  wanted: { readonly accountId: string; readonly label: string; readonly expiresAtMs: number | null },
): Promise<LicenceRow & { readonly licence: string }> {
  const nowMs = deps.clock.now();
  const licence = newLicence();
  return deps.postgres.transaction(async (tx) => {
    const id = newId('lic', nowMs);
    const keyHash = licenceHash(licence);
    const row = await insertLicence(tx, { ...wanted, id, keyHash }, nowMs);
    if (row === undefined) throw new Error('licence.create returned no row.');
    await note(tx, actor, 'licence.create', wanted.accountId, id, null, row, nowMs);
    await appendChanges(tx, accessDataset.name, 'licence', [keyHash]);
    return { ...row, licence };
  });
}

export const listActiveLicences = (deps: ManageAccountsDeps): Promise<readonly LicenceRow[]> =>
  deps.postgres.transaction((tx) => listLicences(tx, LICENCES_LISTED_MAX));

export async function revokeLicence(deps: ManageAccountsDeps, actor: Actor, id: string): Promise<void> {
  const nowMs = deps.clock.now();
  await deps.postgres.transaction(async (tx) => {
    const revoked = await revokeLicenceRow(tx, id, nowMs);
    if (revoked === undefined) throw notFound('Licence', id);
    await note(tx, actor, 'licence.revoke', revoked.accountId, id, { id }, null, nowMs);
    await appendChanges(tx, accessDataset.name, 'licence', [revoked.keyHash]);
  });
}

const appendAccountKeys = (tx: Db, accountId: string): Promise<number> =>
  appendChangesFrom(tx, accessDataset.name, 'key', keysOfAccount(accountId));

const note = (
  tx: Db,
  actor: Actor,
  action: string,
  accountId: string,
  target: string,
  before: unknown,
  after: unknown,
  nowMs: number,
): Promise<void> => recordAudit(tx, { accountId, actor, action, target, before, after, nowMs });
