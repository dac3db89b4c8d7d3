import type { CveChange, CveRecord, LinkVote, ToldCve } from '#domain/cve/index.ts';
import { type Db, sql } from '#platform/postgres.ts';

/** SQL of making records. Each function is one statement. */

/** One maker at a time: the counts of vendors and products are moved by differences. */
export const lockMerge = (tx: Db): Promise<unknown> => sql`select pg_advisory_xact_lock(4021036)`.execute(tx);

export async function takePending(tx: Db, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from cve_pending where cve_id in (select cve_id from cve_pending order by cve_id limit ${limit})
    returning cve_id as id`.execute(tx);
  return rows.map(({ id }) => id).toSorted();
}

export async function countPending(db: Db): Promise<number> {
  const { rows } = await sql<{ pending: number }>`select count(*)::int as pending from cve_pending`.execute(
    db,
  );
  return rows[0]?.pending ?? 0;
}

/** All rows of these CVEs. Where two data sets have one document, the one that was modified last is taken. */
export async function readTold(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly ToldCve[]>> {
  const { rows } = await sql<{ id: string; told: ToldCve }>`
    select distinct on (cve_id, source, document) cve_id as id, told
      from cve_told where cve_id = any(${ids})
     order by cve_id, source, document, told->>'modified' desc nulls last, dataset desc`.execute(db);
  const byId = new Map<string, ToldCve[]>();
  for (const { id, told } of rows) byId.set(id, [...(byId.get(id) ?? []), told]);
  return byId;
}

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
};

export async function readStored(tx: Db, ids: readonly string[]): Promise<ReadonlyMap<string, StoredCve>> {
  const { rows } = await sql<StoredCve>`
    select id, record, changes from cve where id = any(${ids})`.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
}

/** KEV is loaded when its data set has rows. */
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
};

export const upsertCves = (tx: Db, rows: readonly CveRow[]): Promise<unknown> =>
  sql`insert into cve (id, is_rejected, severity, score, is_kev, kev_added, exploitation, published, modified, cwes,
                       summary, record, changes, words)
      select id, "isRejected", severity, score, "isKev", "kevAdded", exploitation, published, modified,
             array(select json_array_elements_text(cwes)), summary, record, changes,
             setweight(to_tsvector('english', names), 'A') || to_tsvector('english', words)
        from json_to_recordset(${JSON.stringify(rows)}::json) as given(
             id text, "isRejected" boolean, severity smallint, score real, "isKev" boolean, "kevAdded" date,
             exploitation smallint, published timestamptz, modified timestamptz, cwes json, summary text, record json,
             changes json, words text, names text)
      on conflict (id) do update set is_rejected = excluded.is_rejected, severity = excluded.severity,
             score = excluded.score, is_kev = excluded.is_kev, kev_added = excluded.kev_added,
             exploitation = excluded.exploitation, published = excluded.published, modified = excluded.modified,
             cwes = excluded.cwes, summary = excluded.summary, record = excluded.record, changes = excluded.changes,
             words = excluded.words`.execute(tx);

/** A CVE that no source names any more. */
export const deleteCves = (tx: Db, ids: readonly string[]): Promise<unknown> =>
  sql`delete from cve where id = any(${ids})`.execute(tx);

export type CveNames = {
  readonly id: string;
  readonly vendor: string;
  readonly product: string;
};

/**
 * Replaces the products of these CVEs and moves the counts by the difference. `names` has none of rejected CVEs, so they
 * count nowhere.
 */
export const replaceProducts = (
  tx: Db,
  ids: readonly string[],
  names: readonly CveNames[],
): Promise<unknown> =>
  sql`with wanted as materialized (
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
      on conflict (vendor, product) do update set cves = c.cves + excluded.cves`.execute(tx);

/** One CVE counts once for a vendor, however many of its products it names. */
export const countVendors = (tx: Db, vendors: readonly string[]): Promise<unknown> =>
  sql`insert into cve_vendor (vendor, cves, products)
      select v.vendor,
             (select count(distinct p.cve_id)::int from cve_product p where p.vendor = v.vendor),
             (select count(distinct p.product)::int from cve_product p where p.vendor = v.vendor)
        from unnest(${vendors}::text[]) as v(vendor)
      on conflict (vendor) do update set cves = excluded.cves, products = excluded.products`.execute(tx);

export async function vendorsOf(tx: Db, ids: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ vendor: string }>`
    select distinct vendor from cve_product where cve_id = any(${ids})`.execute(tx);
  return rows.map(({ vendor }) => vendor);
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
