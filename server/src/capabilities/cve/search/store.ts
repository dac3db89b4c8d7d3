import type { RawBuilder } from 'kysely';
import type { CveChange, CveRecord } from '#domain/cve/index.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';

/** SQL of reading. Rejected CVEs are in none of it but `findCve`. */

export type StoredRecord = {
  readonly record: CveRecord;
  readonly changes: readonly CveChange[];
  readonly epss: number | null;
  readonly percentile: number | null;
};

export async function findCve(db: Db, id: string): Promise<StoredRecord | undefined> {
  const { rows } = await sql<StoredRecord>`
    select c.record, c.changes, round(e.score::numeric, 5)::float8 as epss,
           round(e.percentile::numeric, 5)::float8 as percentile
      from cve c left join cve_epss e on e.cve_id = c.id where c.id = ${id}`.execute(db);
  return rows[0];
}

export type ItemRow = {
  readonly id: string;
  readonly title: string;
  readonly severity: number;
  readonly score: number | null;
  readonly epss: number | null;
  readonly isKev: boolean;
  readonly exploitation: number | null;
  readonly publishedMs: number | null;
  readonly modifiedMs: number | null;
  readonly vendors: readonly string[];
  readonly products: readonly string[];
};

export type CvePosition = { readonly publishedMs: number | null; readonly id: string };

export type CveFilter = {
  readonly id?: string;
  readonly words?: string;
  /** Pairs of vendor and product that mean the same; either may be open. */
  readonly products?: readonly { readonly vendor: string | null; readonly product: string | null }[];
  readonly severity?: number;
  readonly isKev?: boolean;
  readonly exploitation?: number;
  readonly minEpss?: number;
  readonly cwe?: string;
  readonly fromMs?: number;
  readonly beforeMs?: number;
  readonly after?: CvePosition;
  readonly limit: number;
};

const ITEM = sql`
  c.id, c.summary as title, c.severity, round(c.score::numeric, 1)::float8 as score,
  round(e.score::numeric, 5)::float8 as epss, c.is_kev as "isKev", c.exploitation,
  ${msOf('c.published')} as "publishedMs", ${msOf('c.modified')} as "modifiedMs",
  array(select json_array_elements_text(c.record->'vendors')) as vendors,
  array(select json_array_elements_text(c.record->'products')) as products`;

/** Newest first; CVEs without a date come last. */
export async function searchCves(db: Db, filter: CveFilter): Promise<readonly ItemRow[]> {
  const { rows } = await sql<ItemRow>`
    select ${ITEM}
      from cve c left join cve_epss e on e.cve_id = c.id
     where ${sql.join(conditions(filter), sql` and `)}
     order by c.published desc nulls last, c.id desc
     limit ${filter.limit}`.execute(db);
  return rows;
}

function conditions(filter: CveFilter): readonly RawBuilder<unknown>[] {
  const { id, words, products, severity, isKev, exploitation, minEpss, cwe, fromMs, beforeMs, after } =
    filter;
  return [
    sql`not c.is_rejected`,
    ...(id === undefined ? [] : [sql`c.id = ${id}`]),
    ...(words === undefined ? [] : [sql`c.words @@ to_tsquery('english', ${words})`]),
    ...(products === undefined ? [] : [sql`(${sql.join(products.map(namesProduct), sql` or `)})`]),
    ...(severity === undefined ? [] : [sql`c.severity = ${severity}`]),
    ...(isKev === true ? [sql`c.is_kev`] : []),
    ...(exploitation === undefined ? [] : [sql`c.exploitation = ${exploitation}`]),
    ...(minEpss === undefined ? [] : [sql`e.score >= ${minEpss}::real`]),
    ...(cwe === undefined ? [] : [sql`c.cwes @> array[${cwe}]`]),
    ...(fromMs === undefined ? [] : [sql`c.published >= ${timestampOf(fromMs)}`]),
    ...(beforeMs === undefined ? [] : [sql`c.published < ${timestampOf(beforeMs)}`]),
    ...(after === undefined ? [] : [isAfter(after)]),
  ];
}

const namesProduct = ({ vendor, product }: { vendor: string | null; product: string | null }) =>
  sql`exists (select from cve_product p where p.cve_id = c.id
               and ${vendor === null ? sql`true` : sql`p.vendor = ${vendor}`}
               and ${product === null ? sql`true` : sql`p.product = ${product}`})`;

const isAfter = ({ publishedMs, id }: CvePosition) =>
  publishedMs === null
    ? sql`c.published is null and c.id < ${id}`
    : sql`(c.published is null or (c.published, c.id) < (${timestampOf(publishedMs)}, ${id}))`;

/** Other names of a product, where all records that name it beside one other agree (decisions O23). */
export async function readAliases(db: Db, key: string): Promise<readonly string[]> {
  const { rows } = await sql<{ other: string }>`
    select distinct case when m.cna = ${key} then m.cpe else m.cna end as other
      from cve_link_vote m
     where (m.cna = ${key} or m.cpe = ${key}) and m.cna <> m.cpe
       and not exists (select from cve_link_vote v
                        where v.cna = m.cna and v.source = m.source and v.cpe <> m.cpe)
       and not exists (select from cve_link_vote v
                        where v.cpe = m.cpe and v.source = m.source and v.cna <> m.cna)
     limit 20`.execute(db);
  return rows.map(({ other }) => other);
}

