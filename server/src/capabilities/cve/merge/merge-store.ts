import type { CveChange, CveRecord, LinkVote, ToldCve } from '#domain/cve/index.ts';
import { type Db, sql } from '#platform/postgres.ts';

/** SQL of merging the rows of all sources into one record per CVE. Each function is one statement. */

/** Allows one merge at a time, because it moves the counts of vendors and products by differences. */
export const lockMerge = (tx: Db): Promise<unknown> => sql`select pg_advisory_xact_lock(4021036)`.execute(tx);

/** `epssBefore`: the score before it crossed 0.1 or 0.5; null where another change marked the CVE. */
export type Pending = { readonly id: string; readonly epssBefore: number | null };

export async function takePending(tx: Db, limit: number): Promise<readonly Pending[]> {
  const { rows } = await sql<Pending>`
    delete from cve_pending where cve_id in (select cve_id from cve_pending order by cve_id limit ${limit})
    returning cve_id as id, round(epss_before::numeric, 5)::float8 as "epssBefore"`.execute(tx);
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

export async function countPending(db: Db): Promise<number> {
  const { rows } = await sql<{ pending: number }>`select count(*)::int as pending from cve_pending`.execute(
    db,
  );
  return rows[0]?.pending ?? 0;
}

type ToldRow = { readonly id: string; readonly dataset: number; readonly told: ToldCve };

/**
 * The rows of these CVEs. Of a document in two data sets the one modified last is taken, then the later data set's.
 * The container of an ADP has no date and counts as old as the record it came with. Dates are compared here, because
 * PostgreSQL would parse each document once more.
 */
export async function readTold(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly ToldCve[]>> {
  const { rows } = await sql<ToldRow>`
    select cve_id as id, dataset, told from cve_told where cve_id = any(${ids})
     order by cve_id, source, document, dataset desc`.execute(db);
  const kept = [...Map.groupBy(rows, ({ id }) => id)].map(([id, told]) => [id, newestOf(told)] as const);
  return new Map(kept);
}

/** The rows of one CVE in order; of one document, those of later data sets first. */
function newestOf(rows: readonly ToldRow[]): readonly ToldCve[] {
  const recordDates = new Map(
    rows.flatMap(({ dataset, told }) => (told.source === 'cna' ? [[dataset, told.modified ?? '']] : [])) as [
      number,
      string,
    ][],
  );
  const dateOf = ({ dataset, told }: ToldRow): string =>
    told.modified ?? (isContainer(told) ? recordDates.get(dataset) : undefined) ?? '';
  const newest = new Map<string, ToldRow>();
  for (const row of rows) {
    const key = `${row.told.source} ${row.told.document}`;
    const known = newest.get(key);
    if (known === undefined || dateOf(row) > dateOf(known)) newest.set(key, row);
  }
  return [...newest.values()].map(({ told }) => told);
}

const isContainer = ({ source }: ToldCve): boolean => source === 'cisa-adp' || source === 'adp';

export type EpssRow = { readonly id: string; readonly score: number; readonly percentile: number | null };

export async function readEpssOf(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, EpssRow>> {
  const { rows } = await sql<EpssRow>`
    select cve_id as id, round(score::numeric, 5)::float8 as score, round(percentile::numeric, 5)::float8 as percentile
      from cve_epss where cve_id = any(${ids})`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

export type StoredCve = {
  readonly id: string;
  readonly record: CveRecord;
  readonly changes: readonly CveChange[];
  /** A digest in hexadecimal; null for records that were last merged before this column was added. */
  readonly statements: string | null;
};

export async function readStored(tx: Db, ids: readonly string[]): Promise<ReadonlyMap<string, StoredCve>> {
  const { rows } = await sql<StoredCve>`
    select id, record, changes, encode(statements, 'hex') as statements from cve where id = any(${ids})`.execute(
    tx,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Whether the KEV catalogue was loaded, which is when its data set has rows. */
export async function hasKevCatalogue(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from dataset where id = 'kev' and entries > 0) as found`.execute(db);
  return rows[0]?.found ?? false;
}

export type CveRow = {
  readonly id: string;
  readonly isRejected: boolean;
  readonly severity: number;
  readonly score: number | null;
  readonly isKev: boolean;
  readonly kevAdded: string | null;
  readonly exploitation: number | null;
  readonly published: string | null;
  readonly modified: string | null;
  readonly cwes: readonly string[];
  readonly summary: string;
  readonly record: CveRecord;
  readonly changes: readonly CveChange[];
  readonly words: string;
  readonly names: string;
  /** A digest of what sources say of versions, in hexadecimal. */
  readonly statements: string;
};

export const upsertCves = (tx: Db, rows: readonly CveRow[]): Promise<unknown> =>
  sql`insert into cve (id, is_rejected, severity, score, is_kev, kev_added, exploitation, published, modified, cwes,
                       summary, record, changes, words, statements)
      select id, "isRejected", severity, score, "isKev", "kevAdded", exploitation, published, modified,
             array(select json_array_elements_text(cwes)), summary, record, changes,
             setweight(to_tsvector('english', names), 'A') || to_tsvector('english', words), decode(statements, 'hex')
        from json_to_recordset(${JSON.stringify(rows)}::json) as given(
             id text, "isRejected" boolean, severity smallint, score real, "isKev" boolean, "kevAdded" date,
             exploitation smallint, published timestamptz, modified timestamptz, cwes json, summary text, record json,
             changes json, words text, names text, statements text)
      on conflict (id) do update set is_rejected = excluded.is_rejected, severity = excluded.severity,
             score = excluded.score, is_kev = excluded.is_kev, kev_added = excluded.kev_added,
             exploitation = excluded.exploitation, published = excluded.published, modified = excluded.modified,
             cwes = excluded.cwes, summary = excluded.summary, record = excluded.record, changes = excluded.changes,
             words = excluded.words, statements = excluded.statements`.execute(tx);

/** Deletes CVEs that no source names any more. */
export const deleteCves = (tx: Db, ids: readonly string[]): Promise<unknown> =>
  sql`delete from cve where id = any(${ids})`.execute(tx);

export type CveNames = {
  readonly id: string;
  readonly vendor: string;
  readonly product: string;
};

/** A product whose number of CVEs changed; `cves` is the new number. */
export type MovedProduct = { readonly vendor: string; readonly cves: number; readonly isNew: boolean };

/**
 * Replaces the products of these CVEs and moves the counts by the difference. `names` has none of rejected CVEs, so they
 * count nowhere.
 */
export async function replaceProducts(
  tx: Db,
  ids: readonly string[],
  names: readonly CveNames[],
): Promise<readonly MovedProduct[]> {
  const { rows } = await sql<MovedProduct>`
    with wanted as materialized (
      select id as cve_id, vendor, product
        from json_to_recordset(${JSON.stringify(names)}::json) as given(id text, vendor text, product text)
    ), gone as (
      delete from cve_product p
       where p.cve_id = any(${ids})
         and not exists (select from wanted w
                          where w.cve_id = p.cve_id and w.vendor = p.vendor and w.product = p.product)
      returning p.vendor, p.product
    ), added as (
      insert into cve_product (cve_id, vendor, product) select cve_id, vendor, product from wanted
      on conflict do nothing
      returning vendor, product
    ), moved as (
      select vendor, product, sum(by)::int as by
        from (select vendor, product, 1 as by from added union all select vendor, product, -1 from gone) each
       group by vendor, product having sum(by) <> 0
    )
    insert into cve_vendor_product as c (vendor, product, cves) select vendor, product, by from moved
    on conflict (vendor, product) do update set cves = c.cves + excluded.cves
    returning c.vendor, c.cves, (c.xmax = 0) as "isNew"`.execute(tx);
  return rows;
}

export type MovedVendor = { readonly vendor: string; readonly cves: number; readonly products: number };

/**
 * Moves the counts of vendors by differences. Counting the CVEs of a large vendor anew with each batch made a load of the whole
 * list quadratic.
 */
export const moveVendors = (tx: Db, moved: readonly MovedVendor[]): Promise<unknown> =>
  sql`insert into cve_vendor as v (vendor, cves, products)
      select vendor, cves, products
        from json_to_recordset(${JSON.stringify(moved)}::json) as given(vendor text, cves int, products int)
      on conflict (vendor) do update set cves = v.cves + excluded.cves, products = v.products + excluded.products`.execute(
    tx,
  );

export async function vendorsOf(
  tx: Db,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly vendor: string }[]> {
  const { rows } = await sql<{ id: string; vendor: string }>`
    select distinct cve_id as id, vendor from cve_product where cve_id = any(${ids})`.execute(tx);
  return rows;
}

export const dropEmptyCounts = (tx: Db): Promise<unknown> =>
  sql`with products as (delete from cve_vendor_product where cves <= 0)
      delete from cve_vendor where cves <= 0`.execute(tx);

export type PackageOfCve = { readonly id: string; readonly ecosystem: string; readonly name: string };

export const replacePackages = (
  tx: Db,
  ids: readonly string[],
  packages: readonly PackageOfCve[],
): Promise<unknown> =>
  sql`with wanted as materialized (
        select distinct id as cve_id, ecosystem, name
          from json_to_recordset(${JSON.stringify(packages)}::json) as given(id text, ecosystem text, name text)
      ), gone as (
        delete from cve_package p
         where p.cve_id = any(${ids})
           and not exists (select from wanted w
                            where w.cve_id = p.cve_id and w.ecosystem = p.ecosystem and w.name = p.name)
      )
      insert into cve_package (cve_id, ecosystem, name) select cve_id, ecosystem, name from wanted
      on conflict do nothing`.execute(tx);

export const replaceVotes = (
  tx: Db,
  ids: readonly string[],
  votes: readonly (LinkVote & { readonly id: string })[],
): Promise<unknown> =>
  sql`with wanted as materialized (
        select distinct id as cve_id, source, cna, cpe
          from json_to_recordset(${JSON.stringify(votes)}::json) as given(id text, source text, cna text, cpe text)
      ), gone as (
        delete from cve_link_vote v
         where v.cve_id = any(${ids})
           and not exists (select from wanted w
                            where w.cve_id = v.cve_id and w.source = v.source and w.cna = v.cna and w.cpe = v.cpe)
      )
      insert into cve_link_vote (cve_id, source, cna, cpe) select cve_id, source, cna, cpe from wanted
      on conflict do nothing`.execute(tx);

export type CpeName = {
  readonly cpe: string;
  readonly vendor: string;
  readonly product: string;
  readonly version: string | null;
};

export const insertCpeNames = (tx: Db, names: readonly CpeName[]): Promise<unknown> =>
  sql`insert into cve_cpe_name (cpe, vendor, product, version)
      select cpe, vendor, product, version
        from json_to_recordset(${JSON.stringify(names)}::json) as given(cpe text, vendor text, product text, version text)
      on conflict do nothing`.execute(tx);

export const analyzeCves = (db: Db): Promise<unknown> => sql`select analyze_group('cves')`.execute(db);
