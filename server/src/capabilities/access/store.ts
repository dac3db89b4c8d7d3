import type { Billing, Limits, Plan, SubscriptionStatus } from '#domain/plans/plans.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';

/**
 * SQL of accounts, keys, licences and audit; session-store.ts and idempotency-store.ts have the rest. One
 * statement per function. Row-level security applies even where a condition is missing.
 */

export type Role = 'OWNER' | 'ADMIN' | 'MEMBER' | 'VIEWER';

export type KeyRow = {
  readonly id: string;
  readonly apiKey: string;
  readonly accountId: string;
  readonly userId: string;
  readonly label: string;
  readonly allowedCidrs: readonly string[];
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly previousValidUntil: Date | null;
  /** The key whose session made this one; null for a key made in another way. */
  readonly parentId: string | null;
  readonly canSignIn: boolean;
};

const KEY_COLUMNS = sql`id, api_key as "apiKey", account_id as "accountId", user_id as "userId", label,
  allowed_cidrs as "allowedCidrs", created_at as "createdAt", last_used_at as "lastUsedAt",
  previous_valid_until as "previousValidUntil", parent_id as "parentId", can_sign_in as "canSignIn"`;

// Accounts

export async function ensureUser(tx: Db, id: string, email: string, nowMs: number): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into app_user (id, email, created_at) values (${id}, ${email}, ${timestampOf(nowMs)})
    on conflict (email) do update set email = excluded.email
    returning id`.execute(tx);
  return rows[0]?.id ?? id;
}

export async function findUser(tx: Db, email: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select id from app_user where email = ${email}`.execute(tx);
  return rows[0]?.id;
}

export async function insertOrganization(tx: Db, id: string, name: string, nowMs: number): Promise<void> {
  await sql`
    insert into organization (id, name, created_at) values (${id}, ${name}, ${timestampOf(nowMs)})`.execute(
    tx,
  );
}

/** Sets whether sessions need a second factor; returns the former value, undefined for an unknown organization. */
export async function putDemandsFactor(
  tx: Db,
  id: string,
  demandsFactor: boolean,
): Promise<boolean | undefined> {
  const { rows } = await sql<{ before: boolean }>`
    update organization o set demands_factor = ${demandsFactor}
      from (select demands_factor as before from organization where id = ${id} for update) was
     where o.id = ${id} returning was.before`.execute(tx);
  return rows[0]?.before;
}

/** Serializes calls that look for the same name, each of which might otherwise make an organization. */
export async function lockOrganizationName(tx: Db, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('assay.organization.' || ${name}::text, 0))`.execute(
    tx,
  );
}

/** The organization with this id, else all with this name: names are not unique (O44). Deleted ones are left out. */
export async function findOrganizations(tx: Db, nameOrId: string, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from organization
     where deleted_at is null
       and (id = ${nameOrId}
            or (name = ${nameOrId} and not exists (select 1 from organization where id = ${nameOrId})))
     order by id limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

export async function accountExists(tx: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select 1 from app_user where id = ${accountId})
        or exists (select 1 from organization where id = ${accountId}) as found`.execute(tx);
  return rows[0]?.found === true;
}

export async function findRole(tx: Db, accountId: string, userId: string): Promise<Role | undefined> {
  const { rows } = await sql<{ role: Role }>`
    select role from membership where account_id = ${accountId} and user_id = ${userId}`.execute(tx);
  return rows[0]?.role;
}

export async function countMembers(tx: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from membership where account_id = ${accountId}`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Serializes changes of the members of one organization. */
export async function lockOrganization(tx: Db, id: string): Promise<void> {
  await sql`select 1 from organization where id = ${id} for no key update`.execute(tx);
}

export async function countOwners(tx: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from membership where account_id = ${accountId} and role = 'OWNER'`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
}

export async function putMember(tx: Db, accountId: string, userId: string, role: Role, nowMs: number) {
  await sql`
    insert into membership (account_id, user_id, role, created_at)
    values (${accountId}, ${userId}, ${role}, ${timestampOf(nowMs)})
    on conflict (account_id, user_id) do update set role = excluded.role`.execute(tx);
}

export async function deleteMember(tx: Db, accountId: string, userId: string): Promise<boolean> {
  const { rows } = await sql<{ role: Role }>`
    delete from membership where account_id = ${accountId} and user_id = ${userId} returning role`.execute(
    tx,
  );
  return rows.length > 0;
}

export type SubscriptionRow = {
  readonly plan: Plan;
  readonly billing: Billing | null;
  readonly status: SubscriptionStatus;
  readonly limits: Partial<Limits>;
};