export type NameCount = { readonly name: string; readonly count: number };

/** `like` is a pattern of SQL, its signs escaped; null: all names. */
export async function listVendors(db: Db, like: string | null, limit: number): Promise<readonly NameCount[]> {
  const { rows } = await sql<NameCount>`
    select vendor as name, cves as count from cve_vendor
     where ${like}::text is null or vendor like ${like}
     order by cves desc, vendor limit ${limit}`.execute(db);
  return rows;
}

export async function countVendorNames(db: Db, like: string | null): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from cve_vendor where ${like}::text is null or vendor like ${like}`.execute(
    db,
  );
  return rows[0]?.total ?? 0;
}

type ProductsGiven = { readonly like: string | null; readonly vendor: string | null };

export async function listProducts(
  db: Db,
  { like, vendor }: ProductsGiven,
  limit: number,
): Promise<readonly NameCount[]> {
  const { rows } = await sql<NameCount>`
    select product as name, sum(cves)::int as count from cve_vendor_product
     where ${productConditions(like, vendor)}
     group by product order by sum(cves) desc, product limit ${limit}`.execute(db);
  return rows;
}

export async function countProductNames(db: Db, { like, vendor }: ProductsGiven): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(distinct product)::int as total from cve_vendor_product
     where ${productConditions(like, vendor)}`.execute(db);
  return rows[0]?.total ?? 0;
}

const productConditions = (like: string | null, vendor: string | null): RawBuilder<unknown> =>
  sql.join(
    [
      ...(vendor === null ? [] : [sql`vendor = ${vendor}`]),
      ...(like === null ? [] : [sql`product like ${like}`]),
      sql`true`,
    ],
    sql` and `,
  );

export type TopProduct = {
  readonly vendor: string;
  readonly product: string;
  readonly count: number;
  readonly critical: number;
  readonly high: number;
  readonly kev: number;
};

export async function listTopProducts(db: Db, fromMs: number, limit: number): Promise<readonly TopProduct[]> {
  const { rows } = await sql<TopProduct>`
    select p.vendor, p.product, count(*)::int as count, count(*) filter (where c.severity = 5)::int as critical,
           count(*) filter (where c.severity = 4)::int as high, count(*) filter (where c.is_kev)::int as kev
      from cve c join cve_product p on p.cve_id = c.id
     where not c.is_rejected and c.published >= ${timestampOf(fromMs)}
     group by p.vendor, p.product order by count(*) desc, p.vendor, p.product limit ${limit}`.execute(db);
  return rows;
}

export type CpeRow = {
  readonly cpe: string;
  readonly vendor: string;
  readonly product: string;
  readonly version: string | null;
};

/** Each pattern has to be in vendor and product together. */
export async function searchCpes(
  db: Db,
  patterns: readonly string[],
  limit: number,
): Promise<readonly CpeRow[]> {
  const { rows } = await sql<CpeRow>`
    select cpe, vendor, product, version from cve_cpe_name
     where (vendor || ' ' || product) like all(${patterns}::text[])
     order by vendor, product, version nulls first, cpe limit ${limit}`.execute(db);
  return rows;
}

export type VendorRow = { readonly vendor: string; readonly products: number };

export async function searchVendors(db: Db, like: string, limit: number): Promise<readonly VendorRow[]> {
  const { rows } = await sql<VendorRow>`
    select vendor, products from cve_vendor where vendor like ${like}
     order by cves desc, vendor limit ${limit}`.execute(db);
  return rows;
}

export type PatternCounts = {
  readonly bySeverity: readonly { readonly severity: number; readonly count: number }[];
  readonly kev: number;
  readonly activeExploit: number;
  readonly topCwes: readonly { readonly cwe: string; readonly count: number }[];
};

/** The figures of `vulnerabilityPatterns` (decisions 3.15); computed by the worker, never for a request. */
export async function countPatterns(db: Db, cwesMax: number): Promise<PatternCounts> {
  const { rows } = await sql<PatternCounts>`
    select (select coalesce(json_agg(json_build_object('severity', severity, 'count', count)), '[]')
              from (select severity, count(*)::int from cve where not is_rejected group by severity) s) as "bySeverity",
           (select count(*)::int from cve where is_kev and not is_rejected) as kev,
           (select count(*)::int from cve where exploitation = 2 and not is_rejected) as "activeExploit",
           (select coalesce(json_agg(json_build_object('cwe', cwe, 'count', count) order by count desc, cwe), '[]')
              from (select cwe, count(*)::int from cve, unnest(cwes) as cwe where not is_rejected
                     group by cwe order by count(*) desc, cwe limit ${cwesMax}) w) as "topCwes"`.execute(db);
  return rows[0] ?? { bySeverity: [], kev: 0, activeExploit: 0, topCwes: [] };
}
