import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';

/** SQL of identities, tokens and used states. For the system role alone. */

export type IdentityKey = { readonly accountId: string; readonly issuer: string; readonly subject: string };

export async function findIdentity(tx: Db, key: IdentityKey): Promise<string | undefined> {
  const { rows } = await sql<{ userId: string }>`
    select user_id as "userId" from sso_identity
     where account_id = ${key.accountId} and issuer = ${key.issuer} and subject = ${key.subject}`.execute(tx);
  return rows[0]?.userId;
}

export async function hasIdentity(
  tx: Db,
  { accountId, issuer }: Pick<IdentityKey, 'accountId' | 'issuer'>,
  userId: string,
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select 1 from sso_identity
                    where account_id = ${accountId} and issuer = ${issuer} and user_id = ${userId}) as found`.execute(
    tx,
  );
  return rows[0]?.found === true;
}

export async function putIdentity(tx: Db, key: IdentityKey, userId: string, nowMs: number): Promise<void> {
  await sql`
    insert into sso_identity (account_id, issuer, subject, user_id, created_at, last_used_at)
    values (${key.accountId}, ${key.issuer}, ${key.subject}, ${userId}, ${timestampOf(nowMs)}, ${timestampOf(nowMs)})
    on conflict (account_id, issuer, subject) do update set last_used_at = excluded.last_used_at`.execute(tx);
}

export async function deleteIdentitiesOf(tx: Db, accountId: string, userId: string): Promise<void> {
  await sql`delete from sso_identity where account_id = ${accountId} and user_id = ${userId}`.execute(tx);
}

/** Inserts a person with an unproven address: an organization's provider vouches for it in that organization only. */
export async function insertPerson(tx: Db, id: string, email: string, nowMs: number): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    insert into app_user (id, email, created_at) values (${id}, ${email}, ${timestampOf(nowMs)})
    on conflict (email) do nothing returning id`.execute(tx);
  return rows.length > 0;
}

// Tokens

export type TokenRow = {
  readonly accountId: string;
  readonly userId: string;
  readonly factors: readonly string[];
  readonly provedAt: Date;
};

export async function insertToken(
  tx: Db,
  row: Omit<TokenRow, 'provedAt'> & {
    readonly tokenHash: Buffer;
    readonly browserHash: Buffer;
    readonly provedAtMs: number;
  },
  expiresAtMs: number,
): Promise<void> {
  await sql`
    insert into sso_token (token_hash, browser_hash, account_id, user_id, factors, proved_at, expires_at)
    values (${row.tokenHash}, ${row.browserHash}, ${row.accountId}, ${row.userId}, ${[...row.factors]}::text[],
            ${timestampOf(row.provedAtMs)}, ${timestampOf(expiresAtMs)})`.execute(tx);
}

/** Uses up a token: of several concurrent uses one gets the row, and a use in another browser uses it up too. */
export async function takeToken(
  db: Db,
  tokenHash: Buffer,
  browserHash: Buffer,
  nowMs: number,
): Promise<TokenRow | undefined> {
  const { rows } = await sql<TokenRow & { isHere: boolean }>`
    delete from sso_token where token_hash = ${tokenHash}
    returning account_id as "accountId", user_id as "userId", factors, proved_at as "provedAt",
              browser_hash = ${browserHash} and expires_at > ${timestampOf(nowMs)} as "isHere"`.execute(db);
  return rows[0]?.isHere === true ? rows[0] : undefined;
}

/** Marks the `state` of a sign-in as used; false if it was used before. */
export async function useState(db: Db, stateHash: Buffer, expiresAtMs: number): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`
    insert into sso_used_state (state_hash, expires_at) values (${stateHash}, ${timestampOf(expiresAtMs)})
    on conflict do nothing returning true as used`.execute(db);
  return rows.length > 0;
}

export async function deleteEnded(tx: Db, nowMs: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with tokens as (delete from sso_token where expires_at <= ${timestampOf(nowMs)} returning 1),
         states as (delete from sso_used_state where expires_at <= ${timestampOf(nowMs)} returning 1)
    select (select count(*) from tokens)::int + (select count(*) from states)::int as count`.execute(tx);
  return rows[0]?.count ?? 0;
}
