import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';

/** SQL of people: passwords, registrations, tokens and requests. For the system role alone; one statement per function. */

// Requests

export type RequestKind = 'register' | 'resend' | 'forgot' | 'sign-in-failed';

export type RequestRow = {
  readonly id: string;
  readonly kind: RequestKind;
  readonly email: string;
  readonly phc: string | null;
  readonly ip: string;
  readonly requestId: string;
};

export async function insertRequest(tx: Db, row: RequestRow, nowMs: number): Promise<void> {
  await sql`
    insert into account_request (id, kind, email, phc, ip, request_id, created_at)
    values (${row.id}, ${row.kind}, ${row.email}, ${row.phc}, ${row.ip}, ${row.requestId}, ${timestampOf(nowMs)})`.execute(
    tx,
  );
}

/** Undefined when the request was answered before. */
export async function takeRequest(tx: Db, id: string): Promise<RequestRow | undefined> {
  const { rows } = await sql<RequestRow>`
    delete from account_request where id = ${id}
    returning id, kind, email, phc, ip, request_id as "requestId"`.execute(tx);
  return rows[0];
}

export async function deleteOldRequests(tx: Db, beforeMs: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from account_request where created_at <= ${timestampOf(beforeMs)}`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

// People

export type Person = {
  readonly userId: string;
  readonly phc: string | null;
  readonly passwordChangedAt: Date | null;
  readonly isUnclaimed: boolean;
};

export async function findPerson(db: Db, email: string): Promise<Person | undefined> {
  const { rows } = await sql<Person>`
    select u.id as "userId", p.phc, p.changed_at as "passwordChangedAt",
           u.unclaimed_since is not null as "isUnclaimed"
      from app_user u left join user_password p on p.user_id = u.id
     where u.email = ${email}`.execute(db);
  return rows[0];
}

export type PersonFacts = {
  readonly email: string;
  readonly createdAt: Date;
  readonly emailVerifiedAt: Date | null;
  readonly isUnclaimed: boolean;
  readonly phc: string | null;
};

export async function selectPerson(db: Db, userId: string): Promise<PersonFacts | undefined> {
  const { rows } = await sql<PersonFacts>`
    select u.email, u.created_at as "createdAt", u.email_verified_at as "emailVerifiedAt",
           u.unclaimed_since is not null as "isUnclaimed", p.phc
      from app_user u left join user_password p on p.user_id = u.id
     where u.id = ${userId}`.execute(db);
  return rows[0];
}

export type PersonAccount = {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  /** `sso`: only the organization's identity provider lets this person in. */
  readonly origin: string;
};

/** The organizations of a person, by name. */
export async function selectOrganizationsOf(
  db: Db,
  userId: string,
  limit: number,
): Promise<readonly PersonAccount[]> {
  const { rows } = await sql<PersonAccount>`
    select o.id, o.name, m.role, m.origin from membership m join organization o on o.id = m.account_id
     where m.user_id = ${userId} and o.deleted_at is null order by o.name, o.id limit ${limit}`.execute(db);
  return rows;
}

/** False when the address has a user already. */
export async function insertUser(
  tx: Db,
  user: { readonly id: string; readonly email: string; readonly isClaimed: boolean },
  nowMs: number,
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    insert into app_user (id, email, created_at, unclaimed_since)
    values (${user.id}, ${user.email}, ${timestampOf(nowMs)}, ${timestampOf(user.isClaimed ? null : nowMs)})
    on conflict (email) do nothing returning id`.execute(tx);
  return rows.length > 0;
}

/** Records that the address was proven by its owner, or that an operator vouches for it. */
export async function markProven(tx: Db, userId: string, nowMs: number): Promise<void> {
  await sql`
    update app_user set email_verified_at = coalesce(email_verified_at, ${timestampOf(nowMs)}), unclaimed_since = null
     where id = ${userId}`.execute(tx);
}

export async function putPassword(tx: Db, userId: string, phc: string, nowMs: number): Promise<void> {
  await sql`
    insert into user_password (user_id, phc, changed_at) values (${userId}, ${phc}, ${timestampOf(nowMs)})
    on conflict (user_id) do update set phc = excluded.phc, changed_at = excluded.changed_at`.execute(tx);
}

/** Stores the same password hashed with other parameters, unless the password was changed meanwhile. */
export async function replaceHash(tx: Db, userId: string, before: string, after: string): Promise<void> {
  await sql`update user_password set phc = ${after} where user_id = ${userId} and phc = ${before}`.execute(
    tx,
  );
}

/** Ends the low limit of an instant key's account, so that its plan's limit applies, unless an operator set another. */
export async function liftInstantLimit(tx: Db, accountId: string, checksPerMonth: number): Promise<void> {
  await sql`
    update subscription set limits = limits - 'checksPerMonth'
     where account_id = ${accountId} and limits -> 'checksPerMonth' = to_jsonb(${checksPerMonth}::int)`.execute(
    tx,
  );
}

