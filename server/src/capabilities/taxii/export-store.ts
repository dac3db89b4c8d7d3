import { type Db, sql } from '#platform/postgres.ts';
import type { Export } from './judge-export.ts';

/** SQL of what is exported of each class of standings, and of each URL. */

export type KnownClass = Pick<Export, 'untilH' | 'computedH'> & {
  readonly classId: number;
  readonly scoreSeen: number;
};

/** One row for each exported class, that is with at least EXPORT_MIN_SCORE; about 20,000 rows. */
export async function knownClasses(db: Db): Promise<readonly KnownClass[]> {
  const { rows } = await sql<KnownClass>`
    select class_id as "classId", score_seen as "scoreSeen", until_h as "untilH", computed_h as "computedH"
      from taxii_class`.execute(db);
  return rows;
}

const columnsOf = (exports: readonly Export[]) => sql`
  ${exports.map(({ level }) => level)}::text[], ${exports.map(({ score }) => score)}::smallint[],
  ${exports.map(({ confidence }) => confidence)}::smallint[], ${exports.map(({ sources }) => sources)}::smallint[],
  ${exports.map(({ categories }) => categories.join(' '))}::text[],
  ${exports.map(({ collections }) => collections)}::smallint[], ${exports.map(({ untilH }) => untilH)}::int[],
  ${exports.map(({ computedH }) => computedH)}::int[]`;
const COLUMNS = sql`level, score, confidence, sources, categories, collections, until_h, computed_h`;
/** The arrays above as rows; categories travel as one text, because `unnest` would flatten an array of arrays. */
const GIVEN = sql`level, score, confidence, sources, string_to_array(categories, ' '), collections, until_h, computed_h`;
const RENEWED = sql`level = excluded.level, score = excluded.score, confidence = excluded.confidence,
  sources = excluded.sources, categories = excluded.categories, collections = excluded.collections,
  until_h = excluded.until_h, computed_h = excluded.computed_h`;

export type ClassExport = Export & { readonly classId: number; readonly scoreSeen: number };

export const putClasses = (tx: Db, classes: readonly ClassExport[]): Promise<unknown> =>
  sql`
    insert into taxii_class (class_id, score_seen, ${COLUMNS})
    select class_id, score_seen, ${GIVEN}
      from unnest(${classes.map(({ classId }) => classId)}::int[], ${classes.map(({ scoreSeen }) => scoreSeen)}::smallint[],
                  ${columnsOf(classes)}) as g(class_id, score_seen, ${COLUMNS})
    on conflict (class_id) do update set score_seen = excluded.score_seen, ${RENEWED}`.execute(tx);

export const removeClasses = (tx: Db, classIds: readonly number[]): Promise<unknown> =>
  sql`delete from taxii_class where class_id = any(${classIds}::int[])`.execute(tx);

export type UrlText = { readonly key: Buffer; readonly value: string };

/** URLs after a key that one of these sources lists. Only PostgreSQL has their text, the replica does not. */
export async function listedUrls(
  tx: Db,
  given: {
    readonly after: Buffer;
    readonly end: Buffer;
    readonly sources: readonly number[];
    readonly limit: number;
  },
): Promise<readonly UrlText[]> {
  const { rows } = await sql<UrlText>`
    select i.key, i.value from indicator i
     where i.key > ${given.after} and i.key < ${given.end}
       and exists (select 1 from listing l where l.key = i.key and l.source_number = any(${given.sources}::smallint[]))
     order by i.key limit ${given.limit}`.execute(tx);
  return rows;
}

export async function urlsAmong(
  tx: Db,
  keys: readonly Buffer[],
  sources: readonly number[],
): Promise<readonly UrlText[]> {
  const { rows } = await sql<UrlText>`
    select i.key, i.value from indicator i
     where i.key = any(${keys}::bytea[])
       and exists (select 1 from listing l where l.key = i.key and l.source_number = any(${sources}::smallint[]))`.execute(
    tx,
  );
  return rows;
}

export type UrlExport = Export & { readonly key: Buffer };

/** Writes only rows that differ; a later `until` alone counts as a difference. */
export async function putUrls(tx: Db, urls: readonly UrlExport[]): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into taxii_url as u (key, ${COLUMNS})
    select key, ${GIVEN} from unnest(${urls.map(({ key }) => key)}::bytea[], ${columnsOf(urls)}) as g(key, ${COLUMNS})
    on conflict (key) do update set ${RENEWED}
     where (u.level, u.score, u.categories, u.collections, u.until_h)
           is distinct from (excluded.level, excluded.score, excluded.categories, excluded.collections, excluded.until_h)`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0);
}

export async function removeUrls(tx: Db, keys: readonly Buffer[]): Promise<number> {
  const { numAffectedRows } = await sql`delete from taxii_url where key = any(${keys}::bytea[])`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** Removes the rows after `after` up to `through` (null: to `end`) that are not among `kept`. */
export async function removeUrlsBetween(
  tx: Db,
  given: {
    readonly after: Buffer;
    readonly through: Buffer | null;
    readonly end: Buffer;
    readonly kept: readonly Buffer[];
  },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from taxii_url u
     where u.key > ${given.after} and u.key < ${given.end}
       and (${given.through}::bytea is null or u.key <= ${given.through}::bytea)
       and not exists (select 1 from unnest(${given.kept}::bytea[]) as kept(key) where kept.key = u.key)`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0);
}
