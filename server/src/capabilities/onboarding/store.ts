import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';
import type { ProvenStep } from './steps.ts';

/** Each function is one statement under row-level security: it sees the rows of one account. */

export type Progress = { readonly done: readonly string[]; readonly completedAtMs: number | null };

export async function selectProgress(tx: Db, accountId: string): Promise<Progress> {
  const { rows } = await sql<Progress>`
    select done, ${msOf('completed_at')} as "completedAtMs" from onboarding where account_id = ${accountId}`.execute(
    tx,
  );
  return rows[0] ?? { done: [], completedAtMs: null };
}

/** Tells which steps rows prove: one row with a column per step, each read from the first rows of an index. */
export async function selectProofs(
  tx: Db,
  accountId: string,
): Promise<Readonly<Record<ProvenStep, boolean>>> {
  const { rows } = await sql<Record<ProvenStep, boolean>>`
    select exists (select 1 from api_key where account_id = ${accountId}) as key,
           exists (select 1 from usage_ledger
                    where account_id = ${accountId} and meter = 'checks' and used > 0) as check,
           exists (select 1 from usage_ledger where account_id = ${accountId} and meter = 'scans' and used > 0) as scan,
           exists (select 1 from blocklist_pull where account_id = ${accountId}) as list,
           (select count(*) from (select 1 from membership where account_id = ${accountId} limit 2) as two) > 1 as member,
           exists (select 1 from org_indicator where account_id = ${accountId}) as indicator`.execute(tx);
  return rows[0] ?? { key: false, check: false, scan: false, list: false, member: false, indicator: false };
}

/** Adds steps; several requests at once lose none. The first completion stays. */
export async function addDone(
  tx: Db,
  accountId: string,
  steps: readonly string[],
  completedAtMs: number | null,
): Promise<Progress> {
  const { rows } = await sql<Progress>`
    insert into onboarding as known (account_id, done, completed_at)
    values (${accountId}, ${steps}::text[], ${timestampOf(completedAtMs)})
    on conflict (account_id) do update set
      done = array(select distinct unnest(known.done || excluded.done)),
      completed_at = coalesce(known.completed_at, excluded.completed_at)
    returning done, ${msOf('completed_at')} as "completedAtMs"`.execute(tx);
  return rows[0] ?? { done: steps, completedAtMs };
}

export async function removeDone(tx: Db, accountId: string, step: string): Promise<void> {
  await sql`
    update onboarding set done = array_remove(done, ${step}) where account_id = ${accountId}`.execute(tx);
}
