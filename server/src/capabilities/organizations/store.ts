import type { MemberOrigin, MemberRole } from '#domain/organizations/index.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';

/**
 * SQL of organizations, their members and the people in them; invitation-store.ts and erase-store.ts have the rest. One statement
 * per function. Locks are taken in one order: the person, then organizations by id. FOR NO KEY UPDATE lets others refer to the row.
 */

// Organizations

export type OrganizationRow = {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly deletedAt: Date | null;
};
const ORGANIZATION_COLUMNS = sql`o.id, o.name, o.created_at as "createdAt", o.deleted_at as "deletedAt"`;

/** Locks the row, so that changes of one organization run one after the other. */
export async function lockOrganization(tx: Db, id: string): Promise<OrganizationRow | undefined> {
  const { rows } = await sql<OrganizationRow>`
    select ${ORGANIZATION_COLUMNS} from organization o
     where o.id = ${id} and o.erasing_at is null for no key update`.execute(tx);
  return rows[0];
}

export async function insertOrganization(
  tx: Db,
  row: { readonly id: string; readonly name: string; readonly createdBy: string },
  nowMs: number,
): Promise<void> {
  await sql`
    insert into organization (id, name, created_by, created_at)
    values (${row.id}, ${row.name}, ${row.createdBy}, ${timestampOf(nowMs)})`.execute(tx);
}

export async function countMadeBy(tx: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from organization where created_by = ${userId}`.execute(tx);
  return rows[0]?.count ?? 0;
}

export async function renameOrganization(tx: Db, id: string, name: string): Promise<void> {
  await sql`update organization set name = ${name} where id = ${id}`.execute(tx);
}

export async function markOrganization(tx: Db, id: string, deletedAtMs: number | null): Promise<void> {
  await sql`update organization set deleted_at = ${timestampOf(deletedAtMs)} where id = ${id}`.execute(tx);
}

export async function selectOrganization(db: Db, id: string): Promise<OrganizationRow | undefined> {
  const { rows } = await sql<OrganizationRow>`
    select ${ORGANIZATION_COLUMNS} from organization o where o.id = ${id}`.execute(db);
  return rows[0];
}

/** The organizations of a person by name. A deleted one is shown to its owners, who can restore it. */
export async function selectOrganizationsOf(
  db: Db,
  userId: string,
  limit: number,
): Promise<readonly (OrganizationRow & { readonly role: MemberRole })[]> {
  const { rows } = await sql<OrganizationRow & { role: MemberRole }>`
    select ${ORGANIZATION_COLUMNS}, m.role from membership m join organization o on o.id = m.account_id
     where m.user_id = ${userId} and (o.deleted_at is null or (m.role = 'OWNER' and o.erasing_at is null))
     order by o.name, o.id limit ${limit}`.execute(db);
  return rows;
}

// Members

export type MemberRow = {
  readonly userId: string;
  readonly email: string;
  readonly role: MemberRole;
  readonly origin: MemberOrigin;
  readonly joinedAt: Date;
};
const MEMBER_COLUMNS = sql`m.user_id as "userId", u.email, m.role, m.origin, m.created_at as "joinedAt"`;

/** Members in the order of their roles (owners first), then of their e-mail addresses. */
export async function selectMembers(tx: Db, accountId: string, limit: number): Promise<readonly MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select ${MEMBER_COLUMNS} from membership m join app_user u on u.id = m.user_id
     where m.account_id = ${accountId}
     order by array_position(array['OWNER', 'ADMIN', 'MEMBER', 'VIEWER'], m.role), u.email limit ${limit}`.execute(
    tx,
  );
  return rows;
}

export async function selectMember(
  tx: Db,
  accountId: string,
  userId: string,
): Promise<MemberRow | undefined> {
  const { rows } = await sql<MemberRow>`
    select ${MEMBER_COLUMNS} from membership m join app_user u on u.id = m.user_id
     where m.account_id = ${accountId} and m.user_id = ${userId}`.execute(tx);
  return rows[0];
}

