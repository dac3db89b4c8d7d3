import { type Db, sql } from '#platform/postgres.ts';

/**
 * Counters of an account over all its cases. The row is written in the transaction of the case or the piece of evidence
 * and stays locked until it ends, so that concurrent writers cannot exceed the limits of the plan together.
 */

/** False where the account has this many cases already. */
export async function takeCase(tx: Db, accountId: string, casesMax: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into case_account as a (account_id, cases) select ${accountId}, 1 where ${casesMax}::bigint > 0
    on conflict (account_id) do update set cases = a.cases + 1 where a.cases < ${casesMax}::bigint`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}

/** False where the evidence of the account would pass `bytesMax`; without a limit (null) it is always added. */
export async function takeEvidence(
  tx: Db,
  accountId: string,
  bytes: number,
  bytesMax: number | null,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into case_account as a (account_id, evidence_bytes)
    select ${accountId}, ${bytes}::bigint where ${bytesMax}::bigint is null or ${bytes}::bigint <= ${bytesMax}::bigint
    on conflict (account_id) do update set evidence_bytes = a.evidence_bytes + excluded.evidence_bytes
     where ${bytesMax}::bigint is null or a.evidence_bytes + excluded.evidence_bytes <= ${bytesMax}::bigint`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}

export async function evidenceBytesOf(tx: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select evidence_bytes::float8 as bytes from case_account where account_id = ${accountId}`.execute(tx);
  return rows[0]?.bytes ?? 0;
}
