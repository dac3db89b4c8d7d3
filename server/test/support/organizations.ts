import type { FastifyInstance } from 'fastify';
import { createSession, type Role } from '#capabilities/access/index.ts';
import { openLetters } from '#capabilities/letters/index.ts';
import {
  type OrganizationsDeps,
  openOrganizations,
  organizationsRoutes,
} from '#capabilities/organizations/index.ts';
import { DAY_MS } from '#platform/time-units.ts';
import {
  cookieWith,
  FROM_DASHBOARD,
  OPERATOR,
  type TestAccessOptions,
  type TestAccessParts,
} from './access.ts';
import { createTestAccounts, type TestAccounts } from './accounts.ts';

type Answer = Awaited<ReturnType<FastifyInstance['inject']>>;
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type TestPerson = { readonly userId: string; readonly email: string };
export type TestOrganizations = TestAccounts & {
  readonly deps: OrganizationsDeps;
  readonly call: (cookie: string, method: Method, path: string, body?: object) => Promise<Answer>;
  /** A person with a proven address; without a password, because hashing one costs 50 ms. */
  readonly newProven: (name: string) => Promise<TestPerson>;
  /** The cookie of a session that a password opened just now. */
  readonly signInto: (accountId: string, userId: string) => Promise<string>;
  /** A member with a session in the organization. */
  readonly join: (
    organization: string,
    name: string,
    role: Role,
  ) => Promise<TestPerson & { readonly orgId: string; readonly cookie: string }>;
};

export async function createTestOrganizations(
  env: Readonly<Record<string, string>> = {},
  more: Pick<TestAccessOptions, 'routes' | 'admitOwnSignIn'> = {},
): Promise<TestOrganizations> {
  const made: { deps?: OrganizationsDeps } = {};
  const routes = (parts: TestAccessParts) => {
    const { config, clock, system, session, guard, access } = parts;
    const letters = openLetters({ config, clock });
    const deps = {
      system,
      clock,
      letters,
      publicWebUrl: config.PUBLIC_WEB_URL,
      defaultPlan: config.DEFAULT_PLAN,
      invitationsPerDay: config.INVITATIONS_PER_DAY,
      organizationsPerPerson: config.ORGANIZATIONS_PER_PERSON,
      deletedKeptMs: config.DELETED_KEPT_DAYS * DAY_MS,
    };
    made.deps = deps;
    const own = organizationsRoutes({
      config,
      clock,
      postgres: access.postgres,
      organizations: openOrganizations(deps),
      canSendLetters: letters.canSendLetters,
      guard,
      session,
    });
    return [...own, ...(more.routes?.(parts) ?? [])];
  };
  const t = await createTestAccounts(env, new Set(), routes, more);
  if (made.deps === undefined) throw new Error('The routes of organizations were not made.');
  const signInto = async (accountId: string, userId: string): Promise<string> => {
    const who = { accountId, userId, ip: '127.0.0.1', userAgent: 'test' };
    const by = { actor: OPERATOR, keyId: null, method: 'password', factors: ['password'] } as const;
    return cookieWith(t.config, (await createSession(t, who, by)).token);
  };
  const prove = (userId: string) =>
    t.owner.query('update app_user set email_verified_at = now() where id = $1', [userId]);
  return {
    ...t,
    deps: made.deps,
    signInto,
    call: (cookie, method, path, body) => {
      // Letters and audit entries are listed by their time, so each call has a time of its own.
      t.clock.advance(1);
      return t.app.inject({
        method,
        url: `/api${path}`,
        headers: { ...FROM_DASHBOARD, cookie },
        ...(body !== undefined && { payload: body }),
      });
    },
    newProven: async (name) => {
      const email = `${name}@example.com`;
      const userId = await t.newUser(email);
      await prove(userId);
      return { userId, email };
    },
    join: async (organization, name, role) => {
      const email = `${name}@example.com`;
      const { orgId, userId } = await t.newMember(organization, email, role);
      await prove(userId);
      return { orgId, userId, email, cookie: await signInto(orgId, userId) };
    },
  };
}
