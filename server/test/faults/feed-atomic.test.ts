import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Corpus, corpusDataset, openCorpus } from '#capabilities/corpus/index.ts';
import { ingestSnapshot } from '#capabilities/feeds/index.ts';
import { type Indicator, parseIndicator } from '#domain/indicator/index.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, type Postgres } from '#platform/postgres.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { bySize } from '#test/lane.ts';
import { type BuiltReplica, buildReplica } from '#test/replica.ts';

const SWAPS = bySize(5, 100);
/** Some editions also move the readers to a new file, which takes a second of verification each. */
const NEW_FILE_EVERY = bySize(2, 4);
const READS = bySize(20_000, 1_000_000);
const HOSTS = bySize(100, 400);
const READS_PER_TURN = 200;
const [log, clock] = [createLog('silent'), systemClock()];
const folder = mkdtempSync(join(tmpdir(), 'assay-feed-atomic-'));

let database: TestDatabase;
let system: Postgres;
let built: BuiltReplica;
let corpus: Corpus;

/** Publishes one edition of the list; every line carries the edition number as its confidence. */
async function publish(edition: number): Promise<void> {
  const lines = ['value,confidence'];
  for (let host = 0; host < HOSTS; host += 1) {
    const name = `h${host}.edition.com`;
    for (const value of [name, `http://${name}/p`, `a.${name}`, `http://a.${name}/p`])
      lines.push(`${value},${edition % 101}`);
  }
  lines.push(`edition.com,${edition % 101}`);
  const path = join(folder, 'list.csv');
  writeFileSync(path, lines.join('\n'));
  await ingestSnapshot(
    { system, clock, log, dataDir: folder },
    {
      sourceId: 'editions',
      settings: { name: 'Editions' },
      files: [
        {
          path,
          format: { kind: 'csv', header: 'first', values: ['value'], confidence: 'confidence' },
        },
      ],
      dataAtMs: Date.UTC(2026, 10, 1) + edition * 60_000,
      judge: () => undefined,
      canaries: false,
    },
  );
}

const indicatorOf = (text: string): Indicator => {
  const parsed = parseIndicator(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.indicator;
};

beforeAll(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 6 });
  await publish(0);
  built = await buildReplica(system, corpusDataset);
  corpus = openCorpus(built.replica);
});
afterAll(async () => {
  await built?.close();
  await system?.close();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

test(`${READS} answers during ${SWAPS} swaps are each of one edition: the listings of page, host and parents agree`, async () => {
  // Four listings of the one source apply to each page: the page, its host, the host above that, and edition.com.
  const pages = Array.from({ length: HOSTS }, (_, host) => indicatorOf(`http://a.h${host}.edition.com/p`));
  let isDone = false;
  let swaps = 0;
  const generations = new Set<string>();
  const publishing = (async () => {
    for (let edition = 1; edition <= SWAPS; edition += 1) {
      await publish(edition);
      // Readers move in two ways: by a delta in place or by a new file.
      await built.replicator.sync();
      if (edition % NEW_FILE_EVERY === 0) await built.replicator.compact();
      built.replica.refresh();
      swaps += 1;
    }
    isDone = true;
  })();
  let reads = 0;
  let mixed = 0;
  let short = 0;
  const editions = new Set<number>();
  while (!isDone || reads < READS) {
    for (let i = 0; i < READS_PER_TURN; i += 1) {
      const { listings } = corpus.lookup(pages[reads % HOSTS] as Indicator);
      const first = listings[0]?.confidence ?? -1;
      if (listings.length !== 4) short += 1;
      for (const { confidence } of listings) if (confidence !== first) mixed += 1;
      editions.add(first);
      reads += 1;
    }
    generations.add(built.replica.view().generation);
    await turn();
  }
  await publishing;
  expect({ mixed, short, swaps }).toEqual({ mixed: 0, short: 0, swaps: SWAPS });
  expect(reads).toBeGreaterThanOrEqual(READS);
  // Proves that the readers moved: they saw most editions and most files.
  expect(generations.size).toBeGreaterThan(SWAPS / NEW_FILE_EVERY / 2);
  expect(editions.size).toBeGreaterThan(SWAPS / 2);
}, 600_000);
