import type { Billing, Limits } from '#domain/plans/plans.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';
import type { SessionMethod } from './caller.ts';
import type { Role } from './store.ts';

export type SessionRow = {
  readonly id: string;
  readonly accountId: string;
  readonly userId: string;
  readonly lastSeenAt: Date;
  readonly keyId: string | null;
  readonly method: SessionMethod;
  readonly factors: readonly string[];
  readonly provedAt: Date;
  /** The server accepts no writes, so the session is read and not marked as seen. */
  readonly isReadOnly: boolean;
};

export async function insertSession(
  tx: Db,
  session: {
    id: string;
    tokenHash: Buffer;
    accountId: string;
    userId: string;
    ip: string;
    userAgent: string;
    keyId: string | null;
    method: SessionMethod;
    factors: readonly string[];
    provedAtMs: number;
  },
  nowMs: number,
  expiresAtMs: number,
): Promise<void> {
  await sql`
    insert into session (id, token_hash, account_id, user_id, key_id, created_at, last_seen_at, expires_at, ip, user_agent,
                         method, factors, proved_at)
    values (${session.id}, ${session.tokenHash}, ${session.accountId}, ${session.userId}, ${session.keyId}, ${timestampOf(nowMs)},
            ${timestampOf(nowMs)}, ${timestampOf(expiresAtMs)}, ${session.ip}, ${session.userAgent},
            ${session.method}, ${[...session.factors]}::text[], ${timestampOf(session.provedAtMs)})`.execute(
    tx,
  );
}

/** Keeps the newest sessions of a user: signing in repeatedly removes the user's oldest ones. */
export async function deleteOldestSessions(
  tx: Db,
  accountId: string,
  userId: string,
  kept: number,
): Promise<void> {
  await sql`
    delete from session where id in (
      select id from session where account_id = ${accountId} and user_id = ${userId}
       order by created_at desc, id desc offset ${kept})`.execute(tx);
}

export async function endSessionsOfKey(tx: Db, keyId: string, atMs: number): Promise<void> {
  await sql`
    update session set expires_at = least(expires_at, ${timestampOf(atMs)}) where key_id = ${keyId}`.execute(
    tx,
  );
}

/** The number of open sessions of each active key of an account; keys without one are absent. */
export async function countSessionsByKey(
  tx: Db,
  accountId: string,
  nowMs: number,
  idleMs: number,
  limit: number,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ keyId: string; count: number }>`
    select s.key_id as "keyId", count(*)::int as count
      from session s join api_key k on k.id = s.key_id and k.revoked_at is null
     where s.account_id = ${accountId} and s.expires_at > ${timestampOf(nowMs)}
       and s.last_seen_at > ${timestampOf(nowMs - idleMs)}
     group by s.key_id order by s.key_id limit ${limit}`.execute(tx);
  return new Map(rows.map(({ keyId, count }) => [keyId, count]));
}

export type SessionNames = {
  readonly email: string;
  readonly organizationName: string | null;
  readonly expiresAt: Date;
};

export async function selectSessionNames(tx: Db, id: string): Promise<SessionNames | undefined> {
  const { rows } = await sql<SessionNames>`
    select u.email, o.name as "organizationName", s.expires_at as "expiresAt"
      from session s
      join app_user u on u.id = s.user_id
      left join organization o on o.id = s.account_id
     where s.id = ${id}`.execute(tx);
  return rows[0];
}

/** Lets this transaction read the one session with this token hash (policy `by_token`). */
export async function nameSession(tx: Db, tokenHash: Buffer): Promise<void> {
  await sql`select set_config('assay.session', ${tokenHash.toString('hex')}, true)`.execute(tx);
}

export async function nameAccount(tx: Db, accountId: string): Promise<void> {
  await sql`select set_config('assay.account', ${accountId}, true)`.execute(tx);
}

export async function selectSession(
  tx: Db,
  tokenHash: Buffer,
  nowMs: number,
  idleMs: number,
): Promise<SessionRow | undefined> {
  const { rows } = await sql<SessionRow>`
    select id, account_id as "accountId", user_id as "userId", last_seen_at as "lastSeenAt", key_id as "keyId",
           method, factors, coalesce(proved_at, created_at) as "provedAt",
           current_setting('transaction_read_only')::boolean as "isReadOnly"
      from session
     where token_hash = ${tokenHash} and expires_at > ${timestampOf(nowMs)} and last_seen_at > ${timestampOf(nowMs - idleMs)}`.execute(
    tx,
  );
  return rows[0];
}

