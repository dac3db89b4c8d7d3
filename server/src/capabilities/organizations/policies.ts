import { actorOf, type CredentialGuard, type OpenSessionDeps } from '#capabilities/access/index.ts';
import { MANAGERS } from '#domain/organizations/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { DEFAULT_DEADLINE_MS, type Policy } from '#platform/http/policy.ts';
import type { Call, OtherStatuses } from '#platform/http/route.ts';
import type { Postgres } from '#platform/postgres.ts';
import type { Organizations } from './organizations.ts';

/** What the routes work with. Reads run under row-level security; only `organizations` reaches across accounts. */
export type OrganizationRoutesDeps = {
  readonly config: Pick<Config, 'INVITATIONS_PER_HOUR' | 'LETTERS_MAILBOX_PER_HOUR' | 'DELETED_KEPT_DAYS'>;
  readonly clock: Clock;
  readonly postgres: Postgres;
  readonly organizations: Organizations;
  readonly canSendLetters: boolean;
  readonly guard: CredentialGuard;
  readonly session: Pick<OpenSessionDeps, 'signIn'>;
};

export const TAGS: readonly string[] = ['Organizations'];

/** Any session. */
export const OF_PERSON: Policy = {
  surface: 'web',
  auth: 'session',
  plan: 'any',
  meter: 'none',
  bodyMax: 4_096,
  deadlineMs: DEFAULT_DEADLINE_MS,
  class: 'D',
  since: '1.1.0',
  extension: true,
};
/** A session that works for an organization; the 403 says so where it does not. */
export const OF_MEMBER: Policy = { ...OF_PERSON, organization: true };
export const OF_MANAGER: Policy = { ...OF_MEMBER, role: MANAGERS };
export const OF_OWNER: Policy = { ...OF_MEMBER, role: ['OWNER'] };

/** The status of a change that came too late, for the description. */
export const ORGANIZATION_GONE: OtherStatuses = { 404: 'The organization was deleted a moment ago.' };

/** The caller of a change in the organization of the session. */
export const actingOf = ({ principal, request }: Pick<Call, 'principal' | 'request'>) => ({
  accountId: principal.accountId,
  userId: principal.userId,
  actor: actorOf(principal, request),
});
