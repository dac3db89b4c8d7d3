import { KIND } from '#capabilities/corpus/index.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';
import type { EchoKind, SharedDates } from './echoes.ts';

const KINDS: readonly (readonly [number, EchoKind])[] = [
  [KIND.ipv4, 'ip'],
  [KIND.ipv6, 'ip'],
  [KIND.domain, 'domain'],
  [KIND.url, 'url'],
];

/** Undated entries (`dated_by` 2) have no order, so they are left out on both sides. */
export async function sharedDates(
  db: Db,
  sourceNumbers: readonly number[],
  sinceMs: number,
): Promise<readonly SharedDates[]> {
  const { rows } = await sql<SharedDates>`
    with recent as materialized (
      select l.key, l.source_number, l.first_seen, k.kind
        from listing l
        join unnest(${KINDS.map(([byte]) => byte)}::int[], ${KINDS.map(([, kind]) => kind)}::text[])
             as k(byte, kind) on k.byte = get_byte(l.key, 0)
       where l.dated_by < 2 and l.first_seen >= ${timestampOf(sinceMs)}
         and l.source_number = any(${sourceNumbers}::smallint[])
    ), size as (
      select source_number, kind, count(*)::int as entries from recent group by source_number, kind
    ), pair as (
      select r.source_number, o.source_number as original, r.kind, count(*)::int as common,
             (count(*) filter (where r.first_seen >= o.first_seen + interval '1 day'))::int as later
        from recent r join listing o on o.key = r.key and o.source_number <> r.source_number
       where o.dated_by < 2 and o.source_number = any(${sourceNumbers}::smallint[])
       group by r.source_number, o.source_number, r.kind
    )
    select p.source_number as source, p.original, p.kind, s.entries, p.common, p.later
      from pair p join size s using (source_number, kind)
     order by p.source_number, p.original, p.kind`.execute(db);
  return rows;
}
