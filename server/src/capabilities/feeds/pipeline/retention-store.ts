import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';

/** History reaches back 180 days: 90 of replay and 90 of fading before it (scoring rulings 5 and 12). */
export async function deleteOldListings(tx: Db, beforeMs: number, rowsMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from listing_past where ctid = any(array(
      select ctid from listing_past where listed_to < ${timestampOf(beforeMs)} limit ${rowsMax}))`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0);
}
