import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';
import type { RiskBrief } from './contract-brief.ts';

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export async function hasBrief(tx: Db, accountId: string, periodStartMs: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from risk_brief
     where account_id = ${accountId} and period_start = ${dayOf(periodStartMs)}::date`.execute(tx);
  return rows.length > 0;
}

/** Stores a brief, unless the account has one for that week already. */
export async function insertBrief(
  tx: Db,
  accountId: string,
  periodStartMs: number,
  brief: RiskBrief,
  nowMs: number,
): Promise<void> {
  await sql`
    insert into risk_brief (id, account_id, period_start, generated_at, body)
    values (${brief.id}, ${accountId}, ${dayOf(periodStartMs)}::date, ${timestampOf(nowMs)},
            ${JSON.stringify(brief)}::jsonb)
    on conflict do nothing`.execute(tx);
}

export async function findLatestBrief(tx: Db, accountId: string): Promise<unknown> {
  const { rows } = await sql<{ body: unknown }>`
    select body from risk_brief where account_id = ${accountId} order by period_start desc limit 1`.execute(
    tx,
  );
  return rows[0]?.body;
}

export async function deleteOldBriefs(tx: Db, beforeMs: number, limit: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    delete from risk_brief where id in (
      select id from risk_brief where period_start < ${dayOf(beforeMs)}::date limit ${limit}) returning id`.execute(
    tx,
  );
  return rows.length;
}