export async function findSubscription(tx: Db, accountId: string): Promise<SubscriptionRow | undefined> {
  const { rows } = await sql<SubscriptionRow>`
    select plan, billing, status, limits from subscription where account_id = ${accountId}`.execute(tx);
  return rows[0];
}

/** Reads the subscription and locks it until the transaction ends, so that no other change comes in between. */
export async function lockSubscription(tx: Db, accountId: string): Promise<SubscriptionRow | undefined> {
  const { rows } = await sql<SubscriptionRow>`
    select plan, billing, status, limits from subscription where account_id = ${accountId} for update`.execute(
    tx,
  );
  return rows[0];
}

export async function putSubscription(tx: Db, accountId: string, row: SubscriptionRow, nowMs: number) {
  await sql`
    insert into subscription (account_id, plan, billing, status, limits, updated_at)
    values (${accountId}, ${row.plan}, ${row.billing}, ${row.status}, ${JSON.stringify(row.limits)}::jsonb, ${timestampOf(nowMs)})
    on conflict (account_id) do update set plan = excluded.plan, billing = excluded.billing,
      status = excluded.status, limits = excluded.limits, updated_at = excluded.updated_at`.execute(tx);
}

// Keys

/** Serializes changes to the keys of one account, so that the limit on their number holds. */
export async function lockAccountKeys(tx: Db, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('assay.keys.' || ${accountId}::text, 0))`.execute(
    tx,
  );
}

export async function countActiveKeys(tx: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from api_key
     where account_id = ${accountId} and revoked_at is null`.execute(tx);
  return rows[0]?.count ?? 0;
}

export type NewKeyRow = {
  readonly id: string;
  readonly apiKey: string;
  readonly accountId: string;
  readonly userId: string;
  readonly secretHmac: Buffer;
  readonly pepperVersion: number;
  readonly label: string;
  readonly allowedCidrs: readonly string[];
  readonly parentId: string | null;
  readonly canSignIn: boolean;
};

export async function insertKey(tx: Db, key: NewKeyRow, nowMs: number): Promise<KeyRow | undefined> {
  const { rows } = await sql<KeyRow>`
    insert into api_key (id, api_key, account_id, user_id, secret_hmac, pepper_version, label, allowed_cidrs, parent_id,
                         can_sign_in, created_at)
    values (${key.id}, ${key.apiKey}, ${key.accountId}, ${key.userId}, ${key.secretHmac}, ${key.pepperVersion},
            ${key.label}, ${[...key.allowedCidrs]}::text[], ${key.parentId}, ${key.canSignIn}, ${timestampOf(nowMs)})
    returning ${KEY_COLUMNS}`.execute(tx);
  return rows[0];
}

export async function listActiveKeys(
  tx: Db,
  accountId: string | null,
  userId: string | null,
  limit: number,
): Promise<readonly KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    select ${KEY_COLUMNS} from api_key
     where revoked_at is null
       and (${accountId}::text is null or account_id = ${accountId})
       and (${userId}::text is null or user_id = ${userId})
     order by created_at desc, id desc limit ${limit}`.execute(tx);
  return rows;
}

export async function lockActiveKey(tx: Db, idOrApiKey: string): Promise<KeyRow | undefined> {
  const { rows } = await sql<KeyRow>`
    select ${KEY_COLUMNS} from api_key
     where revoked_at is null and (id = ${idOrApiKey} or api_key = ${idOrApiKey}) for update`.execute(tx);
  return rows[0];
}

/** The active keys made in sessions of this one, of those keys, and so on; an account has few keys. */
export async function selectDescendants(tx: Db, id: string, limit: number): Promise<readonly KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    with recursive lineage (found) as (
      select id from api_key where parent_id = ${id}
      union select k.id from api_key k join lineage on k.parent_id = lineage.found)
    select ${KEY_COLUMNS} from api_key
     where id in (select found from lineage) and revoked_at is null
     order by id limit ${limit}`.execute(tx);
  return rows;
}

/** Moves the keys made in sessions of one key to another, or to none. */
export async function moveChildren(tx: Db, fromId: string, toId: string | null): Promise<void> {
  await sql`update api_key set parent_id = ${toId} where parent_id = ${fromId}`.execute(tx);
}

/** A revoked key keeps no secret that could be verified, so its overlap ends too. */
export async function markRevoked(tx: Db, id: string, nowMs: number): Promise<void> {
  await sql`
    update api_key set revoked_at = ${timestampOf(nowMs)}, previous_hmac = null, previous_pepper_version = null,
           previous_valid_until = null
     where id = ${id}`.execute(tx);
}

