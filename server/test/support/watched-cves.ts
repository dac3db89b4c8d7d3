import { createHash } from 'node:crypto';
import { linkVotes, mergeCve, nameKey, productNames, type ToldCve, toldNothing } from '#domain/cve/index.ts';
import { type Db, sql } from '#platform/postgres.ts';

const SEVERITIES = ['UNKNOWN', 'NONE', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'];
const EXPLOITATIONS = ['none', 'poc', 'active'];
const DATASET = -1;

/** Replaces the reports of each CVE and merges its record as the CVE capability does. An empty list removes the CVE. */
export async function putCves(db: Db, given: Readonly<Record<string, readonly ToldCve[]>>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const [id, rows] of Object.entries(given)) await putCve(tx, id, rows);
  });
}

async function putCve(tx: Db, id: string, rows: readonly ToldCve[]): Promise<void> {
  for (const table of ['cve_told', 'cve_product', 'cve_package'])
    await sql`delete from ${sql.table(table)} where cve_id = ${id}`.execute(tx);
  for (const row of rows) {
    const text = JSON.stringify(row);
    await sql`insert into cve_told (cve_id, dataset, source, document, digest, told)
      values (${id}, ${DATASET}, ${row.source}, ${row.document},
              ${createHash('sha256').update(text).digest().subarray(0, 16)}, ${text}::json)`.execute(tx);
  }
  if (rows.length === 0) {
    await sql`delete from cve_link_vote where cve_id = ${id}`.execute(tx);
    await sql`delete from cve where id = ${id}`.execute(tx);
    return;
  }
  const record = mergeCve(id, rows, { isKevLoaded: true });
  const exploitation = record.ssvcExploitation;
  await sql`insert into cve (id, is_rejected, severity, score, is_kev, kev_added, exploitation, published, modified, cwes,
                             summary, record, words)
    values (${id}, ${record.state === 'REJECTED'}, ${SEVERITIES.indexOf(record.severity)}, ${record.cvssScore},
            ${record.isKev}, ${record.kev?.dateAdded ?? null}::date,
            ${exploitation === null ? null : EXPLOITATIONS.indexOf(exploitation)}, ${record.published}::timestamptz,
            ${record.lastModified}::timestamptz, '{}', ${record.title.slice(0, 300)}, ${JSON.stringify(record)}::json,
            to_tsvector('english', ''))
    on conflict (id) do update set is_rejected = excluded.is_rejected, severity = excluded.severity,
      score = excluded.score, is_kev = excluded.is_kev, kev_added = excluded.kev_added,
      exploitation = excluded.exploitation, record = excluded.record`.execute(tx);
  await putNames(tx, id, record.state === 'REJECTED' ? [] : rows);
}

async function putNames(tx: Db, id: string, rows: readonly ToldCve[]): Promise<void> {
  for (const { vendor, product } of productNames(rows))
    await sql`insert into cve_product values (${id}, ${nameKey(vendor)}, ${nameKey(product)}) on conflict do nothing`.execute(
      tx,
    );
  for (const row of rows)
    for (const { ecosystem, name } of [...row.packages, ...row.affected.flatMap((a) => a.package ?? [])])
      await sql`insert into cve_package values (${id}, ${ecosystem}, ${name}) on conflict do nothing`.execute(
        tx,
      );
  const votes = linkVotes(rows);
  const texts = votes.map(({ source, cna, cpe }) => `${source}|${cna}|${cpe}`);
  await sql`delete from cve_link_vote where cve_id = ${id} and source || '|' || cna || '|' || cpe <> all(${texts})`.execute(
    tx,
  );
  for (const { source, cna, cpe } of votes)
    await sql`insert into cve_link_vote values (${id}, ${source}, ${cna}, ${cpe}) on conflict do nothing`.execute(
      tx,
    );
}

export const putEpss = (db: Db, id: string, score: number): Promise<unknown> =>
  sql`insert into cve_epss (cve_id, score) values (${id}, ${score})
      on conflict (cve_id) do update set score = excluded.score`.execute(db);

/** A CNA's report that one product is affected below a version. */
export const cnaRow = (
  id: string,
  vendor: string,
  product: string,
  lessThan: string,
  rest: Partial<ToldCve> = {},
): ToldCve => ({
  ...toldNothing(id, 'cna', id),
  state: 'PUBLISHED',
  title: `A flaw of ${product}`,
  published: '2025-08-20T00:00:00.000Z',
  modified: '2025-08-21T00:00:00.000Z',
  affected: [
    {
      vendor,
      product,
      package: null,
      cpes: [],
      platforms: [],
      defaultStatus: 'unaffected',
      versions: [
        {
          status: 'affected',
          version: '0',
          lessThan,
          lessThanOrEqual: null,
          versionType: 'custom',
          changes: [],
        },
      ],
    },
  ],
  ...rest,
});

/** NVD's report of a CPE that is vulnerable below a version; `platform` is the CPE that it must run on. */
export const nvdRow = (
  id: string,
  criteria: string,
  endExcluding: string | null,
  platform: string | null = null,
): ToldCve => {
  const match = (of: string, vulnerable: boolean, end: string | null) => ({
    vulnerable,
    criteria: of,
    startIncluding: null,
    startExcluding: null,
    endIncluding: null,
    endExcluding: end,
  });
  const node = (of: ReturnType<typeof match>) => ({ operator: 'OR' as const, negate: false, matches: [of] });
  return {
    ...toldNothing(id, 'nvd', id),
    state: 'PUBLISHED',
    configurations: [
      {
        operator: platform === null ? 'OR' : 'AND',
        negate: false,
        nodes: [
          node(match(criteria, true, endExcluding)),
          ...(platform === null ? [] : [node(match(platform, false, null))]),
        ],
      },
    ],
  };
};

export const osvRow = (id: string, ecosystem: string, name: string, fixed: string): ToldCve => ({
  ...toldNothing(id, 'osv', `OSV-${id}`),
  packages: [
    {
      ecosystem,
      name,
      versions: [],
      ranges: [
        {
          type: 'ECOSYSTEM',
          events: [
            { kind: 'introduced', version: '0' },
            { kind: 'fixed', version: fixed },
          ],
        },
      ],
    },
  ],
});

/** The entry of a CVE in the KEV catalog, with the vendor and product that the catalog names. */
export const kevRow = (
  id: string,
  dateAdded: string,
  [vendor, product]: readonly [vendor: string | null, product: string | null] = [null, null],
): ToldCve => ({
  ...toldNothing(id, 'kev', id),
  kev: {
    dateAdded,
    dueDate: null,
    requiredAction: null,
    ransomwareUse: 'Unknown',
    shortDescription: null,
    vendor,
    product,
  },
});
