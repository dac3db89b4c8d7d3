import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import type { Postgres } from '#platform/postgres.ts';
import type { Dataset } from '#platform/replica/dataset.ts';
import { openReplica, type Replica } from '#platform/replica/reader.ts';
import { type OpenReplicator, openReplicator } from '#platform/replica/replicator.ts';

export type BuiltReplica = {
  readonly dataDir: string;
  readonly replica: Replica;
  readonly replicator: OpenReplicator;
  /** Afterwards every view has the current content of PostgreSQL. */
  readonly sync: () => Promise<void>;
  readonly close: () => Promise<void>;
};

const [log, clock] = [createLog('silent'), systemClock()];

/** A real replica of a dataset in its own folder; `postgres` has the system role. */
export async function buildReplica(postgres: Postgres, dataset: Dataset): Promise<BuiltReplica> {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-replica-'));
  const replicator = await openReplicator({ postgres, dataset, dataDir, log, clock });
  const replica = await openReplica({ dataDir, dataset, log, clock });
  return {
    dataDir,
    replica,
    replicator,
    sync: async () => {
      await replicator.sync();
      replica.refresh();
    },
    close: async () => {
      await replica.close();
      await replicator.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
