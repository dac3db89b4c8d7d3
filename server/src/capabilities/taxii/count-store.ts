import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';
import { bitOf, SHARED_IDS, type SharedId } from './collections.ts';

/** SQL of the counts that the description of a collection shows. */

export async function lastCountMs(db: Db): Promise<number | null> {
  const { rows } = await sql<{ atMs: number | null }>`
    select ${msOf(sql`min(computed_at)`)} as "atMs" from taxii_count`.execute(db);
  return rows[0]?.atMs ?? null;
}

/** Ten bands; the last one is 90 to 100 (decisions 3.6). Objects that left are not counted (O39). */
export const putCounts = (tx: Db, nowMs: number): Promise<unknown> =>
  sql`
    insert into taxii_count (collection, histogram, total, computed_at)
    select bit, array_agg(objects order by band), sum(objects), ${timestampOf(nowMs)}
      from (select c.bit, b.band, count(o.score)::int as objects
              from unnest(${SHARED_IDS.map(bitOf)}::smallint[]) as c(bit)
              cross join generate_series(0, 9) as b(band)
              left join (select collections, least(score / 10, 9) as band, score from taxii_object where collections <> 0) o
                     on o.band = b.band and o.collections & c.bit <> 0
             group by c.bit, b.band) counted
     group by bit
    on conflict (collection) do update set
      histogram = excluded.histogram, total = excluded.total, computed_at = excluded.computed_at`.execute(tx);

export type Count = {
  readonly histogram: readonly number[];
  readonly total: number;
  readonly computedAtMs: number;
};

/** Null before the first count. */
export async function findCount(db: Db, id: SharedId): Promise<Count | null> {
  const { rows } = await sql<Count>`
    select histogram, total, ${msOf('computed_at')} as "computedAtMs" from taxii_count
     where collection = ${bitOf(id)}`.execute(db);
  return rows[0] ?? null;
}

export type CollectionSize = { readonly id: SharedId; readonly objects: number; readonly left: number };

/** Counts the objects now instead of reading the stored counts; for operators. */
export async function countObjects(db: Db): Promise<readonly CollectionSize[]> {
  const { rows } = await sql<{ bit: number; objects: number; left: number }>`
    select c.bit, count(*) filter (where o.collections & c.bit <> 0)::float8 as objects,
           count(*) filter (where o.left_collections & c.bit <> 0)::float8 as "left"
      from unnest(${SHARED_IDS.map(bitOf)}::smallint[]) as c(bit) left join taxii_object o on true
     group by c.bit`.execute(db);
  return SHARED_IDS.map((id) => {
    const row = rows.find(({ bit }) => bit === bitOf(id));
    return { id, objects: row?.objects ?? 0, left: row?.left ?? 0 };
  });
}