/** The client addresses from which somebody tried to sign in to this account, or did, as the audit trail has them. */
export async function selectTriedAddresses(
  db: Db,
  userId: string,
  sinceMs: number,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ ip: string }>`
    select distinct ip from audit_entry
     where account_id = ${userId} and at > ${timestampOf(sinceMs)}
       and action in ('session.refuse', 'session.create') and ip <> ''
     order by ip limit ${limit}`.execute(db);
  return rows.map(({ ip }) => ip);
}

// Registrations

export async function insertRegistration(
  tx: Db,
  row: { readonly id: string; readonly email: string; readonly phc: string; readonly tokenHash: Buffer },
  nowMs: number,
  expiresAtMs: number,
): Promise<void> {
  await sql`
    insert into registration (id, email, phc, token_hash, created_at, expires_at)
    values (${row.id}, ${row.email}, ${row.phc}, ${row.tokenHash}, ${timestampOf(nowMs)}, ${timestampOf(expiresAtMs)})`.execute(
    tx,
  );
}

/** Keeps the newest registrations of an address, so that strangers cannot fill the table with them. */
export async function deleteOldestRegistrations(tx: Db, email: string, kept: number): Promise<void> {
  await sql`
    delete from registration where id in (
      select id from registration where email = ${email} order by created_at desc, id desc offset ${kept})`.execute(
    tx,
  );
}

export type Registration = { readonly email: string; readonly phc: string };

export async function findRegistration(
  db: Db,
  tokenHash: Buffer,
  nowMs: number,
): Promise<Registration | undefined> {
  const { rows } = await sql<Registration>`
    select email, phc from registration
     where token_hash = ${tokenHash} and expires_at > ${timestampOf(nowMs)}`.execute(db);
  return rows[0];
}

/** Serializes the completion of registrations of one address. */
export async function lockMailbox(tx: Db, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('assay.mailbox.' || ${email}::text, 0))`.execute(
    tx,
  );
}

/** Takes a registration by its token. Of concurrent uses one gets the row; the others wait for its commit. */
export async function takeRegistration(
  tx: Db,
  tokenHash: Buffer,
  nowMs: number,
): Promise<Registration | undefined> {
  const { rows } = await sql<Registration>`
    delete from registration where token_hash = ${tokenHash} and expires_at > ${timestampOf(nowMs)}
    returning email, phc`.execute(tx);
  return rows[0];
}

/** Gives the newest registration of an address another token. False where there is none. */
export async function replaceRegistrationToken(
  tx: Db,
  email: string,
  tokenHash: Buffer,
  nowMs: number,
  expiresAtMs: number,
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    update registration set token_hash = ${tokenHash}, expires_at = ${timestampOf(expiresAtMs)}
     where id = (select id from registration where email = ${email} and expires_at > ${timestampOf(nowMs)}
                  order by created_at desc, id desc limit 1)
    returning id`.execute(tx);
  return rows.length > 0;
}

export async function deleteRegistrations(tx: Db, email: string): Promise<void> {
  await sql`delete from registration where email = ${email}`.execute(tx);
}

export async function deleteEndedRegistrations(tx: Db, nowMs: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from registration where expires_at <= ${timestampOf(nowMs)}`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

// Tokens

export type TokenKind = 'reset' | 'claim';

export async function insertToken(
  tx: Db,
  row: { readonly tokenHash: Buffer; readonly kind: TokenKind; readonly userId: string },
  nowMs: number,
  expiresAtMs: number,
): Promise<void> {
  await sql`
    insert into account_token (token_hash, kind, user_id, created_at, expires_at)
    values (${row.tokenHash}, ${row.kind}, ${row.userId}, ${timestampOf(nowMs)}, ${timestampOf(expiresAtMs)})`.execute(
    tx,
  );
}

/** The user of a token, which stays usable. */
export async function findTokenUser(
  db: Db,
  tokenHash: Buffer,
  kind: TokenKind,
  nowMs: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ userId: string }>`
    select user_id as "userId" from account_token
     where token_hash = ${tokenHash} and kind = ${kind} and expires_at > ${timestampOf(nowMs)}`.execute(db);
  return rows[0]?.userId;
}

/** Takes a token and returns its user; of concurrent uses only one gets it. */
export async function takeToken(
  tx: Db,
  tokenHash: Buffer,
  kind: TokenKind,
  nowMs: number,
): Promise<{ readonly userId: string } | undefined> {
  const { rows } = await sql<{ userId: string }>`
    delete from account_token
     where token_hash = ${tokenHash} and kind = ${kind} and expires_at > ${timestampOf(nowMs)}
    returning user_id as "userId"`.execute(tx);
  return rows[0];
}

export async function deleteTokensOf(tx: Db, userId: string): Promise<void> {
  await sql`delete from account_token where user_id = ${userId}`.execute(tx);
}

export async function deleteEndedTokens(tx: Db, nowMs: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from account_token where expires_at <= ${timestampOf(nowMs)}`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
