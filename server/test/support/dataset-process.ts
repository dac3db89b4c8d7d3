import { readFileSync } from 'node:fs';
import { ALL_DATASETS } from '#app/all-datasets.ts';
import { cveWorkerPart, mergePending } from '#capabilities/cve/index.ts';
import {
  type DatasetDefinition,
  type DatasetDeps,
  datasetsWorkerPart,
  loadFiles,
  startDatasets,
} from '#capabilities/datasets/index.ts';
import { systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { createWorker, enqueue } from '#platform/jobs.ts';
import { createLog } from '#platform/log.ts';
import { createOutbound } from '#platform/outbound.ts';
import { asSystem, type Postgres, sql } from '#platform/postgres.ts';
import { sleep } from './eventually.ts';

export type DatasetWork = {
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** `load`: files of an operator. `worker`: the jobs of the worker fetch what is due. */
  readonly mode: 'load' | 'worker';
  /** The time of this edition, so that two databases get the same dates. */
  readonly nowMs: number;
  readonly allow: string;
  readonly datasets: readonly { readonly id: string; readonly url: string; readonly path: string }[];
};

/**
 * A loader or a worker of data sets for tests to kill, with the real parts and the real tables. It sends `started` when its
 * modules are loaded and exits 0 when nothing is left to do.
 */
const work = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as DatasetWork;
const log = createLog('silent');
const clock = { now: () => work.nowMs, monotonic: () => performance.now() };
const system = asSystem({ DATABASE_URL: work.databaseUrl, POSTGRES_POOL_MAX: 4 });
const outbound = createOutbound({ log, clock, allow: work.allow === '' ? [] : [work.allow] });
const deps: DatasetDeps = {
  system,
  clock,
  log,
  outbound,
  dataDir: work.dataDir,
  keys: () => undefined,
  wait: async () => undefined,
};
const VOLUME = { min: 10, max: 1_000_000 };
const definitions = work.datasets.map(({ id, url }): DatasetDefinition => {
  const found = ALL_DATASETS.find((each) => each.id === id);
  if (found === undefined) throw new Error(`There is no data set '${id}'.`);
  return { ...found, urls: [url], volume: VOLUME, isDefault: true };
});

process.send?.('started');
await (work.mode === 'load' ? loadAll() : runWorker());
await outbound.close();
await system.close();
process.disconnect?.();

async function loadAll(): Promise<void> {
  for (const [at, definition] of definitions.entries()) {
    const paths = [work.datasets[at]?.path ?? ''];
    const { id, status, reason } = await loadFiles(deps, definition, { paths, dataAtMs: work.nowMs });
    if (status === 'quarantined') throw new Error(`${id}: ${reason}`);
  }
  // The worker's job finishes records that a killed loader left unmade.
  await mergePending(deps);
}

async function runWorker(): Promise<void> {
  const parts = [datasetsWorkerPart({ ...deps, definitions }), cveWorkerPart(deps)];
  const worker = createWorker({
    config: { ...loadConfig({ ASSAY_ENV: 'test', DATABASE_URL: work.databaseUrl }), POSTGRES_POOL_MAX: 4 },
    log,
    clock: systemClock(),
    jobs: parts.flatMap(({ jobs }) => jobs),
    crons: [],
    concurrency: 4,
    timing: { heartbeatMs: 300, leaseMs: 3_000 },
    onLeaseLost: () => process.exit(3),
  });
  await startDatasets({ ...deps, definitions });
  await system.transaction((tx) => enqueue(tx, 'cve.merge', {}, { key: 'cve.merge', maxAttempts: 5 }));
  while (await isBusy(system)) await sleep(100);
  await worker.stop();
}

/** A data set is due or claimed, or a record is not made yet. */
async function isBusy({ db }: Postgres): Promise<boolean> {
  const { rows } = await sql<{ busy: boolean }>`
    select exists (select from feed_state where source_number < 0
                    and (claimed_until is not null or next_run_at <= ${new Date(work.nowMs)}))
        or exists (select from cve_pending) as busy`.execute(db);
  return rows[0]?.busy ?? false;
}
