import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Corpus, corpusDataset, openCorpus } from '#capabilities/corpus/index.ts';
import { EMPTY_BOOK } from '#capabilities/enrichment/index.ts';
import { type Assessor, createAssessor, createMissCache } from '#capabilities/judging/index.ts';
import type { Clock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { asSystem } from '#platform/postgres.ts';
import { openReplica } from '#platform/replica/reader.ts';
import { openReplicator } from '#platform/replica/replicator.ts';
import { createTestDatabase } from '../database.ts';
import { admin } from '../service.ts';

export const DATA_DIR = join(import.meta.dirname, '../../../../../shared/data');
export const HAS_DATA = existsSync(join(DATA_DIR, 'MANIFEST.json'));
/** The lists of the data set were fetched in the hours before. */
export const DATA_MS = Date.parse('2026-08-23T01:00:00Z');
const log = createLog('silent');

export type RealCorpus = {
  readonly corpus: Corpus;
  readonly assess: Assessor;
  readonly clock: Clock;
  readonly close: () => Promise<void>;
};

/**
 * The whole data set in a replica, judged at its own date. Importing it takes minutes; ASSAY_REPLICA_DIR names a data folder
 * that has it already.
 */
export async function openRealCorpus(): Promise<RealCorpus> {
  const kept = process.env.ASSAY_REPLICA_DIR;
  const dataDir = kept ?? mkdtempSync(join(tmpdir(), 'assay-real-corpus-'));
  if (kept === undefined) await importInto(dataDir);
  const clock: Clock = { now: () => DATA_MS, monotonic: () => performance.now() };
  const replica = await openReplica({ dataDir, dataset: corpusDataset, log, clock });
  const corpus = openCorpus(replica);
  return {
    corpus,
    clock,
    assess: createAssessor({
      corpus,
      misses: createMissCache(clock),
      clock,
      enrichment: { book: () => EMPTY_BOOK },
    }),
    close: async () => {
      await replica.close();
      if (kept === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function importInto(dataDir: string): Promise<void> {
  const database = await createTestDatabase();
  const system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 });
  const clock: Clock = { now: () => DATA_MS, monotonic: () => performance.now() };
  try {
    const env = {
      ASSAY_ENV: 'test',
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      CLOCK_OFFSET_MS: String(DATA_MS - 1_800_000 - Date.now()),
    };
    await admin(env, ['feeds', 'import-manifest', DATA_DIR]);
    const replicator = await openReplicator({
      postgres: system,
      dataset: corpusDataset,
      dataDir,
      log,
      clock,
    });
    await replicator.close();
  } finally {
    await system.close();
    await database.drop();
  }
}
