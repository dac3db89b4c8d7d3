import { type Db, sql } from '#platform/postgres.ts';

/** SQL of listings that left and still fade; `moveToPast` of the merge puts them there. */

/** What a merge lists again is no longer delisted. */
export const forgetRelisted = (tx: Db, sourceNumber: number): Promise<unknown> =>
  sql`delete from listing_fading f using delta d
       where d.is_listed and not d.was_listed and f.key = d.key and f.source_number = ${sourceNumber}`.execute(
    tx,
  );

/** A source that is loaded from nothing has nothing that fades. */
export const forgetFadingOf = (tx: Db, sourceNumbers: readonly number[]): Promise<unknown> =>
  sql`delete from listing_fading where source_number = any(${sourceNumbers}::smallint[])`.execute(tx);

/**
 * Answers the keys, some of them twice: one a source. Rows that a merge holds are left for the next time: it lists them
 * again, and waiting for it in another order than its own could stop both.
 */
export async function takeFaded(tx: Db, nowMs: number, rowsMax: number): Promise<readonly Buffer[]> {
  const { rows } = await sql<{ key: Buffer }>`
    with over as (
      select key, source_number from listing_fading
       where fades_until <= to_timestamp(${nowMs / 1000}::float8)
       order by fades_until limit ${rowsMax} for update skip locked
    )
    delete from listing_fading f using over
     where f.key = over.key and f.source_number = over.source_number
    returning f.key`.execute(tx);
  return rows.map(({ key }) => key);
}
