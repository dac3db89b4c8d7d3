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
       set fingerprint = excluded.fingerprint, status = null, response = null, created_at = excluded.created_at
     where held.created_at <= ${timestampOf(nowMs - keptMs)}
    returning key`.execute(tx);
  return rows.length > 0;
}

export type KeptReply = {
  readonly fingerprint: Buffer;
  readonly status: number | null;
  readonly response: Buffer | null;
};

export async function selectReply(tx: Db, accountId: string, key: string): Promise<KeptReply | undefined> {
  const { rows } = await sql<KeptReply>`
    select fingerprint, status, response from idempotency_key
     where account_id = ${accountId} and key = ${key}`.execute(tx);
  return rows[0];
}

export async function keepReply(
  tx: Db,
  accountId: string,
  key: string,
  status: number,
  response: Buffer | null,
) {
  await sql`
    update idempotency_key set status = ${status}, response = ${response}
     where account_id = ${accountId} and key = ${key}`.execute(tx);
}

export async function deleteOldReplies(db: Db, nowMs: number, keptMs: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from idempotency_key where created_at <= ${timestampOf(nowMs - keptMs)}`.execute(db);
  return Number(numAffectedRows ?? 0);
}
