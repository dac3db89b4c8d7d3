import type { Judged } from '#capabilities/monitoring/judge-target.ts';
import type { Target } from '#capabilities/monitoring/target.ts';
import { newId } from '#platform/ids.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';

/** A large watchlist, written as the routes and the worker would write it: each item has its baseline. */

const HALF = 2;
const FIRST_IP = 45 * 2 ** 24;
const NAMES_A_SITE = 10;

/** Even numbers are addresses, odd ones names; ten names lie below one domain. */
export function watchedIp(n: number): string {
  const address = FIRST_IP + Math.floor(n / HALF) * 3;
  return [24, 16, 8, 0].map((bits) => Math.floor(address / 2 ** bits) % 256).join('.');
}
export function watchedDomain(n: number): string {
  const name = Math.floor(n / HALF);
  return `h${name % NAMES_A_SITE}.site${Math.floor(name / NAMES_A_SITE)}.com`;
}

type Baseline = {
  readonly level: string;
  readonly score: number;
  readonly listed: string;
  readonly seq: number;
};
const ROWS_AT_ONCE = 500_000;

export async function putWatched(
  db: Db,
  { items, accounts }: { readonly items: number; readonly accounts: number },
  judge: (value: string) => Baseline,
): Promise<void> {
  const [ip, name] = [judge(watchedIp(0)), judge(watchedDomain(1))];
  for (let from = 0; from < items; from += ROWS_AT_ONCE) {
    const through = Math.min(items, from + ROWS_AT_ONCE) - 1;
    await sql`
      insert into watch_target (key, entity_type, value, place, level, score, listed, seq, checked_at, next_check_at, created_at)
      select key, entity_type, value, place, case when entity_type = 'ip' then ${ip.level} else ${name.level} end,
             case when entity_type = 'ip' then ${ip.score}::int else ${name.score}::int end,
             decode(case when entity_type = 'ip' then ${ip.listed} else ${name.listed} end, 'hex'), ${ip.seq}::bigint, now(),
             now() + interval '6 hours', now()
        from (
          select decode('01' || lpad(to_hex(${FIRST_IP}::bigint + (n / 2) * 3), 8, '0'), 'hex') as key, 'ip' as entity_type,
                 host('45.0.0.0'::inet + ((n / 2) * 3)) as value,
                 decode('01' || lpad(to_hex(${FIRST_IP}::bigint + (n / 2) * 3), 8, '0'), 'hex') as place
            from generate_series(${from}::bigint, ${through}::bigint) as n where n % 2 = 0
          union all
          select '\\x05'::bytea || convert_to('h' || (n / 2) % 10 || '.site' || (n / 2) / 10 || '.com', 'UTF8'), 'domain',
                 'h' || (n / 2) % 10 || '.site' || (n / 2) / 10 || '.com',
                 '\\x05'::bytea || convert_to('com', 'UTF8') || '\\x01'::bytea || convert_to('site' || (n / 2) / 10, 'UTF8')
                   || '\\x01'::bytea || convert_to('h' || (n / 2) % 10, 'UTF8')
            from generate_series(${from}::bigint, ${through}::bigint) as n where n % 2 = 1) as w`.execute(db);
  }
  for (let from = 0; from < items; from += ROWS_AT_ONCE) {
    const through = Math.min(items, from + ROWS_AT_ONCE) - 1;
    await sql`
      insert into watch_item (id, account_id, target_key, notify, created_at)
      select 'mon_L' || n, 'org_' || lpad((n % ${accounts}::bigint)::text, 6, '0'),
             case when n % 2 = 0 then decode('01' || lpad(to_hex(${FIRST_IP}::bigint + (n / 2) * 3), 8, '0'), 'hex')
                  else '\\x05'::bytea || convert_to('h' || (n / 2) % 10 || '.site' || (n / 2) / 10 || '.com', 'UTF8') end,
             true, now()
        from generate_series(${from}::bigint, ${through}::bigint) as n`.execute(db);
  }
}

/** A value that was just added; `judged` is the verdict of the caller's node, or null when it gave none. */
export type Requested = {
  readonly target: Target;
  readonly judged: Judged | null;
  readonly accountId: string;
};

/** Values that were just added and wait for their first check by the worker, as the routes leave them. */
export async function putRequested(db: Db, added: readonly Requested[], nowMs: number): Promise<void> {
  const rows = added.map(({ target, judged, accountId }) => ({
    ...target,
    ...judged,
    accountId,
    id: newId('mon', nowMs),
    key: target.key.toString('hex'),
    place: target.place.toString('hex'),
    labels: judged?.labels ?? [],
    sources: judged?.sources ?? [],
  }));
  const now = timestampOf(nowMs);
  await sql`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::json)
        as g (id text, "accountId" text, key text, "entityType" text, value text, place text, level text, score int,
              "isMalicious" boolean, listed text, sources int[], labels text[], seq bigint)
    ), target as (
      insert into watch_target (key, entity_type, value, place, level, score, is_malicious, listed, sources, labels, seq,
                                checked_at, next_check_at, created_at)
      select decode(key, 'hex'), "entityType", value, decode(place, 'hex'), level, score, coalesce("isMalicious", false),
             decode(listed, 'hex'), sources, labels, coalesce(seq, 0), case when level is not null then ${now} end,
             ${now} + interval '24 hours', ${now}
        from given
    ), item as (
      insert into watch_item (id, account_id, target_key, notify, created_at)
      select id, "accountId", decode(key, 'hex'), true, ${now} from given
    ), account as (
      insert into watch_account as a (account_id, items) select "accountId", count(*) from given group by 1
      on conflict (account_id) do update set items = a.items + excluded.items
    )
    insert into watch_request (key) select decode(key, 'hex') from given`.execute(db);
}
