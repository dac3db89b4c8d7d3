import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import {
  CORPUS,
  corpusDataset,
  type ListedRow,
  mergeSnapshot,
  openCorpus,
} from '../server/src/capabilities/corpus/index.ts';
import type { Indicator } from '../server/src/domain/indicator/index.ts';
import { systemClock } from '../server/src/platform/clock.ts';
import { loadConfig } from '../server/src/platform/config.ts';
import { openEnvironment, openTable } from '../server/src/platform/lmdb.ts';
import { createLog } from '../server/src/platform/log.ts';
import { migrate } from '../server/src/platform/migrate.ts';
import { asSystem, type Postgres, sql } from '../server/src/platform/postgres.ts';
import { dataFile, generationFolder } from '../server/src/platform/replica/generations.ts';
import { collectionTable } from '../server/src/platform/replica/head.ts';
import { openReplica } from '../server/src/platform/replica/reader.ts';
import { type OpenReplicator, openReplicator } from '../server/src/platform/replica/replicator.ts';
import {
  DATA_AT_S,
  type GeneratedKind,
  indicatorOf,
  kindOf,
  loadGeneratedCorpus,
  textOf,
} from './support/generated-corpus.ts';
import { type Race, race } from './support/lookup-race.ts';
import { importRealLists, type RealLists } from './support/real-lists.ts';

/**
 * npm run bench:replica -- [--size 3000000] [--rounds 9] [--queries 200000] [--keep] [--real | --no-real]
 * Builds a corpus in a database of its own, bootstraps a replica through the platform and races lookups against bare
 * LMDB. From a million indicators on real lists are included, unless a flag says otherwise.
 */
const PROJECT = join(import.meta.dirname, '..');
const REAL_DATA = join(PROJECT, '../shared/data');
const { values: flags } = parseArgs({
  allowNegative: true,
  options: {
    size: { type: 'string', default: '3000000' },
    rounds: { type: 'string', default: '9' },
    queries: { type: 'string', default: '200000' },
    keep: { type: 'boolean', default: false },
    real: { type: 'boolean' },
  },
});
const size = Number(flags.size);
const withReal = flags.real ?? size >= 1_000_000;
const clock = systemClock();
const log = createLog('silent');
const base = loadConfig();
const databaseUrl = new URL(base.DATABASE_URL);
databaseUrl.pathname = `/assay_bench_replica_${size}${withReal ? '_real' : ''}`;
const config = { ...base, DATABASE_URL: databaseUrl.href, POSTGRES_POOL_MAX: 4 };

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

async function timed<T>(what: string, work: () => Promise<T>): Promise<{ result: T; seconds: number }> {
  const startMs = clock.monotonic();
  const result = await work();
  const seconds = (clock.monotonic() - startMs) / 1_000;
  say(`${what}: ${round(seconds)} s`);
  return { result, seconds };
}

async function dropDatabase(): Promise<void> {
  const url = new URL(databaseUrl);
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(`drop database if exists "${databaseUrl.pathname.slice(1)}" with (force)`);
  await client.end();
}

// Merge: a list of half known and half new lines, then the same list with 1 % replaced.

const mergeRows = Math.min(1_000_000, Math.floor(size / 3));
/** The first index of new lines, beyond every index that is looked up as a miss. */
const FRESH = size * 4;

const ROWS_PER_BATCH = 1_000;

function* listRows(from: number, to: number): Generator<readonly ListedRow[]> {
  for (let start = from; start < to; start += ROWS_PER_BATCH) {
    const batch: ListedRow[] = [];
    for (let at = start; at < Math.min(to, start + ROWS_PER_BATCH); at += 1) {
      const index = at % 2 === 0 ? at : FRESH + at;
      batch.push({ indicator: indicatorOf(kindOf(index) === 'cidr' ? textOf(index * 100) : textOf(index)) });
    }
    yield batch;
  }
}

