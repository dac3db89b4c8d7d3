import type { OwnMatch } from '#capabilities/org-indicators/index.ts';
import type { Facet } from '#domain/monitoring/index.ts';
import type { RiskLevel } from '#domain/scoring/index.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';
import { BELOW_NAME_END, type EntityType, type Reach } from './target.ts';

/** SQL across accounts, for the worker: targets, and the items that watch them. */

/** What a live lookup said: a digest that is equal while nothing changed, and a text to show. */
export type FacetState = { readonly digest: string; readonly text: string };
export type FacetStates = Readonly<Partial<Record<Facet, FacetState>>>;

export type TargetRow = {
  readonly key: Buffer;
  readonly entityType: EntityType;
  readonly value: string;
  readonly level: RiskLevel | null;
  readonly score: number | null;
  readonly isMalicious: boolean;
  /** Hexadecimal. */
  readonly listed: string | null;
  readonly sources: readonly number[];
  readonly labels: readonly string[];
  readonly seq: number;
  readonly facets: FacetStates;
};

const TARGET = sql`
  t.key, t.entity_type as "entityType", t.value, t.level, t.score, t.is_malicious as "isMalicious",
  encode(t.listed, 'hex') as listed, t.sources, t.labels, t.seq::float8 as seq, t.facets`;

/**
 * Keys of the targets that changed keys of the corpus bear on, distinct and in order. Each name and span is one read of
 * the index of places, in the order of the index.
 */
export async function keysInReach(
  tx: Db,
  { points, names, spans, exact }: Reach,
): Promise<readonly Buffer[]> {
  const within = sql`select w.key from watch_target w where w.place >= s.f and w.place < s.t order by w.place`;
  const { rows } = await sql<{ key: Buffer }>`
    select distinct key from (
      select w.key from unnest(${[...points]}::bytea[]) as p (place) join watch_target w on w.place = p.place
       union all
      select found.key
        from (select n.f, n.f || ${BELOW_NAME_END}::bytea as t from unnest(${[...names]}::bytea[]) as n (f) order by 1) s
       cross join lateral (${within}) found
       union all
      select found.key
        from unnest(${spans.map(({ from }) => from)}::bytea[], ${spans.map(({ to }) => to)}::bytea[]) as s (f, t)
       cross join lateral (${within}) found
       union all
      select w.key from unnest(${[...exact]}::bytea[]) as e (key) join watch_target w on w.key = e.key
    ) near order by key`.execute(tx);
  return rows.map(({ key }) => key);
}

/** Locks targets in the order of keys, so that two checks of a value never alert twice about one change. */
export async function lockTargets(tx: Db, keys: readonly Buffer[]): Promise<readonly TargetRow[]> {
  const { rows } = await sql<TargetRow>`
    select ${TARGET} from watch_target t where t.key = any(${[...keys]}::bytea[])
     order by t.key for no key update`.execute(tx);
  return rows;
}

export async function keysAfter(tx: Db, after: Buffer, limit: number): Promise<readonly Buffer[]> {
  const { rows } = await sql<{ key: Buffer }>`
    select key from watch_target where key > ${after} order by key limit ${limit}`.execute(tx);
  return rows.map(({ key }) => key);
}

export type TargetState = Omit<TargetRow, 'entityType' | 'value' | 'facets'> & {
  readonly isChanged: boolean;
};

export const putStates = (tx: Db, states: readonly TargetState[], nowMs: number): Promise<unknown> =>
  sql`update watch_target t set level = g.level, score = g.score, is_malicious = g."isMalicious",
             listed = decode(g.listed, 'hex'), sources = g.sources, labels = g.labels, seq = g.seq,
             checked_at = ${timestampOf(nowMs)},
             changed_at = case when g."isChanged" then ${timestampOf(nowMs)} else t.changed_at end
        from json_to_recordset(${JSON.stringify(
          states.map(({ key, ...state }) => ({ ...state, key: key.toString('hex') })),
        )}::json)
             as g (key text, level text, score smallint, "isMalicious" boolean, listed text, sources int[], labels text[],
                   seq bigint, "isChanged" boolean)
       where t.key = decode(g.key, 'hex')`.execute(tx);

export type WatcherRow = {
  readonly id: string;
  readonly accountId: string;
  readonly key: Buffer;
  readonly notify: boolean;
  readonly own: OwnMatch | null;
  readonly ownLevel: RiskLevel | null;
  readonly ownMalicious: boolean;
  readonly ownListed: string | null;
};

const WATCHER = sql`
  i.id, i.account_id as "accountId", i.target_key as key, i.notify, i.own, i.own_level as "ownLevel",
  i.own_malicious as "ownMalicious", encode(i.own_listed, 'hex') as "ownListed"`;

/** Items of the targets `keys`; of the targets `ownOnly` only items with an entry of their organization. */
export async function selectWatchers(
  tx: Db,
  keys: readonly Buffer[],
  ownOnly: readonly Buffer[] = [],
): Promise<readonly WatcherRow[]> {
  const { rows } = await sql<WatcherRow>`
    select ${WATCHER} from watch_item i
     where i.target_key = any(${[...keys]}::bytea[])
        or (i.target_key = any(${[...ownOnly]}::bytea[]) and i.own is not null)
     order by i.account_id, i.id`.execute(tx);
  return rows;
}

/** Items by which one account watches the targets `keys`. */
export async function watchersOfAccount(
  tx: Db,
  accountId: string,
  keys: readonly Buffer[],
): Promise<readonly WatcherRow[]> {
  const { rows } = await sql<WatcherRow>`
    select ${WATCHER} from watch_item i
     where i.account_id = ${accountId} and i.target_key = any(${[...keys]}::bytea[]) order by i.id`.execute(
    tx,
  );
  return rows;
}

export type OwnState = {
  readonly id: string;
  readonly own: OwnMatch | null;
  readonly level: RiskLevel | null;
  readonly score: number | null;
  readonly isMalicious: boolean;
  readonly listed: string | null;
  readonly isChanged: boolean;
};

export const putOwnStates = (tx: Db, states: readonly OwnState[], nowMs: number): Promise<unknown> =>
  sql`update watch_item i set own = g.own, own_level = g.level, own_score = g.score, own_malicious = g."isMalicious",
             own_listed = decode(g.listed, 'hex'),
             own_changed_at = case when g."isChanged" then ${timestampOf(nowMs)} else i.own_changed_at end
        from json_to_recordset(${JSON.stringify(states)}::json)
             as g (id text, own jsonb, level text, score smallint, "isMalicious" boolean, listed text, "isChanged" boolean)
       where i.id = g.id`.execute(tx);

export async function accountsInReach(
  tx: Db,
  keys: readonly Buffer[],
): Promise<readonly { readonly accountId: string; readonly key: Buffer }[]> {
  const { rows } = await sql<{ accountId: string; key: Buffer }>`
    select account_id as "accountId", target_key as key from watch_item
     where target_key = any(${[...keys]}::bytea[]) order by 1`.execute(tx);
  return rows;
}