export async function selectOwners(tx: Db, accountId: string, limit: number): Promise<readonly MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select ${MEMBER_COLUMNS} from membership m join app_user u on u.id = m.user_id
     where m.account_id = ${accountId} and m.role = 'OWNER' order by m.user_id limit ${limit}`.execute(tx);
  return rows;
}

export type MemberCounts = { readonly members: number; readonly owners: number };

export async function countMembers(tx: Db, accountId: string): Promise<MemberCounts> {
  const { rows } = await sql<MemberCounts>`
    select count(*)::int as members, (count(*) filter (where role = 'OWNER'))::int as owners
      from membership where account_id = ${accountId}`.execute(tx);
  return rows[0] ?? { members: 0, owners: 0 };
}

export async function insertMember(
  tx: Db,
  row: {
    readonly accountId: string;
    readonly userId: string;
    readonly role: MemberRole;
    readonly origin: MemberOrigin;
  },
  nowMs: number,
): Promise<void> {
  await sql`
    insert into membership (account_id, user_id, role, origin, created_at)
    values (${row.accountId}, ${row.userId}, ${row.role}, ${row.origin}, ${timestampOf(nowMs)})`.execute(tx);
}

/** Stores the id of a member in an SSO directory; not if a member from an earlier directory has the same id. */
export async function keepExternalId(
  tx: Db,
  accountId: string,
  userId: string,
  externalId: string,
): Promise<void> {
  await sql`
    update membership set external_id = ${externalId}
     where account_id = ${accountId} and user_id = ${userId}
       and not exists (select 1 from membership m where m.account_id = ${accountId} and m.external_id = ${externalId})`.execute(
    tx,
  );
}

export async function updateRole(tx: Db, accountId: string, userId: string, role: MemberRole): Promise<void> {
  await sql`
    update membership set role = ${role} where account_id = ${accountId} and user_id = ${userId}`.execute(tx);
}

export async function deleteMember(tx: Db, accountId: string, userId: string): Promise<void> {
  await sql`delete from membership where account_id = ${accountId} and user_id = ${userId}`.execute(tx);
}

/** Memberships of a person, ordered by organization id, because organizations are locked in that order. */
export async function selectMembershipsOf(
  tx: Db,
  userId: string,
): Promise<readonly { readonly accountId: string; readonly role: MemberRole }[]> {
  const { rows } = await sql<{ accountId: string; role: MemberRole }>`
    select account_id as "accountId", role from membership where user_id = ${userId} order by account_id`.execute(
    tx,
  );
  return rows;
}

// People

export type PersonRow = {
  readonly email: string;
  /** The person has proven to own the e-mail address, or an operator vouched for it. */
  readonly isProven: boolean;
};

/** Undefined for a deleted person. */
export async function lockPerson(tx: Db, userId: string): Promise<PersonRow | undefined> {
  const { rows } = await sql<PersonRow>`
    select email, email_verified_at is not null and unclaimed_since is null as "isProven"
      from app_user where id = ${userId} and deleted_at is null for no key update`.execute(tx);
  return rows[0];
}

/** Marks a person as deleted, and frees the e-mail address for another registration. */
export async function markPersonDeleted(tx: Db, userId: string, nowMs: number): Promise<void> {
  await sql`
    update app_user set email_before = email, email = lower(id) || '@deleted.invalid', deleted_at = ${timestampOf(nowMs)}
     where id = ${userId}`.execute(tx);
}

/** The person who was deleted last with this address and can be restored. */
export async function lockDeletedPerson(
  tx: Db,
  email: string,
): Promise<{ readonly userId: string; readonly deletedAt: Date } | undefined> {
  const { rows } = await sql<{ userId: string; deletedAt: Date }>`
    select id as "userId", deleted_at as "deletedAt" from app_user
     where deleted_at is not null and erasing_at is null and email_before = ${email}
     order by deleted_at desc, id desc limit 1 for update`.execute(tx);
  return rows[0];
}

export async function isAddressTaken(tx: Db, email: string): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select exists (select 1 from app_user where email = ${email}) as taken`.execute(tx);
  return rows[0]?.taken === true;
}

export async function unmarkPersonDeleted(tx: Db, userId: string): Promise<void> {
  await sql`
    update app_user set email = email_before, email_before = null, deleted_at = null where id = ${userId}`.execute(
    tx,
  );
}

export async function findUserByEmail(tx: Db, email: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select id from app_user where email = ${email}`.execute(tx);
  return rows[0]?.id;
}

/** Deletes the links in letters to the person that would set a password or claim keys. */
export async function deleteLinksOf(tx: Db, userId: string): Promise<void> {
  await sql`delete from account_token where user_id = ${userId}`.execute(tx);
}

// Audit

export type AuditLine = {
  readonly id: string;
  readonly at: Date;
  readonly actorKind: 'key' | 'session' | 'operator' | 'system' | 'anonymous';
  readonly actorId: string;
  readonly action: string;
  readonly target: string;
  readonly detail: Readonly<Record<string, string>>;
  readonly ip: string;
  readonly requestId: string;
};

/** A page of the audit trail, newest first, of entries older than `before`. Hashes of states are not read. */
export async function selectAudit(
  tx: Db,
  accountId: string,
  before: string | null,
  limit: number,
): Promise<readonly AuditLine[]> {
  const { rows } = await sql<AuditLine>`
    select id, at, actor_kind as "actorKind", actor_id as "actorId", action, target, detail, ip, request_id as "requestId"
      from audit_entry
     where account_id = ${accountId}
       and (${before}::text is null
            or (at, id) < ((select at from audit_entry where id = ${before} and account_id = ${accountId}), ${before}))
     order by at desc, id desc limit ${limit}`.execute(tx);
  return rows;
}