async function measureMerges(system: Postgres) {
  const merge = (from: number, to: number) =>
    mergeSnapshot({ system, clock }, 'bench-merge', listRows(from, to), {
      dataAtMs: DATA_AT_S * 1_000,
      settings: {},
    });
  const shift = Math.floor(mergeRows / 100);
  const parse = await timed(`reading ${mergeRows} rows without storing them`, async () => {
    for (const rows of listRows(0, mergeRows)) if (rows.length === 0) throw new Error('never');
  });
  const first = await timed(`first load of ${mergeRows} rows`, () => merge(0, mergeRows));
  const again = await timed('the same list again', () => merge(0, mergeRows));
  const changed = await timed('the list with 1 % changed', () => merge(shift, mergeRows + shift));
  say(`  ${JSON.stringify({ ...changed.result, source: undefined })}`);
  return {
    rows: mergeRows,
    readSeconds: round(parse.seconds),
    firstLoadSeconds: round(first.seconds),
    unchangedSeconds: round(again.seconds),
    onePercentSeconds: round(changed.seconds),
  };
}

async function prepare(system: Postgres, dataDir: string) {
  const { rows } = await sql<{ sources: number }>`select count(*)::int as sources from source`.execute(
    system.db,
  );
  if ((rows[0]?.sources ?? 0) > 0) {
    say('the corpus of an earlier run is used again');
    return null;
  }
  const load = await timed(`generated corpus of ${size}`, () =>
    loadGeneratedCorpus({ system, clock, databaseUrl: config.DATABASE_URL }, size),
  );
  let real: RealLists | null = null;
  if (withReal) {
    real = await importRealLists({ system, clock, dataDir, log }, REAL_DATA);
    if (real === null) say('real lists: none here (no ../shared/data/MANIFEST.json beside the project)');
    else {
      say(
        `real lists: ${real.lists} imported, ${real.lines} lines, ${real.listings} listings, ${real.rejected} rejected: ${round(real.seconds)} s`,
      );
      for (const reason of real.refused) say(`  refused ${reason}`);
    }
  } else say('real lists: not asked for (--real)');
  const merges = await measureMerges(system);
  return { generated: { ...load.result, seconds: round(load.seconds) }, real, merges };
}

// Lookups: half hits, half misses, shuffled the same way on every run.

function queries(wanted: (kind: GeneratedKind, text: string) => boolean, count: number): Indicator[] {
  const step = 7_919;
  const found: Indicator[] = [];
  const collect = (from: number, until: number) => {
    for (let at = 0; at < size && found.length < until; at += 1) {
      const index = from + ((at * step) % size);
      const text = textOf(index);
      if (wanted(kindOf(index), text)) found.push(indicatorOf(text));
    }
  };
  collect(0, count / 2);
  collect(size, found.length * 2);
  for (let at = found.length - 1; at > 0; at -= 1) {
    const other = (at * 2_654_435_761) % (at + 1);
    [found[at], found[other]] = [found[other] as Indicator, found[at] as Indicator];
  }
  return found;
}

const isBelowRegistrable = (text: string): boolean => {
  const indicator = indicatorOf(text);
  return indicator.kind === 'domain' && indicator.value !== indicator.registrable;
};

async function measureLookups(dataDir: string, generation: string): Promise<Race[]> {
  const replica = await openReplica({ dataDir, dataset: corpusDataset, log, clock });
  const corpus = openCorpus(replica);
  const environment = openEnvironment(dataFile(generationFolder(dataDir, CORPUS, generation)), 'read');
  const table = openTable(environment, collectionTable('listing'));
  if (table === undefined) throw new Error('The replica has no listings.');
  const count = Math.min(Number(flags.queries), Math.floor(size / 4));
  const contests = [
    {
      name: 'exact',
      wanted: (kind: GeneratedKind, text: string) =>
        kind === 'hash' || (kind === 'domain' && !isBelowRegistrable(text)),
    },
    { name: 'ip', wanted: (kind: GeneratedKind) => kind === 'ipv4' || kind === 'ipv6' },
    {
      name: 'domain',
      wanted: (kind: GeneratedKind, text: string) => kind === 'domain' && isBelowRegistrable(text),
    },
  ];
  const races = contests.map(({ name, wanted }) =>
    race(clock, { name, corpus, table, indicators: queries(wanted, count), rounds: Number(flags.rounds) }),
  );
  await environment.close();
  await replica.close();
  return races;
}

