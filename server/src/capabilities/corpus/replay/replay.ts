import type { Asn, Indicator } from '#domain/indicator/index.ts';
import type { Db, Postgres } from '#platform/postgres.ts';
import type { Source } from '../contract.ts';
import { hashKeyBytes } from '../indicator-key.ts';
import { type Corpus, openCorpus } from '../lookup.ts';
import { type AskedKeys, askedKeys } from './asked-keys.ts';
import { type PastRows, pastView } from './past-view.ts';
import { momentAt, type Period, periodsAt, periodsBetween, relatedAt, siblingsOf } from './store.ts';

export type ReplayDeps = { readonly postgres: Postgres };

/**
 * The corpus as every replica had it at a past moment, for these indicators only (scoring ruling 12). The listings of
 * that moment come from PostgreSQL, are packed into the bytes that replicas held, and are read by the current lookup.
 * Null: the record does not cover that time.
 */
export async function replayCorpus(
  { postgres }: ReplayDeps,
  indicators: readonly (Indicator | Asn)[],
  atMs: number,
): Promise<Corpus | null> {
  const asked = askedKeys(indicators);
  // One connection, but no common snapshot of the queries: rows of the past do not change.
  return postgres.transaction(async (db) => {
    const { seq, registryJson } = await momentAt(db, atMs);
    if (seq === null) return null;
    const sources = JSON.parse(registryJson) as readonly Source[];
    const view = pastView({ seq, atMs, sources, ...(await readRows(db, asked, atMs)) });
    return openCorpus({ view: () => view });
  });
}

async function readRows(db: Db, asked: AskedKeys, atMs: number): Promise<PastRows> {
  const aliases = asked.aliases.length === 0 ? [] : await siblingsOf(db, asked.aliases);
  const keys = [...asked.listings, ...aliases.flatMap(({ value }) => [...digestKeysIn(value)])];
  const periods = await periodsAt(db, keys, atMs);
  const related = asked.related.length === 0 ? [] : await relatedAt(db, asked.related, atMs);
  const neighbours: Period[] = [];
  for (const site of asked.sites) neighbours.push(...(await periodsBetween(db, site, atMs)));
  return { aliases, periods, related, neighbours };
}

function* digestKeysIn(digests: Buffer): Generator<Buffer> {
  for (let at = 0; at < digests.length; ) {
    const bytes = hashKeyBytes(digests, at);
    yield digests.subarray(at, at + bytes);
    at += bytes;
  }
}
