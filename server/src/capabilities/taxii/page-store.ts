import { type ExaminedPage, type PageEnd, pageEnd, pageRows } from '#platform/examined-page.ts';
import { type Db, type RawBuilder, sql } from '#platform/postgres.ts';

/** SQL of pages of the shared collections. */

export type SharedPageQuery = {
  readonly bit: number;
  /** `added`: ascending by date added; `created`: newest created first. */
  readonly order: 'added' | 'created';
  readonly key: number | null;
  readonly afterUs: number | null;
  readonly beforeUs: number | null;
  readonly minScore: number;
  readonly maxScore: number;
  /** Null: all. */
  readonly versionsUs: readonly number[] | null;
  /** Also shows objects that left since this time; null: only those in the collection now. */
  readonly leftSinceUs: number | null;
  readonly limit: number;
  readonly examinedMax: number;
};

const FIRST = 0;
const END = Number.MAX_SAFE_INTEGER;

const heldBy = (bit: number) => sql`(collections | left_collections) & ${sql.lit(bit)} <> 0`;

/**
 * True if few objects changed since `afterUs`: then they are found by that date and sorted by creation. Otherwise a
 * poll in the order of creation would examine the whole collection for them.
 */
async function fewChangedSince(
  db: Db,
  { bit, order, afterUs, examinedMax }: SharedPageQuery,
): Promise<boolean> {
  if (order === 'added' || afterUs === null) return false;
  const { rows } = await sql<{ changed: number }>`
    select count(*)::int as changed from (
      select 1 from taxii_object where ${heldBy(bit)} and added_us > ${afterUs}::bigint limit ${examinedMax + 1}) c`.execute(
    db,
  );
  return (rows[0]?.changed ?? 0) <= examinedMax;
}

async function pageOf(db: Db, query: SharedPageQuery): Promise<ExaminedPage> {
  const { order, key, afterUs, beforeUs, bit } = query;
  const columns = sql`added_us as dated, added_us, created_us, collections, left_us, score, id, families, stix`;
  const isDescending = order === 'created';
  const ofDates = sql`added_us > ${afterUs ?? FIRST}::bigint and added_us < ${beforeUs ?? END}::bigint`;
  const page = { isDescending, limit: query.limit, examinedMax: query.examinedMax };
  if (!isDescending) {
    const from = Math.max(key ?? FIRST, afterUs ?? FIRST);
    return {
      ...page,
      window: sql`select added_us as at, ${columns} from taxii_object
                   where ${heldBy(bit)} and added_us > ${from}::bigint and added_us < ${beforeUs ?? END}::bigint`,
      filter: filterOf(query),
    };
  }
  const isFew = await fewChangedSince(db, query);
  const source = isFew
    ? sql`(select * from taxii_object where ${heldBy(bit)} and added_us > ${afterUs}::bigint offset 0) recent`
    : sql`taxii_object`;
  return {
    ...page,
    window: sql`select created_us as at, ${columns} from ${source}
                 where ${heldBy(bit)} and created_us < ${key ?? END}::bigint`,
    filter: sql`${ofDates} and ${filterOf(query)}`,
  };
}

function filterOf({
  bit,
  minScore,
  maxScore,
  versionsUs,
  leftSinceUs,
}: SharedPageQuery): RawBuilder<unknown> {
  const isIn = sql`collections & ${sql.lit(bit)} <> 0`;
  const conditions = [leftSinceUs === null ? isIn : sql`(${isIn} or left_us > ${leftSinceUs}::bigint)`];
  if (minScore > 0 || maxScore < 100) conditions.push(sql`score between ${minScore} and ${maxScore}`);
  if (versionsUs !== null) conditions.push(sql`added_us = any(${versionsUs}::bigint[])`);
  return sql.join(conditions, sql` and `);
}

export type SharedObject = {
  readonly at: number;
  readonly addedUs: number;
  readonly createdUs: number;
  readonly id: string;
  readonly stix: string;
  readonly families: readonly string[];
};

export async function selectObjects(
  db: Db,
  query: SharedPageQuery,
): Promise<PageEnd & { readonly objects: readonly SharedObject[] }> {
  const page = await pageOf(db, query);
  const { rows } = await sql<SharedObject>`
    select at::float8 as at, added_us::float8 as "addedUs", created_us::float8 as "createdUs", id, stix, families
      from ${pageRows(page)} p`.execute(db);
  const end = await pageEnd(db, page, { rows: rows.length, last: rows.at(-1)?.at ?? null });
  return { objects: rows, ...end };
}

export type ObjectsText = {
  readonly objects: number;
  readonly firstUs: number | null;
  readonly lastUs: number | null;
  /** The objects as JSON, with commas between. */
  readonly text: string | null;
};

/** The page as one text: one row for each object costs the event loop twice the time (docs/decisions/0016). */
export async function selectText(db: Db, query: SharedPageQuery): Promise<PageEnd & ObjectsText> {
  const page = await pageOf(db, query);
  const { rows } = await sql<ObjectsText & { lastAt: number | null }>`
    select count(*)::int as objects, (array_agg(added_us))[1]::float8 as "firstUs",
           (array_agg(added_us))[count(*)]::float8 as "lastUs", (array_agg(at))[count(*)]::float8 as "lastAt",
           string_agg(stix, ',') as text
      from ${pageRows(page)} p`.execute(db);
  const { objects, firstUs, lastUs, lastAt, text } = rows[0] as ObjectsText & { lastAt: number | null };
  return { objects, firstUs, lastUs, text, ...(await pageEnd(db, page, { rows: objects, last: lastAt })) };
}

/** The newest date added that was given out. */
export async function newestDate(db: Db): Promise<number> {
  const { rows } = await sql<{ newestUs: number }>`
    select newest_us::float8 as "newestUs" from taxii_state`.execute(db);
  return rows[0]?.newestUs ?? 0;
}
