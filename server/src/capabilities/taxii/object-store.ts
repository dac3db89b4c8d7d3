import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';
import type { Audience } from './export-classes.ts';

/** SQL that compares what should be in the shared collections with what is, and publishes the difference. */

const HOUR_US = 3_600_000_000;
/** The rule by which times in texts are chosen (O69). An object of another rule gets one new version. */
const TIME_RULE = 1;
/** O11: a move of `valid_until` by less than a quarter of its span makes no new version. */
const MOVED_SHARE = 0.25;

/** What every exported class and URL should say, by key. A URL whose last hour has passed is left out at once. */
const wantedAt = (nowH: number) => sql`
  select s.key, c.level, c.score, c.confidence, c.sources, c.categories, c.collections, c.until_h
    from standing s join taxii_class c on c.class_id = s.class_id where c.collections <> 0
  union all
  select key, level, score, confidence, sources, categories, collections, until_h
    from taxii_url where until_h > ${nowH}`;

const shareOfLife = sql`(${sql.lit(MOVED_SHARE)}::float8 * greatest(o.until_us - o.added_us, ${HOUR_US}::bigint))`;

/**
 * Fills `taxii_change` anew; returns the number of differences. An earlier `valid_until` is published at once. A later
 * one, as every refetch brings it, is published when the last quarter of the old one has begun: otherwise an indicator
 * of a source that is fetched daily would get new versions three times as often.
 */
