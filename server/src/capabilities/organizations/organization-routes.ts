import { notFound } from '#platform/errors.ts';
import type { Principal } from '#platform/http/principal.ts';
import { type Route, route } from '#platform/http/route.ts';
import { DAY_MS } from '#platform/time-units.ts';
import {
  type AuditPage,
  AuditPage as AuditPageShape,
  AuditQuery,
  Deletion,
  type ListedOrganization,
  Organization,
  OrganizationBody,
  OrganizationList,
  RestoreBody,
  Restored,
} from './contract.ts';
import type { Deleted } from './delete-organization.ts';
import { demandOwnSession, demandPerson, demandProof, worksForOneAccount } from './demand-person.ts';
import {
  actingOf,
  OF_MANAGER,
  OF_MEMBER,
  OF_OWNER,
  OF_PERSON,
  ORGANIZATION_GONE,
  type OrganizationRoutesDeps,
  TAGS,
} from './policies.ts';
import { type AuditLine, countMembers, selectAudit, selectMember, selectOrganization } from './store.ts';

export const organizationRoutes = (deps: OrganizationRoutesDeps): readonly Route[] => [
  ...ofPerson(deps),
  ...ofOrganization(deps),
];

const ofPerson = (deps: OrganizationRoutesDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/organizations',
    summary: 'The organizations you belong to.',
    description:
      'Deleted ones are shown to their owners until they are erased. A session of a key pair or of single sign-on sees its own organization alone.',
    tags: TAGS,
    policy: OF_PERSON,
    reply: OrganizationList,
    handle: async ({ principal }) => ({ organizations: await listFor(deps, principal) }),
  }),
  route({
    method: 'POST',
    path: '/organizations',
    summary: 'Make an organization. You are its first owner.',
    description:
      'It starts on the FREE plan. Go on in it with POST /api/auth/switch. 409 beyond the most a person may make.',
    tags: TAGS,
    policy: OF_PERSON,
    body: OrganizationBody,
    otherStatuses: { 409: 'You have created as many organizations as one person may.' },
    reply: OrganizationList.shape.organizations.element,
    status: 201,
    handle: async (call) => {
      demandOwnSession(call.principal);
      const made = await deps.organizations.create(actingOf(call), call.body.name);
      return toListed(deps, { ...made, role: 'OWNER' });
    },
  }),
  route({
    method: 'POST',
    path: '/organization/restore',
    summary: 'Take the deletion of an organization back.',
    description:
      'By one of its owners, from their own account, until it is erased. Its keys work again. 404 for an organization of others.',
    tags: TAGS,
    policy: OF_PERSON,
    body: RestoreBody,
    otherStatuses: { 409: 'The organization is not deleted.' },
    reply: Restored,
    mayBeAbsent: true,
    handle: async (call) => {
      demandOwnSession(call.principal);
      demandProof(deps.clock, call.principal);
      return deps.organizations.restore({ ...actingOf(call), accountId: call.body.organizationId });
    },
  }),
  route({
    method: 'DELETE',
    path: '/user',
    summary: 'Delete your own account.',
    description:
      'You leave every organization; keys and sessions end at once and the address is free. Operators can restore the account until it is erased. 409 while you are the only owner of an organization.',
    tags: ['Account'],
    policy: OF_PERSON,
    otherStatuses: {
      404: 'Your account was deleted a moment ago.',
      409: 'You are the only owner of an organization.',
    },
    reply: Deletion,
    handle: async (call) => {
      demandOwnSession(call.principal);
      demandProof(deps.clock, call.principal);
      const deleted = await deps.organizations.deletePerson(actingOf(call));
      call.reply.header('set-cookie', [...deps.session.signIn.cookie.clear]);
      return toDeletion(call.principal.userId, deleted);
    },
  }),
];

