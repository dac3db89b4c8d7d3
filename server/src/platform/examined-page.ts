import { type Db, type RawBuilder, sql } from './postgres.ts';

/**
 * A page of a keyset walk that examines a bounded number of keys. Rows that the filter drops count as examined, so a
 * request costs the same however few rows match; the page may then be short, or empty, before the end.
 */
export type ExaminedPage = {
  /** Rows in the order of the key, as `select … from … where …`, with the key as the column `at` and the date as `dated`. */
  readonly window: RawBuilder<unknown>;
  readonly isDescending: boolean;
  /** A condition on the columns of the window. */
  readonly filter: RawBuilder<unknown>;
  readonly limit: number;
  readonly examinedMax: number;
};

const inOrder = ({ isDescending }: ExaminedPage) => (isDescending ? sql`order by at desc` : sql`order by at`);
const examined = (page: ExaminedPage) =>
  sql`(select * from (${page.window}) w ${inOrder(page)} limit ${page.examinedMax})`;

/** The rows of the page, as a subquery in their order. */
export const pageRows = (page: ExaminedPage): RawBuilder<unknown> =>
  sql`(select * from ${examined(page)} e where ${page.filter} ${inOrder(page)} limit ${page.limit})`;

export type PageEnd = {
  /** The last key that was examined; null where none was. */
  readonly last: number | null;
  /** The date of that key; null for a full page. */
  readonly lastDated: number | null;
  /** Whether keys are left to examine. */
  readonly more: boolean;
};

/** Where the walk goes on after `rows` rows, of which the last one has the key `last`. */
export async function pageEnd(
  db: Db,
  page: ExaminedPage,
  { rows, last }: { readonly rows: number; readonly last: number | null },
): Promise<PageEnd> {
  if (rows === page.limit && last !== null)
    return { last, lastDated: null, more: await hasAfter(db, page, last) };
  const { rows: found } = await sql<{ at: number; dated: number }>`
    select e.at::float8 as at, dated::float8 as dated from ${examined(page)} e
     order by e.at ${page.isDescending ? sql`` : sql`desc`} limit 1`.execute(db);
  const examinedTo = found[0]?.at ?? null;
  return {
    last: examinedTo,
    lastDated: found[0]?.dated ?? null,
    more: examinedTo !== null && (await hasAfter(db, page, examinedTo)),
  };
}

async function hasAfter(db: Db, page: ExaminedPage, last: number): Promise<boolean> {
  const beyond = page.isDescending ? sql`at < ${last}::bigint` : sql`at > ${last}::bigint`;
  // In order, because the planner would look for any one row by reading the table from its start. The column must not be
  // converted: `order by` would take the converted one, which no index has, and sort the whole collection.
  const { rows } = await sql<{ at: unknown }>`
    select at from (${page.window}) w where ${beyond} ${inOrder(page)} limit 1`.execute(db);
  return rows.length > 0;
}
