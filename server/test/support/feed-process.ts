import { readFileSync } from 'node:fs';
import type { CatalogueRow } from '#capabilities/catalogue/index.ts';
import { importManifest, runSource, syncCatalogue } from '#capabilities/feeds/index.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { createOutbound } from '#platform/outbound.ts';
import { asSystem } from '#platform/postgres.ts';

export type FeedWork = {
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** `manifest`: the folder is imported once. `runs`: every source of the catalogue is run until nothing is new. */
  readonly mode: 'manifest' | 'runs';
  readonly folder: string;
  readonly allow: string;
  readonly catalogue: readonly CatalogueRow[];
};

/**
 * An import for tests to kill, with the real parts and the real tables. It prints `started` when its modules
 * are loaded and exits 0 when nothing is left to do.
 */
const work = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as FeedWork;
const [log, clock] = [createLog('silent'), systemClock()];
const system = asSystem({ DATABASE_URL: work.databaseUrl, POSTGRES_POOL_MAX: 4 });
const outbound = createOutbound({ log, clock, allow: work.allow === '' ? [] : [work.allow] });
const deps = {
  system,
  clock,
  log,
  outbound,
  dataDir: work.dataDir,
  keys: () => undefined,
  catalogue: work.catalogue,
};

process.send?.('started');

if (work.mode === 'manifest') {
  const offlineFiles = work.catalogue.map(({ id }) => ({
    path: `feeds/${id}.txt`,
    source: id,
    role: 'part' as const,
  }));
  const report = await importManifest({ ...deps, offlineFiles }, work.folder);
  const bad = report.sources.find(({ status }) => status !== 'imported' && status !== 'unchanged');
  if (bad !== undefined) throw new Error(`${bad.id}: ${bad.reason}`);
} else {
  await syncCatalogue(deps);
  let isNew = true;
  while (isNew) {
    isNew = false;
    for (const { id } of work.catalogue) {
      const outcome = await runSource(deps, id, { force: true });
      if (outcome.status === 'failed' || outcome.status === 'quarantined')
        throw new Error(`${id}: ${outcome.reason}`);
      if (outcome.status === 'succeeded' && (outcome.report?.added ?? 0) > 0) isNew = true;
    }
  }
}
await outbound.close();
await system.close();
