import type pg from 'pg';
import { corpusDataset, listSources } from '#capabilities/corpus/index.ts';
import { parseIndicator } from '#domain/indicator/index.ts';
import type { Postgres } from '#platform/postgres.ts';
import { dataFile, generationFolder, readPointer } from '#platform/replica/generations.ts';
import { collectionTable } from '#platform/replica/head.ts';
import { readPages } from '#platform/replica/pages.ts';
import { LISTINGS } from '../../src/capabilities/corpus/dataset.ts';
import { KIND } from '../../src/capabilities/corpus/indicator-key.ts';
import { indicatorOfKey, textOfKey } from '../../src/capabilities/corpus/indicator-of-key.ts';
import { isDelistedAt, nextListing, sourceNumberAt } from '../../src/capabilities/corpus/listing-value.ts';
import { buildReplica } from './replica.ts';
import { unlistable } from './unlistable.ts';

export type Walk = {
  readonly entries: number;
  readonly accused: number;
  readonly urls: number;
  readonly problems: readonly string[];
};

/**
 * Every entry of the replica's file, page by page; then every URL from PostgreSQL, because the replica has
 * only its digest.
 */
export async function walkListings(
  system: Postgres,
  owner: pg.Client,
  onBuilt: () => void = () => undefined,
): Promise<Walk> {
  const threats = new Set(
    (await listSources(system.db))
      .filter(({ threatClass }) => threatClass === 'threat')
      .map(({ number }) => number),
  );
  const problems: string[] = [];
  let [entries, accused] = [0, 0];
  const built = await buildReplica(system, corpusDataset);
  onBuilt();
  try {
    const generation = readPointer(built.dataDir, corpusDataset.name)?.generation ?? '';
    const file = dataFile(generationFolder(built.dataDir, corpusDataset.name, generation));
    readPages(file, (table, key, value) => {
      if (table !== collectionTable(LISTINGS)) return;
      entries += 1;
      if (!isAccused(value, threats)) return;
      accused += 1;
      const problem = key[0] === KIND.url ? null : problemOfKey(key);
      if (problem !== null) problems.push(problem);
    });
  } finally {
    await built.close();
  }
  const urls = await urlsAccused(owner, [...threats]);
  for (const url of urls) {
    const parsed = parseIndicator(url);
    const problem = parsed.ok ? unlistable(parsed.indicator) : parsed.reason;
    if (problem !== null) problems.push(`${url}: ${problem}`);
  }
  return { entries, accused, urls: urls.length, problems: problems.sort() };
}

function isAccused(value: Uint8Array, threats: ReadonlySet<number>): boolean {
  for (let at = 0; at < value.length; at = nextListing(value, at))
    if (!isDelistedAt(value, at) && threats.has(sourceNumberAt(value, at))) return true;
  return false;
}

function problemOfKey(key: Uint8Array): string | null {
  const parsed = indicatorOfKey(key);
  const problem =
    parsed === null || !parsed.ok ? (parsed?.reason ?? 'no indicator') : unlistable(parsed.indicator);
  return problem === null ? null : `${textOfKey(key)}: ${problem}`;
}

async function urlsAccused(owner: pg.Client, threats: readonly number[]): Promise<readonly string[]> {
  const { rows } = await owner.query<{ value: string }>(
    `select value from indicator i
      where key >= '\\x06' and key < '\\x07'
        and exists (select 1 from listing l where l.key = i.key and l.source_number = any($1))`,
    [threats],
  );
  return rows.map(({ value }) => value);
}

export async function listedKeys(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(
    'select count(distinct key)::int as count from listing',
  );
  return rows[0]?.count ?? 0;
}
