import type { RawBuilder } from 'kysely';
import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';

/** SQL of reading CVEs. Only `findCve` returns rejected ones. */

/** A record (`CveRecord`) and its changes (`CveChange[]`) as JSON text. */
export type StoredText = {
  readonly record: string;
  readonly changes: string;
  readonly epss: number | null;
  readonly percentile: number | null;
};

export async function findCve(db: Db, id: string): Promise<StoredText | undefined> {
  const { rows } = await sql<StoredText>`
    select c.record::text as record, c.changes::text as changes, round(e.score::numeric, 5)::float8 as epss,
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
  /** Names of the same product, any of which may match; a null vendor or product matches all. */
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

/** Newest first; CVEs without a date come last. The page is chosen first, so that only its rows are read as a whole. */
export async function searchCves(db: Db, filter: CveFilter): Promise<readonly ItemRow[]> {
  const scores = filter.minEpss === undefined ? sql`` : sql`join cve_epss e on e.cve_id = c.id`;
  const { rows } = await sql<ItemRow>`
    select ${ITEM}
      from (select c.id from cve c ${scores}
             where ${sql.join(conditions(filter), sql` and `)}
             order by c.published desc nulls last, c.id desc
             limit ${filter.limit}) page
      join cve c on c.id = page.id left join cve_epss e on e.cve_id = c.id
     order by c.published desc nulls last, c.id desc`.execute(db);
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

/** Other names of a product; two names are linked unless one source pairs either with a third (decisions O23). */
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
export type NamesFound = { readonly items: readonly NameCount[]; readonly total: number };
type CountedName = NameCount & { readonly total: number };

/** Each row carries the total, which the query counts in the same pass. */
const found = (rows: readonly CountedName[]): NamesFound => ({
  items: rows.map(({ name, count }) => ({ name, count })),
  total: rows[0]?.total ?? 0,
});

/** Vendors whose name matches the escaped LIKE pattern `like`; null: all vendors. */
export async function listVendors(db: Db, like: string | null, limit: number): Promise<NamesFound> {
  const { rows } = await sql<CountedName>`
    select vendor as name, cves as count, (count(*) over ())::int as total from cve_vendor
     where ${like === null ? sql`true` : sql`vendor like ${like}`}
     order by cves desc, vendor limit ${limit}`.execute(db);
  return found(rows);
}

type ProductsGiven = { readonly like: string | null; readonly vendor: string | null };

export async function listProducts(
  db: Db,
  { like, vendor }: ProductsGiven,
  limit: number,
): Promise<NamesFound> {
  const { rows } = await sql<CountedName>`
    select product as name, sum(cves)::int as count, (count(*) over ())::int as total from cve_vendor_product
     where ${productConditions(like, vendor)}
     group by product order by sum(cves) desc, product limit ${limit}`.execute(db);
  return found(rows);
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
  readonly unscored: number;
  readonly kev: number;
};

export async function listTopProducts(db: Db, fromMs: number, limit: number): Promise<readonly TopProduct[]> {
  const { rows } = await sql<TopProduct>`
    select p.vendor, p.product, count(*)::int as count, count(*) filter (where c.severity = 5)::int as critical,
           count(*) filter (where c.severity = 4)::int as high, count(*) filter (where c.severity = 0)::int as unscored,
           count(*) filter (where c.is_kev)::int as kev
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

/**
 * Each pattern has to be in vendor and product together. Products are found first, because a common word is in the names of tens
 * of thousands of CPEs. They are asked for their CPEs in their order, until the page is full: a join would ask all of them.
 */
export async function searchCpes(
  db: Db,
  patterns: readonly string[],
  limit: number,
): Promise<readonly CpeRow[]> {
  const fits = patterns.map((pattern) => sql`(vendor || ' ' || product) like ${pattern}`);
  const { rows } = await sql<CpeRow>`
    select n.cpe, n.vendor, n.product, n.version
      from (select p.vendor, p.product
              from (select vendor, product from cve_vendor_product
                     where ${sql.join([...fits, sql`true`], sql` and `)} order by vendor, product offset 0) p
             where (select true from cve_cpe_name n where n.vendor = p.vendor and n.product = p.product limit 1)
             limit ${limit}) page
     cross join lateral (
       select cpe, vendor, product, version from cve_cpe_name n
        where n.vendor = page.vendor and n.product = page.product
        order by version nulls first, cpe limit ${limit}) n
     order by n.vendor, n.product, n.version nulls first, n.cpe limit ${limit}`.execute(db);
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

/** Whether any CVE is loaded: without one an empty list or a 0 would read as a finding (decisions O77). */
export async function areCvesLoaded(db: Db): Promise<boolean> {
  const { rows } = await sql<{ loaded: boolean }>`select exists(select 1 from cve) as loaded`.execute(db);
  return rows[0]?.loaded === true;
}
