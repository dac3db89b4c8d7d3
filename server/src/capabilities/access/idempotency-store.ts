import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';

/** Waits for a concurrent holder of the key to finish. True when the key is free or older than a day. */
export async function claimIdempotencyKey(
  tx: Db,
  claim: { accountId: string; key: string; fingerprint: Buffer },
  nowMs: number,
  keptMs: number,
): Promise<boolean> {
  const { rows } = await sql<{ key: string }>`
    insert into idempotency_key as held (account_id, key, fingerprint, created_at)
    values (${claim.accountId}, ${claim.key}, ${claim.fingerprint}, ${timestampOf(nowMs)})
    on conflict (account_id, key) do update
       set fingerprint = excluded.fingerprint, status = null, response = null, created_id = null,
           created_at = excluded.created_at
     where held.created_at <= ${timestampOf(nowMs - keptMs)}
    returning key`.execute(tx);
  return rows.length > 0;
}

export type KeptReply = {
  readonly fingerprint: Buffer;
  readonly status: number | null;
  readonly response: Buffer | null;
  /** What a repeat reads again. */
  readonly createdId: string | null;
};

export async function selectReply(tx: Db, accountId: string, key: string): Promise<KeptReply | undefined> {
  const { rows } = await sql<KeptReply>`
    select fingerprint, status, response, created_id as "createdId" from idempotency_key
     where account_id = ${accountId} and key = ${key}`.execute(tx);
  return rows[0];
}

export type NewReply = {
  readonly status: number;
  readonly response: Buffer | null;
  readonly createdId: string | null;
  /** What the account may store: one that has no room keeps no reply. */
  readonly storageBytes: number;
};

export async function keepReply(
  tx: Db,
  { accountId, key }: { readonly accountId: string; readonly key: string },
  { status, response, createdId, storageBytes }: NewReply,
) {
  await sql`
    update idempotency_key
       set status = ${status}, created_id = ${createdId},
           response = case when ${storageBytes}::float8 > (select coalesce(sum(greatest(0, bytes)), 0) from account_storage
                                                            where account_id = ${accountId})
                           then ${response}::bytea end
     where account_id = ${accountId} and key = ${key}`.execute(tx);
}

export async function deleteOldReplies(db: Db, nowMs: number, keptMs: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from idempotency_key where created_at <= ${timestampOf(nowMs - keptMs)}`.execute(db);
  return Number(numAffectedRows ?? 0);
}
