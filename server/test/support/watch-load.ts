import { type Db, sql } from '#platform/postgres.ts';

/** The size of an invented estate for load tests of CVE watch. PostgreSQL generates its rows with `generate_series`. */
export type WatchLoad = {
  readonly components: number;
  readonly perimeters: number;
  readonly products: number;
  readonly cves: number;
};

/** One of 100 versions. A CVE is fixed in one of them too, so that it affects about half of a product's components. */
const version = (n: string) => sql.raw(`(((${n}) / 10) % 10) || '.' || ((${n}) % 10) || '.0'`);
const product = (n: string) => sql.raw(`'product ' || (${n})`);
const vendor = (n: string) => sql.raw(`'vendor ' || ((${n}) / 10)`);

/** Some products are much more common than others: half of the components belong to one third of the products. */
export async function putEstate(db: Db, load: WatchLoad): Promise<void> {
  const { components, perimeters, products } = load;
  await sql`insert into cve_watch_account (account_id, perimeters, components)
    select 'org_' || lpad(a::text, 4, '0'), ${perimeters / 10}, ${components / 10} from generate_series(0, 9) a`.execute(
    db,
  );
  await sql`insert into cve_watch_perimeter (id, account_id, name, kind, component_count, created_at, updated_at, last_scan_at)
    select 'per_' || lpad(p::text, 8, '0'), 'org_' || lpad((p % 10)::text, 4, '0'), 'Estate ' || p, 'manual',
           ${components / perimeters}, now(), now(), now() from generate_series(0, ${perimeters - 1}::int) p`.execute(
    db,
  );
  await sql`
    insert into cve_watch_component (id, account_id, perimeter_id, origin, match_key, vendor, product, version, cpe, purl,
                                     ecosystem, direct, product_key, package_key, created_at)
    select 'cmp_' || lpad(i::text, 10, '0'), 'org_' || lpad(((i % ${perimeters}::int) % 10)::text, 4, '0'),
           'per_' || lpad((i % ${perimeters}::int)::text, 8, '0'), 'load ' || (i / ${perimeters}::int),
           substring(sha256(convert_to(w.vendor || w.product || w.version, 'UTF8')) for 16), w.vendor, w.product,
           w.version, null, null, null, true, w.vendor || E'\n' || w.product, null, now()
      from (select i, ${vendor('p')} as vendor, ${product('p')} as product, ${version('v')} as version
              from (select i, floor(${products}::int * power(abs(hashint4(i)::float8) / 2147483648, 1.6))::int as p,
                           abs(hashint4(i + 77777777)) % 100 as v
                      from generate_series(0, ${components - 1}::int) i) n) w`.execute(db);
}

/** Writes CVEs `from` to `to` with what a CNA says of each: one product is affected below one version. */
export async function putLoadCves(
  db: Db,
  { products }: Pick<WatchLoad, 'products'>,
  from: number,
  to: number,
): Promise<void> {
  const numbers = sql`
    (select i, 'CVE-2025-' || (100000 + i) as id, ${vendor('p')} as vendor, ${product('p')} as product,
            ${version('v')} as fixed
       from (select i, abs(hashint4(i + 1)) % ${products}::int as p, abs(hashint4(i + 5)) % 100 as v
               from generate_series(${from}::int, ${to - 1}::int) i) n) c`;
  await db.transaction().execute(async (tx) => {
    await sql`
      insert into cve_told (cve_id, dataset, source, document, digest, told)
      select id, -1, 'cna', id, substring(sha256(convert_to(id, 'UTF8')) for 16), json_build_object(
        'cveId', id, 'source', 'cna', 'document', id, 'state', 'PUBLISHED', 'title', 'A flaw of ' || product,
        'description', repeat('A heap overflow lets a remote attacker run code. ', 12), 'published', null,
        'modified', null, 'scores', '[]'::json, 'cwes', '[]'::json, 'references', '[]'::json, 'aliases', '[]'::json,
        'packages', '[]'::json, 'configurations', '[]'::json, 'kev', null, 'epss', null, 'ssvc', null,
        'exploits', '[]'::json, 'techniques', '[]'::json,
        'affected', json_build_array(json_build_object(
          'vendor', vendor, 'product', product, 'package', null, 'cpes', '[]'::json, 'platforms', '[]'::json,
          'defaultStatus', 'unaffected', 'versions', json_build_array(json_build_object(
            'status', 'affected', 'version', '0', 'lessThan', fixed, 'lessThanOrEqual', null, 'versionType', 'custom',
            'changes', '[]'::json)))))
        from ${numbers}`.execute(tx);
    await sql`insert into cve_product (cve_id, vendor, product) select id, vendor, product from ${numbers}`.execute(
      tx,
    );
    await sql`
      insert into cve (id, is_rejected, severity, score, is_kev, published, modified, cwes, summary, record, words)
      select id, false, 4, 7.5, false, now(), now(), '{}', 'A flaw of ' || product, '{}'::json, ''::tsvector
        from ${numbers}`.execute(tx);
  });
}

/** The lower bound for CVE watch: one statement joins the same pairs and writes them to a like-indexed table. */
export async function joinBare(db: Db, cveIds: readonly string[], isWriting: boolean): Promise<number> {
  const pairs = sql`
    select c.id as component_id, p.cve_id, c.account_id, c.perimeter_id
      from cve_product p join cve_watch_component c on c.product_key = p.vendor || E'\n' || p.product
     where p.cve_id = any(${cveIds}::text[])`;
  if (!isWriting) {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from (${pairs}) x`.execute(
      db,
    );
    return rows[0]?.count ?? 0;
  }
  const { numAffectedRows } = await sql`
    insert into cve_watch_bare (id, account_id, perimeter_id, component_id, cve_id, status, priority, is_confirmed, is_kev,
                                created_at, updated_at)
    select 'xfnd_' || gen_random_uuid()::text, account_id, perimeter_id, component_id, cve_id, 'OPEN', 3, true, false, now(),
           now()
      from (select f.* from (${pairs}) f
              join cve_watch_finding k on k.component_id = f.component_id and k.cve_id = f.cve_id) found`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}
