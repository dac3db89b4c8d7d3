import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';
import { DAY_MS } from '#platform/time-units.ts';
import type { SourceStatistics } from './contract.ts';
import type { SourceChange } from './present-sources.ts';

/** SQL of source statistics. Each function is one statement. */

/** Entries added and removed per source in the last 24 hours. Its first fetch is the first load and does not count. */
export async function listChanges24h(db: Db, nowMs: number): Promise<readonly SourceChange[]> {
  const { rows } = await sql<SourceChange>`
    select s.number as "sourceNumber", sum(f.added)::float8 as "added24h", sum(f.removed)::float8 as "removed24h"
      from source s
      join source_fetch f on f.source_number = s.number
       and f.fetched_at > ${timestampOf(nowMs - DAY_MS)}
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
