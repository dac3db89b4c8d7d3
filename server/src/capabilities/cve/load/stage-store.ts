import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';
import type { ToldCounts } from './count-told.ts';
import type { PastShare } from './judge-told.ts';

/** SQL of a load: staging, the difference, and the counts of nulls. Each function is one statement. */

export type StagedLoad = {
  readonly contentSha256: string;
  readonly documents: number;
  readonly place: number;
  readonly counts: ToldCounts;
};

export async function findLoad(db: Db, dataset: number): Promise<StagedLoad | undefined> {
  const { rows } = await sql<StagedLoad>`
    select content_sha256 as "contentSha256", documents::float8 as documents, place::float8 as place, counts
      from cve_load where dataset = ${dataset}`.execute(db);
  return rows[0];
}

export const clearStage = (tx: Db, dataset: number): Promise<unknown> =>
  sql`delete from cve_stage where dataset = ${dataset}`.execute(tx);

/** Removes the rows of a document in which a load was killed, because it is read again. */
export const trimStage = (tx: Db, dataset: number, throughPlace: number): Promise<unknown> =>
  sql`delete from cve_stage where dataset = ${dataset} and place > ${throughPlace}`.execute(tx);

export const deleteLoad = (tx: Db, dataset: number): Promise<unknown> =>
  sql`delete from cve_load where dataset = ${dataset}`.execute(tx);

export const saveLoad = (tx: Db, dataset: number, load: StagedLoad): Promise<unknown> =>
  sql`insert into cve_load (dataset, content_sha256, documents, place, counts)
      values (${dataset}, ${load.contentSha256}, ${load.documents}, ${load.place}, ${JSON.stringify(load.counts)}::json)
      on conflict (dataset) do update set content_sha256 = excluded.content_sha256, documents = excluded.documents,
             place = excluded.place, counts = excluded.counts`.execute(tx);

export type StagedRow = {
  readonly cveId: string;
  readonly source: string;
  readonly document: string;
  readonly digest: Buffer;
  readonly told: string;
};

export const stageRows = (
  tx: Db,
  dataset: number,
  firstPlace: number,
  rows: readonly StagedRow[],
): Promise<unknown> =>
  sql`insert into cve_stage (dataset, place, cve_id, source, document, digest, told)
      select ${dataset}, ${firstPlace}::bigint + at, cve_id, source, document, digest, told::json
        from unnest(${rows.map(({ cveId }) => cveId)}::text[], ${rows.map(({ source }) => source)}::text[],
                    ${rows.map(({ document }) => document)}::text[], ${rows.map(({ digest }) => digest)}::bytea[],
                    ${rows.map(({ told }) => told)}::text[])
             with ordinality as given(cve_id, source, document, digest, told, at)`.execute(tx);

export type AppliedCounts = {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** Staged rows that a later one with the same key replaced. */
  readonly doubled: number;
};

/** Memory for the transaction of a load, which compares the keys of a million staged rows. */
export const allowMemory = (tx: Db): Promise<unknown> => sql`set local work_mem = '256MB'`.execute(tx);

/**
 * Writes only rows whose content changed, and marks their CVEs. A whole snapshot also removes rows that it lacks.
 * Of two staged rows with one key the later one counts. Keys are compared without the content: sorting it too would
 * write it to disk twice more.
 */