/** The current secret becomes the previous one, valid until the given time; null drops it at once. */
export async function replaceSecret(
  tx: Db,
  id: string,
  secret: { readonly hmac: Buffer; readonly pepperVersion: number; readonly previousUntilMs: number | null },
  nowMs: number,
): Promise<KeyRow | undefined> {
  const until = secret.previousUntilMs;
  const { rows } = await sql<KeyRow>`
    update api_key
       set secret_hmac = ${secret.hmac}, pepper_version = ${secret.pepperVersion}, rotated_at = ${timestampOf(nowMs)},
           previous_hmac = case when ${until !== null} then secret_hmac end,
           previous_pepper_version = case when ${until !== null} then pepper_version end,
           previous_valid_until = ${timestampOf(until)}
     where id = ${id} returning ${KEY_COLUMNS}`.execute(tx);
  return rows[0];
}

export async function touchKeys(
  db: Db,
  ids: readonly string[],
  usedAtMs: readonly number[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    update api_key k set last_used_at = ${timestampOf(sql.ref('used.at_ms'))}
      from unnest(${[...ids]}::text[], ${[...usedAtMs]}::float8[]) as used(id, at_ms)
     where k.id = used.id
       and (k.last_used_at is null or k.last_used_at < ${timestampOf(sql.ref('used.at_ms'))})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** The key records as the replica would hold them; for the system pool, because the account is not known yet. */
export async function selectKeyEntries(
  db: Db,
  apiKeys: readonly string[],
): Promise<readonly { readonly key: Buffer; readonly value: Buffer }[]> {
  const { rows } = await sql<{ key: Buffer; value: Buffer }>`
    select key, value from access_key_entry
     where key = any(${apiKeys.map((apiKey) => Buffer.from(apiKey))}::bytea[])
     limit ${apiKeys.length}`.execute(db);
  return rows;
}

export const keysOfAccount = (accountId: string) =>
  sql<{ key: Buffer }>`select decode(api_key, 'escape') as key from api_key
                        where account_id = ${accountId} and revoked_at is null`;

// Licences

export type LicenceRow = {
  readonly id: string;
  readonly accountId: string;
  readonly label: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
};

const LICENCE_COLUMNS = sql`id, account_id as "accountId", label, created_at as "createdAt", expires_at as "expiresAt"`;

export async function insertLicence(
  tx: Db,
  licence: { id: string; accountId: string; keyHash: Buffer; label: string; expiresAtMs: number | null },
  nowMs: number,
): Promise<LicenceRow | undefined> {
  const { rows } = await sql<LicenceRow>`
    insert into licence_key (id, account_id, key_hash, label, created_at, expires_at)
    values (${licence.id}, ${licence.accountId}, ${licence.keyHash}, ${licence.label}, ${timestampOf(nowMs)},
            ${timestampOf(licence.expiresAtMs)})
    returning ${LICENCE_COLUMNS}`.execute(tx);
  return rows[0];
}

export async function listLicences(tx: Db, limit: number): Promise<readonly LicenceRow[]> {
  const { rows } = await sql<LicenceRow>`
    select ${LICENCE_COLUMNS} from licence_key where revoked_at is null
     order by created_at desc, id desc limit ${limit}`.execute(tx);
  return rows;
}

export async function revokeLicenceRow(
  tx: Db,
  id: string,
  nowMs: number,
): Promise<{ accountId: string; keyHash: Buffer } | undefined> {
  const { rows } = await sql<{ accountId: string; keyHash: Buffer }>`
    update licence_key set revoked_at = ${timestampOf(nowMs)} where id = ${id} and revoked_at is null
    returning account_id as "accountId", key_hash as "keyHash"`.execute(tx);
  return rows[0];
}

// Audit

export type AuditRow = {
  readonly id: string;
  readonly accountId: string;
  readonly actorKind: string;
  readonly actorId: string;
  readonly action: string;
  readonly target: string;
  readonly beforeHash: Buffer | null;
  readonly afterHash: Buffer | null;
  readonly detail: Readonly<Record<string, string>>;
  readonly ip: string;
  readonly requestId: string;
};

export async function insertAudit(tx: Db, row: AuditRow, nowMs: number): Promise<void> {
  await sql`
    insert into audit_entry (id, account_id, actor_kind, actor_id, action, target, before_hash, after_hash, detail, ip,
                             request_id, at)
    values (${row.id}, ${row.accountId}, ${row.actorKind}, ${row.actorId}, ${row.action}, ${row.target},
            ${row.beforeHash}, ${row.afterHash}, ${JSON.stringify(row.detail)}::jsonb, ${row.ip}, ${row.requestId}, ${timestampOf(nowMs)})`.execute(
    tx,
  );
}
