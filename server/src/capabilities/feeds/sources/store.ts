import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';
import { DAY_MS } from '#platform/time-units.ts';
import type { SourceStatistics } from './contract.ts';

/** SQL of source statistics. Each function is one statement. */

/** Entries that each source dropped in the last 24 hours. */
export async function listRemoved24h(db: Db, nowMs: number): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ sourceNumber: number; removed: number }>`
    select source_number as "sourceNumber", sum(removed)::float8 as removed from source_fetch
     where fetched_at > ${timestampOf(nowMs - DAY_MS)} and fetched_at <= ${timestampOf(nowMs)} and removed > 0
     group by source_number
     limit 32767`.execute(db);
  return new Map(rows.map(({ sourceNumber, removed }) => [sourceNumber, removed]));
}

const STATISTIC = 'sources';

export async function writeSourceStatistic(
  tx: Db,
  value: SourceStatistics,
  nowMs: number,
  seq: number,
): Promise<void> {
  await sql`
    insert into corpus_statistic (name, computed_at, seq, value)
    values (${STATISTIC}, ${timestampOf(nowMs)}, ${seq}, ${JSON.stringify(value)}::jsonb)
    on conflict (name) do update
      set computed_at = excluded.computed_at, seq = excluded.seq, value = excluded.value`.execute(tx);
}

export async function findSourceStatistic(
  db: Db,
): Promise<{ readonly value: unknown; readonly computedAtMs: number } | undefined> {
  const { rows } = await sql<{ value: unknown; computedAtMs: number }>`
    select value, ${msOf('computed_at')} as "computedAtMs"
      from corpus_statistic where name = ${STATISTIC}`.execute(db);
  return rows[0];
}