export async function applyStage(tx: Db, dataset: number, isWhole: boolean): Promise<AppliedCounts> {
  const sameKey = (a: string, b: string) =>
    sql.raw(`${a}.cve_id = ${b}.cve_id and ${a}.source = ${b}.source and ${a}.document = ${b}.document`);
  const { rows } = await sql<AppliedCounts>`
    with written as (
      insert into cve_told as t (cve_id, dataset, source, document, digest, told)
      select s.cve_id, ${dataset}, s.source, s.document, s.digest, s.told from cve_stage s
       where s.dataset = ${dataset}
         and not exists (select from cve_stage later
                          where later.dataset = ${dataset} and ${sameKey('later', 's')} and later.place > s.place)
         and not exists (select from cve_told known
                          where known.dataset = ${dataset} and ${sameKey('known', 's')} and known.digest = s.digest)
      on conflict (cve_id, dataset, source, document) do update
         set digest = excluded.digest, told = excluded.told
      returning t.cve_id, (t.xmax = 0) as is_new
    ), gone as (
      delete from cve_told t
       where ${isWhole} and t.dataset = ${dataset}
         and not exists (select from cve_stage s where s.dataset = ${dataset} and ${sameKey('s', 't')})
      returning t.cve_id
    ), marked as (
      insert into cve_pending (cve_id)
      select cve_id from written union select cve_id from gone
      on conflict do nothing
    )
    select (select count(*)::int from written where is_new) as added,
           (select count(*)::int from written where not is_new) as changed,
           (select count(*)::int from gone) as removed,
           (select count(*)::int from cve_stage where dataset = ${dataset})
             - (select count(*)::int from (select distinct cve_id, source, document from cve_stage
                                            where dataset = ${dataset}) as keys) as doubled`.execute(tx);
  return rows[0] ?? { added: 0, changed: 0, removed: 0, doubled: 0 };
}

/**
 * Removes from a data set of changes the CVEs whose record in the whole list is as new. A container of an ADP has no
 * date, so the record of the CNA decides for it too; otherwise an old container would win over that of the list.
 */
export const pruneChanges = (tx: Db, whole: number, changesId: string): Promise<unknown> =>
  sql`with gone as (
        delete from cve_told t using dataset d, cve_told change, cve_told listed
         where d.id = ${changesId} and t.dataset = d.number
           and change.cve_id = t.cve_id and change.dataset = d.number and change.source = 'cna'
           and listed.cve_id = t.cve_id and listed.dataset = ${whole} and listed.source = 'cna'
           and listed.told->>'modified' >= change.told->>'modified'
        returning t.cve_id)
      insert into cve_pending (cve_id) select distinct cve_id from gone
      on conflict do nothing`.execute(tx);

/** Marks the records with a KEV flag from other sources: once the KEV catalogue is loaded, it alone decides. */
export const markDisputedKev = (tx: Db): Promise<unknown> =>
  sql`insert into cve_pending (cve_id)
      select id from cve c
       where is_kev and not exists (select from cve_told t where t.cve_id = c.id and t.source = 'kev')
      on conflict do nothing`.execute(tx);

export async function countTold(tx: Db, dataset: number): Promise<number> {
  const { rows } = await sql<{ told: number }>`
    select count(*)::int as told from cve_told where dataset = ${dataset}`.execute(tx);
  return rows[0]?.told ?? 0;
}

export const saveQuality = (
  tx: Db,
  given: {
    readonly dataset: number;
    readonly loadedAtMs: number;
    readonly counts: ToldCounts;
    readonly isReleased: boolean;
  },
): Promise<unknown> => {
  const rows = Object.entries(given.counts.bySource).flatMap(([source, { records, nulls }]) =>
    Object.entries(nulls).map(([field, count]) => ({ source, field, records, nulls: count })),
  );
  return sql`
    insert into cve_quality (dataset, loaded_at, source, field, records, nulls, is_released)
    select ${given.dataset}, ${timestampOf(given.loadedAtMs)}, source, field, records, nulls, ${given.isReleased}
      from json_to_recordset(${JSON.stringify(rows)}::json)
           as given(source text, field text, records int, nulls int)
    on conflict do nothing`.execute(tx);
};

/** Shares of nulls of the last runs by source and field, newest first, without runs below `recordsMin` records. */
export async function readPastShares(
  db: Db,
  dataset: number,
  { runs, recordsMin }: { readonly runs: number; readonly recordsMin: number },
): Promise<readonly PastShare[]> {
  const { rows } = await sql<PastShare>`
    select source, field, share, "isReleased" from (
      select source, field, nulls::float8 / records as share, is_released as "isReleased", loaded_at,
             row_number() over (partition by source, field order by loaded_at desc) as nth
        from cve_quality where dataset = ${dataset} and records >= ${recordsMin}) as run
     where nth <= ${runs}
     order by loaded_at desc, source, field
     limit 2000`.execute(db);
  return rows;
}

export async function deleteOldQuality(tx: Db, beforeMs: number, rowsMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from cve_quality where ctid = any(array(
      select ctid from cve_quality where loaded_at < ${timestampOf(beforeMs)} limit ${rowsMax}))`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
