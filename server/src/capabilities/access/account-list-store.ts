import type { Billing, Plan, SubscriptionStatus } from '#domain/plans/plans.ts';
import { type Db, sql } from '#platform/postgres.ts';

/** SQL of the lists that operators read, across accounts. One statement per function. */

type ListedPlan = {
  readonly plan: Plan;
  readonly billing: Billing | null;
  readonly status: SubscriptionStatus;
};

export type ListedUser = ListedPlan & {
  readonly id: string;
  readonly email: string;
  readonly createdAt: Date;
  readonly deletedAt: Date | null;
  /** Ids of the organizations that the user belongs to. */
  readonly organizations: readonly string[];
  readonly keys: number;
};

export type ListedOrganization = ListedPlan & {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly deletedAt: Date | null;
  readonly members: number;
  readonly keys: number;
};

export type AccountPage = {
  /** Part of the address or name, or a whole id; null for all. */
  readonly search: string | null;
  /** The last id of the page before; null for the first page. */
  readonly before: string | null;
  readonly limit: number;
};

const PLAN = sql`coalesce(s.plan, 'FREE') as plan, s.billing, coalesce(s.status, 'active') as status`;
const KEYS = (account: string) => sql`
  (select count(*)::int from api_key k where k.account_id = ${sql.ref(account)} and k.revoked_at is null) as keys`;

/** Escapes the search text, so that a percent sign or an underscore in it stands for itself. */
const patternOf = (text: string): string => `%${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;

/** Ids are made of the time, so the newest comes first. Erased people are left out. */
export async function listUsers(
  db: Db,
  { search, before, limit }: AccountPage,
): Promise<readonly ListedUser[]> {
  const { rows } = await sql<ListedUser>`
    select u.id, u.email, u.created_at as "createdAt", u.deleted_at as "deletedAt", ${PLAN},
           array(select m.account_id::text from membership m where m.user_id = u.id order by 1 limit 100) as organizations,
           ${KEYS('u.id')}
      from app_user u
      left join subscription s on s.account_id = u.id
     where u.erased_at is null
       and (${before}::text is null or u.id < ${before})
       and (${search}::text is null or u.id = ${search} or u.email like ${search === null ? null : patternOf(search)})
     order by u.id desc limit ${limit}`.execute(db);
  return rows;
}

export async function listOrganizations(
  db: Db,
  { search, before, limit }: AccountPage,
): Promise<readonly ListedOrganization[]> {
  const { rows } = await sql<ListedOrganization>`
    select o.id, o.name, o.created_at as "createdAt", o.deleted_at as "deletedAt", ${PLAN},
           (select count(*)::int from membership m where m.account_id = o.id) as members, ${KEYS('o.id')}
      from organization o
      left join subscription s on s.account_id = o.id
     where (${before}::text is null or o.id < ${before})
       and (${search}::text is null or o.id = ${search}
            or lower(o.name) like ${search === null ? null : patternOf(search)})
     order by o.id desc limit ${limit}`.execute(db);
  return rows;
}

export type AccountCounts = {
  readonly users: number;
  readonly organizations: number;
  readonly paying: number;
};

/** Deleted accounts are not counted. */
export async function countAccounts(db: Db): Promise<AccountCounts> {
  const { rows } = await sql<AccountCounts>`
    select (select count(*)::int from app_user where deleted_at is null) as users,
           (select count(*)::int from organization where deleted_at is null) as organizations,
           (select count(*)::int from subscription where plan <> 'FREE') as paying`.execute(db);
  return rows[0] ?? { users: 0, organizations: 0, paying: 0 };
}

export type AuditedAct = {
  readonly id: string;
  readonly accountId: string;
  readonly at: Date;
  readonly actorKind: string;
  readonly actorId: string;
  readonly action: string;
  readonly target: string;
  readonly detail: Readonly<Record<string, string>>;
  readonly ip: string;
  readonly requestId: string;
};

/** The audit trail of one account or of all, newest first. */
export async function listAudit(
  db: Db,
  {
    accountId,
    before,
    limit,
  }: { readonly accountId: string | null; readonly before: string | null; readonly limit: number },
): Promise<readonly AuditedAct[]> {
  const { rows } = await sql<AuditedAct>`
    select id, account_id as "accountId", at, actor_kind as "actorKind", actor_id as "actorId", action, target, detail, ip,
           request_id as "requestId"
      from audit_entry
     where (${accountId}::text is null or account_id = ${accountId}) and (${before}::text is null or id < ${before})
     order by id desc limit ${limit}`.execute(db);
  return rows;
}
