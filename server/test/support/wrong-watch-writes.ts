import type pg from 'pg';
import { EVERY_EVENT, type WatchWriter } from './watch-writes.ts';

export type Wrong = { readonly lost: readonly string[]; readonly doubled: readonly string[] };
type Counts = ReadonlyMap<string, number>;

const TOLD = `'case.created', 'case.updated', 'alert.created', 'alert.updated', 'alert.resolved'`;

/** Queries for what is stored of the accounts $1: each row as one text, the key, with how often it is stored. */
const STORED = {
  case: `select id || ' ' || title || ' ' || status || ' ' || version || ' ' || evidence_count as key, 1 as count
           from action_case where account_id = any($1)`,
  evidence: `select case_id || ' ' || position || ' ' || title as key, count(*)::int as count
               from case_evidence where account_id = any($1) group by 1`,
  item: `select i.account_id || ' ' || i.id || ' ' || t.value || ' ' || i.notify as key, count(*)::int as count
           from watch_item i join watch_target t on t.key = i.target_key where i.account_id = any($1) group by 1`,
  account: `select account_id || ' ' || items as key, 1 as count from watch_account where account_id = any($1)`,
  webhook: `select account_id || ' ' || id || ' ' || description || ' ' || enabled as key, 1 as count
              from webhook_endpoint where account_id = any($1)`,
  action: `select action || ' ' || target as key, count(*)::int as count from audit_entry
            where account_id = any($1) and action ~ '^(case|monitoring|webhook|alert)[.]' group by 1`,
  decision: `select id || ' ' || status as key, 1 as count from alert where account_id = any($1) and status <> 'OPEN'`,
  alert: `select monitor_id as key, sum(occurrences)::int as count from alert where account_id = any($1) group by 1`,
  event: `select type || ' ' || (payload ->> 'id') as key, count(*)::int as count from event_outbox
           where account_id = any($1) and type in (${TOLD}) group by 1`,
  delivery: `select d.event || ' ' || (d.body::jsonb -> 'data' ->> 'id') as key, count(*)::int as count
               from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id
              where d.account_id = any($1) and e.description = '${EVERY_EVENT}' and d.event in (${TOLD})
                and d.status = 'delivered' group by 1`,
} as const;
type Table = keyof typeof STORED;
const TABLES = Object.keys(STORED) as readonly Table[];

/** What the tables must hold. `accused`: the watched values that a list named. */
function expectedOf(
  writers: readonly WatchWriter[],
  accused: ReadonlySet<string>,
  alertIds: readonly string[],
): Readonly<Record<Table, Counts>> {
  const of = Object.fromEntries(TABLES.map((table) => [table, new Map<string, number>()])) as Record<
    Table,
    Map<string, number>
  >;
  const put = (table: Table, key: string, count = 1) => of[table].set(key, count);
  // The worker emits one event for each alert that it raises.
  for (const id of alertIds)
    for (const table of ['event', 'delivery'] as const) put(table, `alert.created ${id}`);
  for (const { accountId, cases, items, webhooks, decided, done, told } of writers) {
    for (const [id, { title, status, version, evidence }] of cases) {
      put('case', `${id} ${title} ${status} ${version} ${evidence.length}`);
      for (const [at, piece] of evidence.entries()) put('evidence', `${id} ${at + 1} ${piece}`);
    }
    for (const [id, { value, notify }] of items) {
      put('item', `${accountId} ${id} ${value} ${notify}`);
      if (accused.has(value)) put('alert', id);
    }
    put('account', `${accountId} ${items.size}`);
    for (const [id, { description, enabled }] of webhooks)
      put('webhook', `${accountId} ${id} ${description} ${enabled}`);
    for (const [id, status] of decided) put('decision', `${id} ${status}`);
    for (const [key, count] of done) put('action', key, count);
    for (const [key, count] of told)
      for (const table of ['event', 'delivery'] as const) put(table, key, count);
  }
  return of;
}

/** Finds answered writes that PostgreSQL does not hold, and rows that it holds more often than they were written. */
export async function findWrongWatchWrites(
  client: pg.Client,
  writers: readonly WatchWriter[],
  accused: ReadonlySet<string>,
): Promise<Wrong> {
  const [lost, doubled]: [string[], string[]] = [[], []];
  const accountIds = writers.map(({ accountId }) => accountId);
  const { rows: alerts } = await client.query<{ id: string }>(
    'select id from alert where account_id = any($1)',
    [accountIds],
  );
  const expected = expectedOf(
    writers,
    accused,
    alerts.map(({ id }) => id),
  );
  const kept = new Set(writers.flatMap(({ items }) => [...items.keys()]));
  for (const table of TABLES) {
    const { rows } = await client.query<{ key: string; count: number }>(STORED[table], [accountIds]);
    const stored = new Map(rows.map(({ key, count }) => [key, count]));
    for (const [key, count] of expected[table])
      if ((stored.get(key) ?? 0) < count) lost.push(`${table} ${key}: ${stored.get(key) ?? 0} of ${count}`);
    for (const [key, count] of stored) {
      // A value that was unwatched may have raised one alert before: it is neither required nor wrong.
      const most = expected[table].get(key) ?? (table === 'alert' && !kept.has(key) ? 1 : 0);
      if (count > most) doubled.push(`${table} ${key}: ${count} of ${most}`);
    }
  }
  return { lost, doubled };
}