const ofOrganization = (deps: OrganizationRoutesDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/organization',
    summary: 'The organization that this session works for.',
    tags: TAGS,
    policy: OF_MEMBER,
    otherStatuses: ORGANIZATION_GONE,
    reply: Organization,
    handle: ({ principal }) => describe(deps, principal),
  }),
  route({
    method: 'PATCH',
    path: '/organization',
    summary: 'Give the organization another name.',
    tags: TAGS,
    policy: OF_MANAGER,
    body: OrganizationBody,
    otherStatuses: ORGANIZATION_GONE,
    reply: Organization,
    handle: async (call) => {
      demandPerson(call.principal);
      await deps.organizations.rename(actingOf(call), call.body.name);
      return describe(deps, call.principal);
    },
  }),
  route({
    method: 'DELETE',
    path: '/organization',
    summary: 'Delete the organization.',
    description:
      'Its keys and sessions end at once. Owners can restore it until it is erased with everything it has; of the audit trail ids stay.',
    tags: TAGS,
    policy: OF_OWNER,
    otherStatuses: ORGANIZATION_GONE,
    reply: Deletion,
    handle: async (call) => {
      demandProof(deps.clock, call.principal);
      const deleted = await deps.organizations.remove(actingOf(call));
      call.reply.header('set-cookie', [...deps.session.signIn.cookie.clear]);
      return toDeletion(call.principal.accountId, deleted);
    },
  }),
  route({
    method: 'GET',
    path: '/organization/audit',
    summary: 'What was done in the organization, newest first.',
    tags: TAGS,
    policy: OF_MANAGER,
    query: AuditQuery,
    reply: AuditPageShape,
    handle: ({ principal, query }) => readAudit(deps, principal, query),
  }),
];

async function listFor(deps: OrganizationRoutesDeps, principal: Principal): Promise<ListedOrganization[]> {
  const all = await deps.organizations.listOf(principal.userId);
  const shown = worksForOneAccount(principal) ? all.filter(({ id }) => id === principal.accountId) : all;
  return shown.map((row) => toListed(deps, row));
}

type Listed = Awaited<ReturnType<OrganizationRoutesDeps['organizations']['listOf']>>[number];

const toListed = (
  { config }: Pick<OrganizationRoutesDeps, 'config'>,
  { id, name, role, createdAt, deletedAt }: Listed,
): ListedOrganization => ({
  id,
  name,
  role,
  createdAt: createdAt.toISOString(),
  deletedAt: deletedAt?.toISOString() ?? null,
  restorableUntil:
    deletedAt === null
      ? null
      : new Date(deletedAt.getTime() + config.DELETED_KEPT_DAYS * DAY_MS).toISOString(),
});

const toDeletion = (id: string, { deletedAtMs, restorableUntilMs }: Deleted): Deletion => ({
  id,
  deletedAt: new Date(deletedAtMs).toISOString(),
  restorableUntil: new Date(restorableUntilMs).toISOString(),
});

const describe = (
  { postgres }: OrganizationRoutesDeps,
  { accountId, userId, plan }: Principal,
): Promise<Organization> =>
  postgres.withAccount(accountId, async (tx) => {
    const organization = await selectOrganization(tx, accountId);
    const own = await selectMember(tx, accountId, userId);
    if (organization === undefined || own === undefined) throw notFound('Organization', accountId);
    const { members } = await countMembers(tx, accountId);
    return {
      id: accountId,
      name: organization.name,
      plan,
      role: own.role,
      members,
      createdAt: organization.createdAt.toISOString(),
    };
  });

async function readAudit(
  { postgres }: OrganizationRoutesDeps,
  { accountId }: Principal,
  { before, limit }: { readonly before?: string | undefined; readonly limit: number },
): Promise<AuditPage> {
  // Reads one line more than the page, to know whether another page follows.
  const lines = await postgres.withAccount(accountId, (tx) =>
    selectAudit(tx, accountId, before ?? null, limit + 1),
  );
  const page = lines.slice(0, limit);
  return {
    entries: page.map(toAuditRecord),
    next: lines.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

const toAuditRecord = (line: AuditLine): AuditPage['entries'][number] => ({
  id: line.id,
  at: line.at.toISOString(),
  actor: { kind: line.actorKind, id: line.actorId },
  action: line.action,
  target: line.target,
  detail: line.detail,
  address: line.ip,
  requestId: line.requestId,
});
