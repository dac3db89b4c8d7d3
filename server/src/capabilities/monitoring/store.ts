import type { OwnMatch } from '#capabilities/org-indicators/index.ts';
import type { RiskLevel } from '#domain/scoring/index.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';
import type { Judged } from './judge-target.ts';
import type { EntityType, Target } from './target.ts';

/** SQL of requests. Row-level security limits an account to its own items, and to the targets of these. */

export type ItemRow = {
  readonly id: string;
  readonly key: Buffer;
  readonly entityType: EntityType;
  readonly value: string;
  readonly label: string | null;
  readonly notify: boolean;
  readonly level: RiskLevel | null;
  readonly score: number | null;
  readonly isMalicious: boolean;
  readonly checkedAtMs: number | null;
  readonly nextCheckAtMs: number;
  readonly changedAtMs: number | null;
  readonly createdAtMs: number;
};

/** Columns of an item: the state of its target, unless the organization has an entry of its own for the value. */
const ITEM = sql`
  i.id, t.key, t.entity_type as "entityType", t.value, i.label, i.notify,
  coalesce(i.own_level, t.level) as level, case when i.own_level is null then t.score else i.own_score end as score,
  case when i.own_level is null then t.is_malicious else i.own_malicious end as "isMalicious",
  ${msOf('t.checked_at')} as "checkedAtMs", ${msOf('t.next_check_at')} as "nextCheckAtMs",
  case when greatest(t.changed_at, i.own_changed_at) > i.created_at
       then ${msOf(sql`greatest(t.changed_at, i.own_changed_at)`)} end as "changedAtMs",
  ${msOf('i.created_at')} as "createdAtMs"`;

/** Locks the account's row, made if absent, so that an account has one writer at a time. Gives its number of items. */
export async function lockAccount(tx: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ items: number }>`
    insert into watch_account as a (account_id) values (${accountId})
    on conflict (account_id) do update set items = a.items returning items`.execute(tx);
  return rows[0]?.items ?? 0;
}

export const addToAccount = (tx: Db, accountId: string, items: number): Promise<unknown> =>
  sql`update watch_account set items = items + ${items} where account_id = ${accountId}`.execute(tx);

export async function countItems(tx: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ items: number }>`
    select items from watch_account where account_id = ${accountId}`.execute(tx);
  return rows[0]?.items ?? 0;
}

export async function selectItems(
  tx: Db,
  accountId: string,
  { page, limit }: { readonly page: number; readonly limit: number },
): Promise<readonly ItemRow[]> {
  const { rows } = await sql<ItemRow>`
    select ${ITEM}
      from (select * from watch_item where account_id = ${accountId}
             order by created_at desc, id desc limit ${limit} offset ${(page - 1) * limit}) i
      join watch_target t on t.key = i.target_key
     order by i.created_at desc, i.id desc`.execute(tx);
  return rows;
}

export async function selectItem(
  tx: Db,
  accountId: string,
  by: { readonly id: string } | { readonly key: Buffer },
): Promise<ItemRow | undefined> {
  const { rows } = await sql<ItemRow>`
    select ${ITEM} from watch_item i join watch_target t on t.key = i.target_key
     where i.account_id = ${accountId} and ${'id' in by ? sql`i.id = ${by.id}` : sql`i.target_key = ${by.key}`}`.execute(
    tx,
  );
  return rows[0];
}

/** Inserts a target. An existing one stays as it is, because the worker updates it. */
export async function insertTarget(
  tx: Db,
  target: Target,
  judged: Judged | null,
  given: { readonly nowMs: number; readonly nextCheckMs: number },
): Promise<void> {
  const now = timestampOf(given.nowMs);
  await sql`
    insert into watch_target (key, entity_type, value, place, level, score, is_malicious, listed, sources, labels, seq,
                              checked_at, next_check_at, created_at)
    values (${target.key}, ${target.entityType}, ${target.value}, ${target.place}, ${judged?.level ?? null},
            ${judged?.score ?? null}, ${judged?.isMalicious ?? false}, decode(${judged?.listed ?? null}::text, 'hex'),
            ${[...(judged?.sources ?? [])]}::int[], ${[...(judged?.labels ?? [])]}::text[], ${judged?.seq ?? 0},
            ${judged === null ? sql`null` : now}, ${timestampOf(given.nextCheckMs)}, ${now})
    on conflict do nothing`.execute(tx);
}

export type NewItem = {
  readonly id: string;
  readonly accountId: string;
  readonly key: Buffer;
  readonly label: string | null;
  readonly notify: boolean;
  readonly own: OwnMatch | null;
  readonly judged: Judged | null;
};

/** Inserts an item, with a request that makes a worker check the value even if its target existed before. */
export async function insertItem(tx: Db, item: NewItem, nowMs: number): Promise<void> {
  const own = item.own === null ? null : item.judged;
  await sql`
    with requested as (insert into watch_request (key) values (${item.key}))
    insert into watch_item (id, account_id, target_key, label, notify, own, own_level, own_score, own_malicious, own_listed,
                            created_at)
    values (${item.id}, ${item.accountId}, ${item.key}, ${item.label}, ${item.notify},
            ${item.own === null ? null : JSON.stringify(item.own)}::jsonb, ${own?.level ?? null}, ${own?.score ?? null},
            ${own?.isMalicious ?? false}, decode(${own?.listed ?? null}::text, 'hex'), ${timestampOf(nowMs)})`.execute(
    tx,
  );
}

export const updateNotify = (tx: Db, id: string, notify: boolean): Promise<unknown> =>
  sql`update watch_item set notify = ${notify} where id = ${id}`.execute(tx);

export const deleteItem = (tx: Db, id: string): Promise<unknown> =>
  sql`delete from watch_item where id = ${id}`.execute(tx);

export type ItemCount = {
  readonly entityType: EntityType;
  readonly level: RiskLevel | null;
  readonly isMalicious: boolean;
  readonly isChanged: boolean;
  readonly count: number;
};

/** Counts items by state. `isChanged`: the state changed after `sinceMs`. */
export async function countByState(
  tx: Db,
  accountId: string,
  sinceMs: number,
): Promise<readonly ItemCount[]> {
  const { rows } = await sql<ItemCount>`
    select t.entity_type as "entityType", coalesce(i.own_level, t.level) as level,
           case when i.own_level is null then t.is_malicious else i.own_malicious end as "isMalicious",
           coalesce(greatest(t.changed_at, i.own_changed_at) > greatest(i.created_at, ${timestampOf(sinceMs)}), false)
             as "isChanged",
           count(*)::float8 as count
      from watch_item i join watch_target t on t.key = i.target_key
     where i.account_id = ${accountId} group by 1, 2, 3, 4`.execute(tx);
  return rows;
}