export async function compareCollections(tx: Db, nowH: number): Promise<number> {
  await sql`truncate taxii_change`.execute(tx);
  const { numAffectedRows } = await sql`
    insert into taxii_change (key, level, score, confidence, sources, categories, collections, until_h)
    select coalesce(w.key, o.key), w.level, w.score, w.confidence, w.sources, w.categories, coalesce(w.collections, 0),
           w.until_h
      from (${wantedAt(nowH)}) w
      full join (select key, level, categories, collections, until_us, added_us, time_rule
                   from taxii_object where collections <> 0) o
           on o.key = w.key
     where w.key is null or o.key is null
        or w.level <> o.level or w.categories <> o.categories or w.collections <> o.collections
        or o.time_rule <> ${sql.lit(TIME_RULE)}
        or abs(w.until_h * ${HOUR_US}::bigint - o.until_us) > ${shareOfLife}
           and (w.until_h * ${HOUR_US}::bigint < o.until_us or o.until_us - ${nowH}::bigint * ${HOUR_US} <= ${shareOfLife})`.execute(
    tx,
  );
  // Analyzed at once: without statistics of the filled table the planner would scan other tables for each batch of it.
  await sql`select taxii_analyze(false)`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export type Report = { readonly source_name: string; readonly url: string };

/** A difference with everything that its next version shows. */
export type Change = {
  readonly key: Buffer;
  /** Null if the object left all collections; then only `stix` is needed. */
  readonly level: 'low' | 'medium' | 'high' | 'critical' | null;
  readonly score: number;
  readonly confidence: number;
  readonly sources: number;
  readonly categories: readonly string[];
  readonly collections: number;
  readonly untilH: number;
  readonly value: string | null;
  /** The earliest date that a source states for the value, and the latest sighting that one states; null without any. */
  readonly firstSeenMs: number | null;
  readonly lastSeenMs: number | null;
  /** The date of the data in which a source first had the value, and of the newest data that has it. */
  readonly firstDataMs: number | null;
  readonly lastDataMs: number | null;
  readonly families: readonly string[] | null;
  readonly reports: readonly Report[] | null;
  /** Creation date of the stored object; null for a new object. */
  readonly createdUs: number | null;
  readonly was: number | null;
  readonly wasLeft: number | null;
  readonly leftUs: number | null;
  readonly stix: string | null;
};

/** The differences after a key, in the order of keys; null: from the first one. */
export async function changesAfter(
  tx: Db,
  {
    audience,
    after,
    limit,
  }: { readonly audience: Audience; readonly after: Buffer | null; readonly limit: number },
): Promise<readonly Change[]> {
  const { rows } = await sql<Change>`
    select ch.key, ch.level, ch.score, ch.confidence, ch.sources, ch.categories, ch.collections, ch.until_h as "untilH",
           i.value, o.created_us::float8 as "createdUs", o.collections as was, o.left_collections as "wasLeft",
           o.left_us::float8 as "leftUs", case when ch.collections = 0 then o.stix end as stix,
           l.first_ms as "firstSeenMs", l.last_ms as "lastSeenMs", l.first_data_ms as "firstDataMs",
           l.last_data_ms as "lastDataMs", l.families, l.reports
      from (select * from taxii_change where key > ${after ?? Buffer.alloc(0)} order by key limit ${limit}) ch
      left join taxii_object o on o.key = ch.key
      left join indicator i on i.key = ch.key
      left join lateral (
        select min(date_part('epoch', l.first_seen) * 1000) filter (where l.dated_by < 2) as first_ms,
               max(date_part('epoch', l.last_seen) * 1000) as last_ms,
               min(date_part('epoch', l.first_seen) * 1000) as first_data_ms,
               max(date_part('epoch', s.data_at) * 1000) as last_data_ms,
               array_agg(distinct l.family) filter (where l.family <> '') as families,
               jsonb_agg(distinct jsonb_build_object('source_name', s.name, 'url', l.reference))
                 filter (where l.reference ~ '^https?://[!-~]+$') as reports
          from listing l join source s on s.number = l.source_number
         where l.key = ch.key and ch.collections <> 0 and s.enabled and s.threat_class = 'threat' and not s.ad_only
           and (s.redistributable or ${audience === 'internal'})) l on true
     order by ch.key`.execute(tx);
  return rows;
}

/** Locks the choice of dates until the commit; returns the newest date that was given out. */
export async function lockDates(tx: Db): Promise<number> {
  const { rows } = await sql<{ newestUs: number }>`
    select newest_us::float8 as "newestUs" from taxii_state for update`.execute(tx);
  return rows[0]?.newestUs ?? 0;
}

export const saveNewestDate = (tx: Db, newestUs: number): Promise<unknown> =>
  sql`update taxii_state set newest_us = ${newestUs}`.execute(tx);

export type NewVersion = {
  readonly key: Buffer;
  readonly id: string;
  readonly addedUs: number;
  readonly createdUs: number;
  readonly untilUs: number;
  readonly leftUs: number | null;
  readonly collections: number;
  readonly leftCollections: number;
  readonly score: number;
  readonly level: string;
  readonly categories: readonly string[];
  readonly families: readonly string[];
  readonly stix: string;
};

export const putObjects = (tx: Db, rows: readonly NewVersion[]): Promise<unknown> =>
  sql`
    insert into taxii_object (key, id, added_us, created_us, until_us, left_us, collections, left_collections, score, level,
                              categories, families, stix, time_rule)
    select key, id, added_us, created_us, until_us, left_us, collections, left_collections, score, level,
           string_to_array(categories, ' '), string_to_array(families, E'\\n'), stix, ${sql.lit(TIME_RULE)}
      from unnest(
        ${rows.map(({ key }) => key)}::bytea[], ${rows.map(({ id }) => id)}::uuid[],
        ${rows.map(({ addedUs }) => addedUs)}::bigint[], ${rows.map(({ createdUs }) => createdUs)}::bigint[],
        ${rows.map(({ untilUs }) => untilUs)}::bigint[], ${rows.map(({ leftUs }) => leftUs)}::bigint[],
        ${rows.map(({ collections }) => collections)}::smallint[],
        ${rows.map(({ leftCollections }) => leftCollections)}::smallint[], ${rows.map(({ score }) => score)}::smallint[],
        ${rows.map(({ level }) => level)}::text[], ${rows.map(({ categories }) => categories.join(' '))}::text[],
        ${rows.map(({ families }) => families.join('\n'))}::text[], ${rows.map(({ stix }) => stix)}::text[])
        as g(key, id, added_us, created_us, until_us, left_us, collections, left_collections, score, level, categories,
             families, stix)
    on conflict (key) do update set
      added_us = excluded.added_us, until_us = excluded.until_us, left_us = excluded.left_us,
      collections = excluded.collections, left_collections = excluded.left_collections, score = excluded.score,
      level = excluded.level, categories = excluded.categories, families = excluded.families, stix = excluded.stix,
      time_rule = excluded.time_rule`.execute(tx);

/** Without statistics of `taxii_object` the planner would sort the whole collection for each page. */
export const analyzeObjects = (tx: Db): Promise<unknown> => sql`select taxii_analyze(true)`.execute(tx);

/** Objects that left before this time are no longer served. One that is in no collection keeps only its first date. */
export async function forgetLeft(tx: Db, beforeUs: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update taxii_object
       set left_collections = 0, left_us = null, stix = case when collections = 0 then null else stix end
     where left_collections <> 0 and left_us < ${beforeUs}`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export type SyncState = {
  readonly deployment: string;
  readonly deployedUs: number;
  readonly newestUs: number;
  readonly syncedAs: string | null;
  readonly judgedAs: string | null;
  readonly syncedAt: Date | null;
  readonly rebuiltAt: Date | null;
  readonly rebuildMs: number | null;
};

export async function readState(db: Db): Promise<SyncState> {
  const { rows } = await sql<SyncState>`
    select deployment, deployed_us::float8 as "deployedUs", newest_us::float8 as "newestUs", synced_as as "syncedAs",
           judged_as as "judgedAs", synced_at as "syncedAt", rebuilt_at as "rebuiltAt", rebuild_ms::float8 as "rebuildMs"
      from taxii_state`.execute(db);
  return rows[0] as SyncState;
}

export const saveSynced = (
  tx: Db,
  given: { readonly syncedAs: string; readonly judgedAs: string; readonly atMs: number },
): Promise<unknown> =>
  sql`update taxii_state set synced_as = ${given.syncedAs}, judged_as = ${given.judgedAs},
             synced_at = ${timestampOf(given.atMs)}`.execute(tx);

export const saveRebuilt = (tx: Db, atMs: number, tookMs: number): Promise<unknown> =>
  sql`update taxii_state set rebuilt_at = ${timestampOf(atMs)}, rebuild_ms = ${tookMs}`.execute(tx);
