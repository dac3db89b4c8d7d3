import { z } from 'zod';
import {
  createLicence,
  findAccount,
  findKey,
  listActiveLicences,
  listOrganizations,
  listUsers,
  revokeKey,
  revokeLicence,
  setPlan,
} from '#capabilities/access/index.ts';
import type { Clock } from '#platform/clock.ts';
import { notFound } from '#platform/errors.ts';
import { NO_BODY, type Route, route } from '#platform/http/route.ts';
import type { Postgres } from '#platform/postgres.ts';
import { act } from './act.ts';
import {
  AccountsQuery,
  IdParams,
  LicenceBody,
  LicencePage,
  NewLicence,
  OrganizationPage,
  PlanBody,
  PlanView,
  RevokedKey,
  UserPage,
} from './contract.ts';
import { OPERATORS } from './policy.ts';

export type AccountRoutesDeps = { readonly system: Postgres; readonly clock: Clock };

const TAGS = ['operators'];

export const accountRoutes = (deps: AccountRoutesDeps): readonly Route[] => [
  ...listRoutes(deps),
  ...planRoutes(deps),
  ...licenceRoutes(deps),
];

/** The use cases of the `access` capability call the connection pool of the system role `postgres`. */
const accessOf = ({ system, clock }: AccountRoutesDeps) => ({ postgres: system, clock });

const pageOf = ({ search, before, limit }: z.output<typeof AccountsQuery>) => ({
  search: search ?? null,
  before: before ?? null,
  limit,
});

/** The cursor of the next page: the last id of a full page; null for a shorter page, which is the last. */
export const nextOf = (rows: readonly { readonly id: string }[], limit: number): string | null =>
  rows.length < limit ? null : (rows.at(-1)?.id ?? null);

const datesOf = ({
  createdAt,
  deletedAt,
}: {
  readonly createdAt: Date;
  readonly deletedAt: Date | null;
}) => ({
  createdAt: createdAt.toISOString(),
  deletedAt: deletedAt?.toISOString() ?? null,
});

const listRoutes = ({ system }: AccountRoutesDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/admin/users',
    summary: 'People with their plans, newest first.',
    tags: TAGS,
    policy: OPERATORS,
    query: AccountsQuery,
    reply: UserPage,
    handle: async ({ query }) => {
      const rows = await listUsers(system.db, pageOf(query));
      const users = rows.map((row) => ({ ...row, organizations: [...row.organizations], ...datesOf(row) }));
      return { users, next: nextOf(rows, query.limit) };
    },
  }),
  route({
    method: 'GET',
    path: '/admin/organizations',
    summary: 'Organizations with their plans, newest first.',
    tags: TAGS,
    policy: OPERATORS,
    query: AccountsQuery,
    reply: OrganizationPage,
    handle: async ({ query }) => {
      const rows = await listOrganizations(system.db, pageOf(query));
      const organizations = rows.map((row) => ({ ...row, ...datesOf(row) }));
      return { organizations, next: nextOf(rows, query.limit) };
    },
  }),
];

const planRoutes = (deps: AccountRoutesDeps): readonly Route[] => [
  route({
    method: 'PATCH',
    path: '/admin/accounts/:id/subscription',
    summary: 'Change the plan, billing, status or limits of an account; what is not sent stays.',
    tags: TAGS,
    policy: OPERATORS,
    params: IdParams,
    body: PlanBody,
    reply: PlanView,
    handle: (call) => {
      const accountId = call.params.id;
      return act(deps, call, { action: 'plan.set', target: accountId, detail: call.body }, async (actor) => {
        if ((await findAccount(accessOf(deps), { account: accountId })) === undefined)
          throw notFound('Account', accountId);
        const now = await setPlan(accessOf(deps), actor, accountId, changeOf(call.body));
        return { accountId, ...now, limits: figuresOf(now.limits) };
      });
    },
  }),
  route({
    method: 'POST',
    path: '/admin/keys/:id/revoke',
    summary: 'Revoke a key by its id or apiKey, and the keys made in its sessions.',
    tags: TAGS,
    policy: OPERATORS,
    params: IdParams,
    reply: RevokedKey,
    handle: (call) =>
      act(deps, call, { action: 'key.revoke', target: call.params.id }, async (actor) => {
        const found = await findKey(accessOf(deps), call.params.id);
        if (found === undefined) throw notFound('API key', call.params.id);
        const { id, apiKey, accountId } = found;
        await revokeKey(accessOf(deps), actor, { accountId, userId: null }, id);
        return { keyId: id, apiKey, accountId, revoked: true as const };
      }),
  }),
];

function changeOf({ plan, billing, status, limits }: z.output<typeof PlanBody>) {
  return {
    ...(plan !== undefined && { plan }),
    ...(billing !== undefined && { billing }),
    ...(status !== undefined && { status }),
    ...(limits !== undefined && { limits: figuresOf(limits) }),
  };
}

const figuresOf = (limits: Readonly<Record<string, number | undefined>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(limits).flatMap(([name, figure]) => (figure === undefined ? [] : [[name, figure]])),
  );

const licenceRoutes = (deps: AccountRoutesDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/admin/licences',
    summary: 'Licence keys that are in force.',
    tags: TAGS,
    policy: OPERATORS,
    reply: LicencePage,
    handle: async () => ({ licences: (await listActiveLicences(accessOf(deps))).map(licenceOf) }),
  }),
  route({
    method: 'POST',
    path: '/admin/licences',
    summary: 'Make a licence key. It is shown once.',
    tags: TAGS,
    policy: OPERATORS,
    body: LicenceBody,
    reply: NewLicence,
    status: 201,
    handle: (call) => {
      const { accountId, label = '', expiresAt } = call.body;
      return act(
        deps,
        call,
        { action: 'licence.create', target: accountId, detail: call.body },
        async (actor) => {
          if ((await findAccount(accessOf(deps), { account: accountId })) === undefined)
            throw notFound('Account', accountId);
          const expiresAtMs = expiresAt === undefined ? null : Date.parse(expiresAt);
          const made = await createLicence(accessOf(deps), actor, { accountId, label, expiresAtMs });
          return { ...licenceOf(made), licence: made.licence };
        },
      );
    },
  }),
  route({
    method: 'DELETE',
    path: '/admin/licences/:id',
    summary: 'Revoke a licence key.',
    tags: TAGS,
    policy: OPERATORS,
    params: IdParams,
    reply: z.undefined(),
    status: 204,
    handle: async (call) => {
      await act(deps, call, { action: 'licence.revoke', target: call.params.id }, (actor) =>
        revokeLicence(accessOf(deps), actor, call.params.id),
      );
      return NO_BODY;
    },
  }),
];

type Licence = Awaited<ReturnType<typeof listActiveLicences>>[number];

const licenceOf = ({ id, accountId, label, createdAt, expiresAt }: Licence) => ({
  id,
  accountId,
  label,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt?.toISOString() ?? null,
});
