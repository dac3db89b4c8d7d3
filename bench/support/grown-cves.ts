import type pg from 'pg';

const NUMBERS_APART = 1_000_000;
const ORIGIN = `split_part(id, '-', 3)::bigint < ${NUMBERS_APART}`;

/**
 * Fills a loaded catalogue up to `cves` with copies that PostgreSQL makes itself, each under its own id. Every other
 * copy has products of its own; the others add versions to known products. Continues a run that was stopped. Serves
 * benchmarks of queries on a large catalogue, not of loading it.
 */
export async function growCves(client: pg.Client, cves: number): Promise<number> {
  const { rows } = await client.query<{ loaded: number; all: number }>(
    `select count(*)::int as all, (count(*) filter (where ${ORIGIN}))::int as loaded from cve`,
  );
  const { loaded, all } = rows[0] ?? { loaded: 0, all: 0 };
  if (loaded === 0) throw new Error('There is nothing to copy. Load a catalogue first.');
  // Turns the triggers off, which would record every copy as a change for CVE watch.
  await client.query('set session_replication_role = replica');
  for (let copy = Math.floor(all / loaded); copy * loaded < cves; copy += 1) {
    await client.query('begin');
    await copyCves(client, copy, Math.min(loaded, cves - copy * loaded));
    await client.query('commit');
  }
  await countNames(client);
  await client.query('set session_replication_role = origin');
  await client.query('analyze');
  return loaded;
}

async function copyCves(client: pg.Client, copy: number, limit: number): Promise<void> {
  const isRenamed = copy % 2 === 1;
  const suffix = isRenamed ? ` || ' ${copy}'` : '';
  const id = (column: string): string =>
    `'CVE-' || split_part(${column}, '-', 2) || '-' || (split_part(${column}, '-', 3)::bigint + ${copy * NUMBERS_APART})`;
  const chosen = `(select id from cve where ${ORIGIN} order by id limit ${limit})`;
  const of = (table: string): string => `from ${table} t join bench_chosen b on b.id = t.cve_id`;
  await client.query(`create temporary table bench_chosen as select id from ${chosen} c`);
  await client.query(`
    insert into cve_told
    select ${id('t.cve_id')}, dataset, source, replace(document, t.cve_id, ${id('t.cve_id')}),
           substring(sha256(digest || '${copy}') for 16), replace(told::text, t.cve_id, ${id('t.cve_id')})::json
      ${of('cve_told')}`);
  await client.query(`
    insert into cve
    select ${id('t.id')}, is_rejected, severity, score, is_kev, kev_added, exploitation,
           published - interval '${copy} days', modified, cwes, summary,
           replace(record::text, t.id, ${id('t.id')})::json, changes, words
      from cve t join bench_chosen b on b.id = t.id`);
  await client.query(
    `insert into cve_product select ${id('t.cve_id')}, left(vendor, 290), left(product, 290)${suffix} ${of('cve_product')}
      on conflict do nothing`,
  );
  await client.query(
    `insert into cve_package select ${id('t.cve_id')}, ecosystem, left(name, 290)${suffix} ${of('cve_package')}`,
  );
  await client.query(
    `insert into cve_link_vote select ${id('t.cve_id')}, source, cna${suffix}, cpe${suffix} ${of('cve_link_vote')}`,
  );
  await client.query(`
    insert into cve_cpe_name
    select left(cpe, 900) || ':${copy}', vendor, product${suffix}, version || '.${copy}' from cve_cpe_name
     where cpe !~ ':[0-9]+$' limit ${limit * 4}
    on conflict do nothing`);
  await client.query('drop table bench_chosen');
}

async function countNames(client: pg.Client): Promise<void> {
  await client.query('truncate cve_vendor_product, cve_vendor');
  await client.query(
    'insert into cve_vendor_product select vendor, product, count(*)::int from cve_product group by 1, 2',
  );
  await client.query(
    'insert into cve_vendor select vendor, count(distinct cve_id)::int, count(distinct product)::int from cve_product group by 1',
  );
}
