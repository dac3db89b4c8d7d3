import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { createLog } from '#platform/log.ts';
import { asSystem } from '#platform/postgres.ts';
import type { Dataset } from '#platform/replica/dataset.ts';
import { ReplicatorRunsElsewhere } from '#platform/replica/exclusive.ts';
import { openReplicator, runReplicator } from '#platform/replica/replicator.ts';
import { toyDataset } from './replica-toy.ts';

/**
 * A replicator process for tests to kill. `run` is the real program; `churn` rewrites the generation
 * repeatedly, so that a kill falls into a compaction, a verification or a swap; `run-big` adds a second,
 * larger dataset.
 */
const [mode = 'run', databaseUrl = '', dataDir = ''] = process.argv.slice(2);
const config = loadConfig({
  ASSAY_ENV: 'test',
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
  LOG_LEVEL: 'warn',
});
const log = createLog(config.LOG_LEVEL, { write: (line) => process.stderr.write(line) });
const clock = systemClock();
const big: Dataset = {
  name: 'big',
  format: 1,
  collections: [{ name: 'rows', view: 'toy_big_entry' }],
  derived: [],
};

try {
  if (mode === 'churn') {
    const postgres = asSystem({ DATABASE_URL: databaseUrl, POSTGRES_POOL_MAX: 4 });
    const replicator = await openReplicator({ postgres, dataset: toyDataset(), dataDir, log, clock });
    while (true) {
      await replicator.sync();
      await replicator.compact();
      await sleep(10);
    }
  }
  const stop = new AbortController();
  process.on('SIGTERM', () => stop.abort());
  const datasets = mode === 'run-big' ? [toyDataset(), big] : [toyDataset()];
  await runReplicator({ config, datasets, log, clock, signal: stop.signal });
} catch (error) {
  if (!(error instanceof ReplicatorRunsElsewhere)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(75);
}
