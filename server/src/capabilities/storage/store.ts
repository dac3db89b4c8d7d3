import { type Db, sql } from '#platform/postgres.ts';

/** What an account can store; each is one row that the tables themselves count. */
export const STORED_KINDS = [
  'report',
  'case',
  'inventory',
  'webhook',
  'watch',
  'reply',
  'indicator',
] as const;
export type StoredKind = (typeof STORED_KINDS)[number];

export type Stored = { readonly kind: StoredKind; readonly bytes: number };

export async function selectStored(tx: Db, accountId: string): Promise<readonly Stored[]> {
  const { rows } = await sql<Stored>`
    select kind, greatest(0, bytes)::float8 as bytes from account_storage
     where account_id = ${accountId} limit ${STORED_KINDS.length}`.execute(tx);
  return rows;
}

/** The bytes of an account, and whether nobody has claimed it yet. */
export async function selectRoom(
  tx: Db,
  accountId: string,
): Promise<{ readonly bytes: number; readonly isUnclaimed: boolean }> {
  const { rows } = await sql<{ bytes: number; isUnclaimed: boolean }>`
    select (select coalesce(sum(greatest(0, bytes)), 0)::float8 from account_storage where account_id = ${accountId})
             as bytes,
           exists (select 1 from app_user where id = ${accountId} and unclaimed_since is not null) as "isUnclaimed"`.execute(
    tx,
  );
  return rows[0] ?? { bytes: 0, isUnclaimed: false };
}

export type StoredAccount = { readonly accountId: string; readonly bytes: number };

/** The accounts that store most, judged by those whose single kinds are the largest. */
export async function selectLargest(tx: Db, limit: number): Promise<readonly StoredAccount[]> {
  const { rows } = await sql<StoredAccount>`
    select account_id as "accountId", sum(bytes)::float8 as bytes from account_storage
     where account_id in (select account_id from account_storage order by bytes desc limit ${limit * STORED_KINDS.length})
     group by 1 order by 2 desc limit ${limit}`.execute(tx);
  return rows;
}