export type SessionGrants = {
  readonly organizationId: string | null;
  readonly role: Role | null;
  readonly plan: string;
  readonly billing: Billing | null;
  readonly status: string;
  readonly limits: Partial<Limits>;
  readonly cidrs: readonly string[];
  /** True when the account is an organization that demands a second factor of sessions. */
  readonly demandsFactor: boolean;
};

/**
 * The current grants and allow list of a user in the account; no row when the user has left the organization, the user or the
 * organization is deleted, or the key that opened the session was revoked.
 */
export async function selectGrants(
  tx: Db,
  { accountId, userId, keyId }: SessionRow,
): Promise<SessionGrants | undefined> {
  const { rows } = await sql<SessionGrants>`
    select m.account_id as "organizationId", m.role, coalesce(s.plan, 'FREE') as plan, s.billing,
           coalesce(s.status, 'active') as status, coalesce(s.limits, '{}') as limits,
           coalesce(k.allowed_cidrs, '{}') as cidrs, coalesce(o.demands_factor, false) as "demandsFactor"
      from app_user u
      left join membership m on m.account_id = ${accountId} and m.user_id = u.id
      left join subscription s on s.account_id = ${accountId}
      left join api_key k on k.id = ${keyId}
      left join organization o on o.id = ${accountId}
     where u.id = ${userId} and (u.id = ${accountId} or m.user_id is not null)
       and u.deleted_at is null and o.deleted_at is null
       and (${keyId}::text is null or (k.id is not null and k.revoked_at is null))`.execute(tx);
  return rows[0];
}

export async function touchSession(tx: Db, id: string, nowMs: number): Promise<void> {
  await sql`update session set last_seen_at = ${timestampOf(nowMs)} where id = ${id}`.execute(tx);
}

/** Replaces the token of a session, which makes the old one invalid, and adds the proofs given now. */
export async function replaceToken(
  tx: Db,
  id: string,
  { tokenHash, shown }: { readonly tokenHash: Buffer; readonly shown: readonly string[] },
  nowMs: number,
): Promise<Date | undefined> {
  const { rows } = await sql<{ expiresAt: Date }>`
    update session set token_hash = ${tokenHash}, proved_at = ${timestampOf(nowMs)},
           factors = array(select distinct unnest(factors || ${[...shown]}::text[]))
     where id = ${id}
    returning expires_at as "expiresAt"`.execute(tx);
  return rows[0]?.expiresAt;
}

export async function deleteSession(tx: Db, id: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`delete from session where id = ${id} returning id`.execute(tx);
  return rows.length > 0;
}

export async function deleteEndedSessions(db: Db, nowMs: number, idleMs: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from session where expires_at <= ${timestampOf(nowMs)} or last_seen_at <= ${timestampOf(nowMs - idleMs)}`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}

// Sessions of a person in all of their accounts; for the system pool.

export type PersonSession = {
  readonly id: string;
  readonly accountId: string;
  readonly method: SessionMethod;
  readonly factors: readonly string[];
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
  readonly ip: string;
  readonly userAgent: string;
};

export async function selectSessionsOfUser(
  db: Db,
  userId: string,
  nowMs: number,
  idleMs: number,
  limit: number,
): Promise<readonly PersonSession[]> {
  const { rows } = await sql<PersonSession>`
    select id, account_id as "accountId", method, factors, created_at as "createdAt", last_seen_at as "lastSeenAt",
           expires_at as "expiresAt", ip, user_agent as "userAgent"
      from session
     where user_id = ${userId} and expires_at > ${timestampOf(nowMs)} and last_seen_at > ${timestampOf(nowMs - idleMs)}
     order by last_seen_at desc, id desc limit ${limit}`.execute(db);
  return rows;
}

/** Deletes a session of the user; returns its account, or undefined where the user has no such session. */
export async function deleteSessionOfUser(tx: Db, userId: string, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ accountId: string }>`
    delete from session where id = ${id} and user_id = ${userId} returning account_id as "accountId"`.execute(
    tx,
  );
  return rows[0]?.accountId;
}

export async function deleteSessionsOfUser(
  tx: Db,
  userId: string,
): Promise<readonly { readonly id: string; readonly accountId: string }[]> {
  const { rows } = await sql<{ id: string; accountId: string }>`
    delete from session where user_id = ${userId}
    returning id, account_id as "accountId"`.execute(tx);
  return rows;
}