async function measureDeltas(system: Postgres, replicator: OpenReplicator) {
  const share = Math.floor(size / 100);
  const seconds: number[] = [];
  for (let delta = 0; delta < 3; delta += 1) {
    const rows = Array.from({ length: share }, (_, at) => ({
      indicator: indicatorOf(textOf((at * 97 + delta) % size)),
    }));
    await mergeSnapshot({ system, clock }, 'bench-delta', [rows], {
      dataAtMs: DATA_AT_S * 1_000,
      settings: { semantics: 'delta' },
    });
    seconds.push(
      round((await timed(`delta ${delta + 1} of ${share} keys`, () => replicator.sync())).seconds),
    );
  }
  const grown = replicator.status().bytes;
  const compaction = await timed('compaction', () => replicator.compact());
  return { keys: share, seconds, bytesGrown: grown, compactionSeconds: round(compaction.seconds) };
}

async function run(): Promise<void> {
  await migrate(config.DATABASE_URL);
  const system = asSystem(config);
  const kept = join(tmpdir(), databaseUrl.pathname.slice(1));
  if (flags.keep) mkdirSync(kept, { recursive: true });
  const dataDir = flags.keep ? kept : mkdtempSync(join(tmpdir(), 'assay-bench-replica-'));
  try {
    const prepared = await prepare(system, dataDir);
    rmSync(join(dataDir, 'replica'), { recursive: true, force: true });
    const { result: replicator, seconds } = await timed('bootstrap', () =>
      openReplicator({ postgres: system, dataset: corpusDataset, dataDir, log, clock }),
    );
    const built = replicator.status();
    const bytesPerIndicator = round(built.bytes / built.entries, 1);
    say(`${built.entries} entries, ${built.bytes} bytes: ${bytesPerIndicator} bytes per indicator`);
    const races = await measureLookups(dataDir, built.generation ?? '');
    const deltas = await measureDeltas(system, replicator);
    const after = replicator.status();
    const bytesAfter = round(after.bytes / after.entries, 1);
    say(
      `after three deltas ${deltas.bytesGrown} bytes, compacted ${after.bytes}: ${bytesAfter} bytes per indicator`,
    );
    await replicator.close();
    report({
      size,
      ...prepared,
      entries: built.entries,
      bootstrapSeconds: round(seconds),
      bytesPerIndicator,
      bytesAfter,
      deltas,
      races,
    });
  } finally {
    await system.close();
    if (!flags.keep) {
      rmSync(dataDir, { recursive: true, force: true });
      await dropDatabase();
    }
  }
}

function report(
  facts: Record<string, unknown> & { races: readonly Race[]; bytesPerIndicator: number; bytesAfter: number },
): void {
  for (const { name, bareNs, ourNs, listingsPerQuery } of facts.races)
    say(
      `${name}: ${Math.round(1e9 / ourNs)} lookups/s (${Math.round(ourNs)} ns, ${round(listingsPerQuery)} listings each); bare LMDB ${Math.round(1e9 / bareNs)}/s (${Math.round(bareNs)} ns)`,
    );
  for (const { name, ratio } of facts.races) say(`ratio replica-${name} ${ratio.toFixed(2)}`);
  say(`bytes-per-indicator ${facts.bytesPerIndicator}`);
  say(`bytes-per-indicator-compacted ${facts.bytesAfter}`);
  const folder = join(import.meta.dirname, 'results');
  mkdirSync(folder, { recursive: true });
  const machine = { node: process.version, cpus: cpus().length, cpu: cpus()[0]?.model ?? 'unknown' };
  writeFileSync(join(folder, 'replica.json'), `${JSON.stringify({ machine, ...facts }, null, 2)}\n`);
}

await run();
// The driver's timer of a finished COPY would keep the process alive for a quarter of an hour.
process.exit(0);
