import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';
import type { Source, SourceSettings } from './contract.ts';
import type { RangeEntry } from './range-table.ts';

/** SQL of the registry and of the values that replicas derive from the corpus; merges have stores of their own. */

export const SOURCE_COLUMNS = sql`
  number, id, name, type, category,
  case when cardinality(categories) = 0 then array[category] else categories end as categories,
  threat_class as "threatClass", fp_risk as "fpRisk", signal,
  scanner_kinds as "scannerKinds", ad_only as "adOnly", semantics, keeps_entries as "keepsEntries",
  cidr_semantics as "cidrSemantics", attributes, reliability, lineage, aggregate, interval_s as "intervalS",
  provider, url, licence, licence_mode as "licenceMode", redistributable, attribution, letter, tags,
  entity_types as "entityTypes", format, retention_days as "retentionDays", guard, rank_max as "rankMax", scheduled,
  own_list as "ownList", expires_days as "expiresDays", exported, cluster, echoes, enabled, version,
  coalesce(date_part('epoch', data_at), 0) as "dataAtS",
  coalesce(date_part('epoch', last_fetch_at), 0) as "lastFetchAtS", entries`;

export async function findSource(db: Db, id: string): Promise<Source | undefined> {
  const { rows } = await sql<Source>`select ${SOURCE_COLUMNS} from source where id = ${id}`.execute(db);
  return rows[0];
}

/** The registry holds hundreds of sources; smallint limits it to 32,767. */
export async function listSources(db: Db): Promise<readonly Source[]> {
  const { rows } = await sql<Source>`select ${SOURCE_COLUMNS} from source order by id limit 32767`.execute(
    db,
  );
  return rows;
}

/** Makes two merges of one source wait for each other; the lock is held until the commit. */
export async function lockSource(tx: Db, id: string): Promise<Source | undefined> {
  const { rows } = await sql<Source>`
    select ${SOURCE_COLUMNS} from source where id = ${id} for no key update`.execute(tx);
  return rows[0];
}

/**
 * Adds a source; true when it is new. A concurrent insert of the same id waits and then finds the row. It is looked up
 * first, because an insert that does nothing still draws a number, and smallint has only 32,767.
 */
export async function insertSource(tx: Db, id: string): Promise<boolean> {
  const { rows } = await sql`
    insert into source (id, name)
    select ${id}, ${id} where not exists (select 1 from source where id = ${id})
    on conflict (id) do nothing returning number`.execute(tx);
  return rows.length > 0;
}

/** Changes only the given settings; `null` in the parameters means "keep". */
export async function updateSource(tx: Db, id: string, given: SourceSettings): Promise<void> {
  await sql`
    update source set
      name = coalesce(${given.name ?? null}, name),
      type = coalesce(${given.type ?? null}, type),
      category = coalesce(${given.category ?? null}, category),
      categories = coalesce(${given.categories ?? null}::text[], categories),
      threat_class = coalesce(${given.threatClass ?? null}, threat_class),
      fp_risk = coalesce(${given.fpRisk ?? null}, fp_risk),
      signal = coalesce(${given.signal ?? null}, signal),
      scanner_kinds = coalesce(${given.scannerKinds ?? null}::text[], scanner_kinds),
      ad_only = coalesce(${given.adOnly ?? null}, ad_only),
      semantics = coalesce(${given.semantics ?? null}, semantics),
      keeps_entries = coalesce(${given.keepsEntries ?? null}, keeps_entries),
      cidr_semantics = coalesce(${given.cidrSemantics ?? null}, cidr_semantics),
      attributes = coalesce(${given.attributes ?? null}::text[], attributes),
      reliability = coalesce(${given.reliability ?? null}::real, reliability),
      lineage = coalesce(${given.lineage ?? null}, lineage),
      aggregate = coalesce(${given.aggregate ?? null}, aggregate),
      interval_s = coalesce(${given.intervalS ?? null}, interval_s),
      provider = coalesce(${given.provider ?? null}, provider),
      url = coalesce(${given.url ?? null}, url),
      licence = coalesce(${given.licence ?? null}, licence),
      licence_mode = coalesce(${given.licenceMode ?? null}, licence_mode),
      redistributable = coalesce(${given.redistributable ?? null}, redistributable),
      attribution = coalesce(${given.attribution ?? null}, attribution),
      letter = coalesce(${given.letter ?? null}, letter),
      tags = coalesce(${given.tags ?? null}::text[], tags),
      entity_types = coalesce(${given.entityTypes ?? null}::text[], entity_types),
      format = coalesce(${given.format ?? null}, format),
      retention_days = coalesce(${given.retentionDays ?? null}, retention_days),
      guard = coalesce(${given.guard ?? null}, guard),
      rank_max = coalesce(${given.rankMax ?? null}, rank_max),
      own_list = coalesce(${given.ownList ?? null}, own_list),
      expires_days = coalesce(${given.expiresDays ?? null}, expires_days),
      exported = coalesce(${given.exported ?? null}, exported),
      scheduled = coalesce(${given.scheduled ?? null}, scheduled),
      enabled = coalesce(${given.enabled ?? null}, enabled)
    where id = ${id}`.execute(tx);
}

/** Stores the current registry row, so that a past verdict can be replayed (scoring ruling 12). */
export async function recordRevision(tx: Db, sourceNumber: number, atMs: number): Promise<void> {
  await sql`
    insert into source_revision (source_number, valid_from, settings)
    select number, ${timestampOf(atMs)},
           to_jsonb(s) - array['data_at', 'last_fetch_at', 'entries', 'created_at', 'version']
      from source s where number = ${sourceNumber}
    on conflict (source_number, valid_from) do update set settings = excluded.settings`.execute(tx);
}

/**
 * Stores lineages, given as three columns; returns the numbers of the sources whose lineage changed. A source locked by
 * a merge is skipped: the merge may hold it for minutes, and waiting would delay all other merges.
 */
export async function updateLineages(
  tx: Db,
  numbers: readonly number[],
  clusters: readonly (string | null)[],
  echoes: readonly Source['echoes'][],
): Promise<readonly number[]> {
  const { rows } = await sql<{ number: number }>`
    with free as (
      select s.number, given.cluster, given.echoes
        from source s join unnest(${numbers}::smallint[], ${clusters}::text[],
                                  ${echoes.map((each) => JSON.stringify(each))}::jsonb[])
                           as given(number, cluster, echoes) using (number)
       where s.cluster is distinct from given.cluster or s.echoes is distinct from given.echoes
       order by s.number for no key update of s skip locked
    )
    update source s set cluster = free.cluster, echoes = free.echoes from free where s.number = free.number
    returning s.number`.execute(tx);
  return rows.map(({ number }) => number);
}

/** Keys and packed listings of one kind, in key order: the ranges of a family, the IPv6 addresses. */
export async function rangeEntries(tx: Db, kind: number): Promise<readonly RangeEntry[]> {
  const { rows } = await sql<RangeEntry>`
    select key, value from corpus_listing_entry
     where key >= ${Buffer.of(kind)} and key < ${Buffer.of(kind + 1)}
     order by key`.execute(tx);
  return rows;
}

/** All registry rows as one JSON array: hundreds of rows, some 500 bytes each. */
export async function registryJson(tx: Db): Promise<string> {
  const { rows } = await sql<{ json: string }>`
    select '[' || coalesce(string_agg(convert_from(value, 'UTF8'), ',' order by key), '') || ']' as json
      from corpus_source_entry`.execute(tx);
  return rows[0]?.json ?? '[]';
}
