import { type Db, sql } from '#platform/postgres.ts';
import type { SourceStatistics } from './contract.ts';
import type { SourceChange } from './present-sources.ts';

/** Each function is one statement. */

const DAY_S = 86_400;

/** What came and went per source in the last 24 hours; its first fetch is its load and not a change. */
export async function listChanges24h(db: Db, nowMs: number): Promise<readonly SourceChange[]> {
  const { rows } = await sql<SourceChange>`
    select s.number as "sourceNumber", sum(f.added)::float8 as "added24h", sum(f.removed)::float8 as "removed24h"
      from source s
      join source_fetch f on f.source_number = s.number
       and f.fetched_at > to_timestamp(${nowMs / 1000 - DAY_S}::float8)
     where f.fetched_at > (select min(fetched_at) from source_fetch where source_number = s.number)
     group by s.number
     limit 32767`.execute(db);
  return rows;
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
    values (${STATISTIC}, to_timestamp(${nowMs / 1000}::float8), ${seq}, ${JSON.stringify(value)}::jsonb)
    on conflict (name) do update
      set computed_at = excluded.computed_at, seq = excluded.seq, value = excluded.value`.execute(tx);
}

export async function findSourceStatistic(
  db: Db,
): Promise<{ readonly value: unknown; readonly computedAtMs: number } | undefined> {
  const { rows } = await sql<{ value: unknown; computedAtMs: number }>`
    select value, date_part('epoch', computed_at) * 1000 as "computedAtMs"
      from corpus_statistic where name = ${STATISTIC}`.execute(db);
  return rows[0];
}
