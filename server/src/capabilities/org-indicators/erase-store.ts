import { type Db, sql } from '#platform/postgres.ts';

/** SQL of erasure; each statement deletes some rows of one organization and may run twice. */

type Place = 'org_indicator_object' | 'org_indicator_period' | 'org_indicator_revision';

export async function eraseRows(tx: Db, table: Place, accountId: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where account_id = ${accountId} limit ${limit}))`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** Deletes indicators, and gives the keys of their entries, which every replica has to drop. */
export async function eraseIndicatorRows(
  tx: Db,
  accountId: string,
  limit: number,
): Promise<readonly Buffer[]> {
  const { rows } = await sql<{ entryKey: Buffer }>`
    delete from org_indicator where ctid = any(array(
      select ctid from org_indicator where account_id = ${accountId} limit ${limit}))
    returning entry_key as "entryKey"`.execute(tx);
  return rows.map(({ entryKey }) => entryKey);
}

export async function eraseState(tx: Db, accountId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from org_indicator_state where account_id = ${accountId}`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
