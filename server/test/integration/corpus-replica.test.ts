import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Corpus, corpusDataset, mergeSnapshot, openCorpus } from '#capabilities/corpus/index.ts';
import { hostOf, type Indicator } from '#domain/indicator/index.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, type Postgres } from '#platform/postgres.ts';
import { openReplica, type Replica } from '#platform/replica/reader.ts';
import { type OpenReplicator, openReplicator } from '#platform/replica/replicator.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { bySize, IS_FULL_SIZE } from '#test/lane.ts';
import { keepResult } from '#test/proof-results.ts';
import { indicatorOf, kindOf, loadGeneratedCorpus, textOf } from '../../../bench/support/generated-corpus.ts';

const SIZE = bySize(4_000, 3_000_000);
const LOOKUPS = bySize(200, 2_000);
const PROOF_MS = 1_800_000;
const BYTES_PER_INDICATOR_MAX = 80;
/** Matches by a current listing; neighbours and delisted entries have tests of their own. */
const OF_ITSELF: ReadonlySet<string> = new Set(['exact', 'cidr', 'alias', 'parent']);
const clock = systemClock();
const log = createLog('silent');
const dataDir = mkdtempSync(join(tmpdir(), 'assay-scale-corpus-'));

let database: TestDatabase;
let system: Postgres;
let replicator: OpenReplicator;
let replica: Replica;
let corpus: Corpus;
let owner: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 });
  await loadGeneratedCorpus({ system, clock, databaseUrl: database.url }, SIZE);
  // PostgreSQL's inet type gives the expected ranges; only the owner may create its table.
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query(`create table range_truth as
    select value::inet as range, value, key from indicator where key >= '\\x03' and key < '\\x05'`);
  await owner.query('create index on indicator (value)');
  replicator = await openReplicator({ postgres: system, dataset: corpusDataset, dataDir, log, clock });
  replica = await openReplica({ dataDir, dataset: corpusDataset, log, clock });
  corpus = openCorpus(replica);
}, PROOF_MS);
afterAll(async () => {
  await replica?.close();
  await replicator?.close();
  await owner?.end();
  await system.close();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** The names whose listings apply to the indicator, by cutting labels, independent of the code under test. */
function namesOf(indicator: Indicator): string[] {
  const host = hostOf(indicator);
  const names = [indicator.value];
  if (host === null) return names;
  if (host !== indicator) names.push(host.value);
  if (host.kind === 'ip' || host.registrable === null) return names;
  const labels = host.value.split('.');
  while (labels.join('.') !== host.registrable) {
    labels.shift();
    names.push(labels.join('.'));
  }
  return names;
}

type Truth = { id: string; matched: string; firstSeenS: number; lastSeenS: number; confidence: number };

async function truthOf(indicator: Indicator): Promise<Truth[]> {
  const host = hostOf(indicator);
  const { rows } = await owner.query<Truth>(
    `with matched as (
       select key, value from indicator where value = any($1)
       union
       select key, value from range_truth where $2::inet <<= range
     )
     select s.id, m.value as matched, date_part('epoch', l.first_seen) as "firstSeenS",
            coalesce(date_part('epoch', l.last_seen), date_part('epoch', s.data_at)) as "lastSeenS",
            coalesce(l.confidence, -1)::int as confidence
       from matched m join listing l using (key) join source s on s.number = l.source_number
      where s.enabled`,
    [namesOf(indicator), host?.kind === 'ip' ? host.value : null],
  );
  return rows;
}

const inOrder = (truths: readonly Truth[]): Truth[] =>
  [...truths].sort((a, b) => (`${a.matched} ${a.id}` < `${b.matched} ${b.id}` ? -1 : 1));

async function compareLookups(from: number, count: number): Promise<number> {
  let listings = 0;
  for (let at = 0; at < count; at += 1) {
    // Every other index is beyond the size, so that it is unlisted itself and may lie inside a range.
    const index = from + ((at * 7_919) % SIZE) + (at % 2) * SIZE;
    if (kindOf(index) === 'cidr') continue;
    const indicator = indicatorOf(textOf(index));
    const found = corpus
      .lookup(indicator)
      .listings.filter(({ matchType, isDelisted }) => OF_ITSELF.has(matchType) && isDelisted !== true)
      .map(({ source, matched, firstSeenS, lastSeenS, confidence }) => ({
        id: source.id,
        matched,
        firstSeenS,
        lastSeenS,
        confidence,
      }));
    expect(inOrder(found), indicator.value).toEqual(inOrder(await truthOf(indicator)));
    listings += found.length;
  }
  return listings;
}

test(
  `a replica of ${SIZE} indicators has the listings that PostgreSQL has${bySize('', ', in at most 80 bytes each')}`,
  async () => {
    expect(await compareLookups(0, LOOKUPS)).toBeGreaterThan(LOOKUPS / 2);
    const { bytes, entries } = replicator.status();
    keepResult('corpus-replica', { indicators: SIZE, lookups: LOOKUPS, bytesPerIndicator: bytes / entries });
    // The fixed pages of a file are negligible only among millions of entries.
    if (IS_FULL_SIZE) expect(bytes / entries).toBeLessThan(BYTES_PER_INDICATOR_MAX);
  },
  PROOF_MS,
);

test(
  'after a delta of 1 % the replica still has the same listings, ranges included',
  async () => {
    const rows = Array.from({ length: SIZE / 100 }, (_, at) => ({
      indicator: indicatorOf(textOf((at * 97) % SIZE)),
      lastSeenMs: Date.UTC(2026, 8, 1),
    }));
    await mergeSnapshot({ system, clock }, 'delta', [rows], { dataAtMs: Date.UTC(2026, 8, 1), settings: {} });
    await replicator.sync();
    replica.refresh();
    expect(corpus.lookup(indicatorOf(textOf(97))).listings.some(({ source }) => source.id === 'delta')).toBe(
      true,
    );
    await compareLookups(97, LOOKUPS / 4);
  },
  PROOF_MS,
);
