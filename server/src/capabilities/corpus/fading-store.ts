import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';

/** SQL of delisted entries that still fade. They are inserted by `moveToPast` of the merge. */

export const forgetRelisted = (tx: Db, sourceNumber: number): Promise<unknown> =>
  sql`delete from listing_fading f using delta d
       where d.is_listed and not d.was_listed and f.key = d.key and f.source_number = ${sourceNumber}`.execute(
    tx,
  );

export const forgetFadingOf = (tx: Db, sourceNumbers: readonly number[]): Promise<unknown> =>
  sql`delete from listing_fading where source_number = any(${sourceNumbers}::smallint[])`.execute(tx);

/**
 * Removes entries that have faded out and returns their keys, which repeat if several sources had them. Rows locked by
 * a merge are left for the next sweep: the merge may list them again, and waiting for its locks could deadlock.
 */
export async function takeFaded(tx: Db, nowMs: number, rowsMax: number): Promise<readonly Buffer[]> {
  const { rows } = await sql<{ key: Buffer }>`
    with over as (
      select key, source_number from listing_fading
       where fades_until <= ${timestampOf(nowMs)}
       order by fades_until limit ${rowsMax} for update skip locked
    )
    delete from listing_fading f using over
     where f.key = over.key and f.source_number = over.source_number
    returning f.key`.execute(tx);
  return rows.map(({ key }) => key);
}
