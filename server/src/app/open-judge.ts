import { corpusDataset, openCorpus } from '#capabilities/corpus/index.ts';
import { openEnrichment } from '#capabilities/enrichment/index.ts';
import type { MmdbJudge } from '#capabilities/mmdb/index.ts';
import { createNameTeller, tellAll } from '#capabilities/monitoring/index.ts';
import { openSignalBooks } from '#capabilities/signals/index.ts';
import { createNewsTeller } from '#capabilities/stream/index.ts';
import { openWeightBooks, type Weights } from '#capabilities/weights/index.ts';
import { createArtifacts } from '#platform/artifacts.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { Postgres } from '#platform/postgres.ts';
import { openReplica } from '#platform/replica/reader.ts';

export type OpenedJudge = MmdbJudge & { readonly weights: Weights; readonly close: () => Promise<void> };

export type OpenJudgeOptions = {
  readonly postgres: Postgres;
  readonly dataDir: string;
  /** The folder of the replica; the node's own by default. */
  readonly replicaDir?: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly waitMs?: number;
};

/** Everything that judges an indicator, for a process that answers no requests: the worker and administration commands. */
export async function openJudge(options: OpenJudgeOptions): Promise<OpenedJudge> {
  const { postgres, dataDir, replicaDir = dataDir, log, clock, waitMs } = options;
  const artifacts = createArtifacts({ postgres, dataDir, log, clock });
  const replica = await openReplica({
    dataDir: replicaDir,
    dataset: corpusDataset,
    log,
    clock,
    ...(waitMs !== undefined && { waitMs }),
  });
  const enrichment = await openEnrichment({ postgres, artifacts, dataDir, log });
  const signals = await openSignalBooks({ postgres, artifacts, dataDir, log });
  const weights = await openWeightBooks({ postgres, artifacts, dataDir, log });
  return {
    corpus: openCorpus(replica),
    enrichment,
    signals,
    weights,
    clock,
    // Standings kept with this judge emit events about what changed.
    news: tellAll(createNewsTeller({ clock }), createNameTeller({ clock })),
    refresh: () => replica.refresh(),
    openNewestSignals: () => signals.refresh(),
    close: async () => {
      await Promise.all([enrichment.close(), signals.close(), weights.close(), replica.close()]);
    },
  };
}
