import type { OpenedJudge } from '../../server/src/app/open-judge.ts';
import { openListSource } from '../../server/src/app/open-list-source.ts';
import { LIST_NAMES, publishLists } from '../../server/src/capabilities/blocklists/index.ts';
import { buildMmdb, publishMmdb } from '../../server/src/capabilities/mmdb/index.ts';
import { keepStandings } from '../../server/src/capabilities/standing/index.ts';
import { rebuildCollections, recordCollections } from '../../server/src/capabilities/taxii/index.ts';
import { createArtifacts } from '../../server/src/platform/artifacts.ts';
import { newId } from '../../server/src/platform/ids.ts';
import { DemoError } from '../cli-options.ts';
import type { Seeding } from './seeding.ts';

/** PostgreSQL ends a transaction that is idle for ten seconds, so a slow machine must not score more between two statements. */
const ROWS_PER_BATCH = 1_000;

const count = (value: number): string => value.toLocaleString('en-US');

/** Scores every listed indicator, as the worker does each minute. */
export async function scoreIndicators(
  { system, onProgress, signal }: Seeding,
  judge: OpenedJudge,
): Promise<void> {
  judge.refresh?.();
  const { followed } = await keepStandings(judge, {
    run: newId('run', judge.clock.now()),
    transaction: system.transaction,
    signal,
    rowsPerBatch: ROWS_PER_BATCH,
    onProgress: ({ read }) => onProgress(`Scoring indicators: ${count(read)}`),
  });
  if (!followed.isOurs) throw new DemoError('Another process is scoring indicators of this database.');
}

/** Builds and publishes the shared blocklists, the TAXII collections and the address database. */
export async function buildPublished(seeding: Seeding, judge: OpenedJudge): Promise<void> {
  const { system, config, log, signal, onProgress } = seeding;
  const { clock } = judge;
  const { transaction } = system;
  onProgress('Building the blocklists');
  const { openArtifact } = createArtifacts({ postgres: system, dataDir: config.DATA_DIR, log, clock });
  const source = openListSource(system.db, config.DISTRIBUTION);
  const lists = await publishLists({ clock, source, openArtifact, transaction }, { signal });
  const failed = lists.find(({ outcome }) => outcome === 'failed');
  if (lists.length < LIST_NAMES.length || failed !== undefined)
    throw new DemoError(
      `The blocklists were not built: ${failed?.outcome === 'failed' ? failed.failure : 'not every indicator has a score'}`,
    );
  onProgress('Building the address database');
  const { outcome } = await publishMmdb({ clock, transaction }, () =>
    buildMmdb({ judge, audience: config.DISTRIBUTION, transaction }),
  );
  if (outcome === 'waiting')
    throw new DemoError('The address database was not built: not every indicator has a score.');
  onProgress('Building the TAXII collections');
  const { isOurs } = await recordCollections({ clock, transaction }, () =>
    rebuildCollections(
      {
        judge,
        audience: config.DISTRIBUTION,
        onPublished: (objects) => onProgress(`Building the TAXII collections: ${count(objects)} objects`),
      },
      { run: newId('run', clock.now()), transaction, signal, rowsPerBatch: ROWS_PER_BATCH },
    ),
  );
  if (!isOurs) throw new DemoError('The TAXII collections were not built: another process works on them.');
}
