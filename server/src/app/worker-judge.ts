import { join } from 'node:path';
import type { MmdbJudge } from '#capabilities/mmdb/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Log } from '#platform/log.ts';
import type { Postgres } from '#platform/postgres.ts';
import { isReplicatorRunning, REPLICATOR_ALREADY_RUNS } from '#platform/replica/exclusive.ts';
import { type OpenedJudge, openJudge } from './open-judge.ts';
import { superviseChild } from './supervise-child.ts';

export type WorkerJudge = {
  readonly get: () => MmdbJudge | null;
  readonly stop: () => Promise<void>;
};

const RETRY_MS = 5_000;
const STOP_GRACE_MS = 25_000;

/**
 * The replica that the worker judges with. Where an API of this data folder replicates already, its replica is read; a
 * worker on a machine of its own keeps one in the subfolder `worker`.
 */
export function openWorkerJudge({
  config,
  log,
  clock,
  postgres,
}: {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly postgres: Postgres;
}): WorkerJudge {
  const isShared = isReplicatorRunning(config.DATA_DIR);
  const replicaDir = isShared ? config.DATA_DIR : join(config.DATA_DIR, 'worker');
  const replicator = isShared
    ? null
    : superviseChild({
        command: 'replicator',
        name: 'replicator of the worker',
        log,
        args: [replicaDir],
        onMessage: () => undefined,
        isFinal: (code) => code === REPLICATOR_ALREADY_RUNS,
      });
  let opened: OpenedJudge | null = null;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const open = async (): Promise<void> => {
    try {
      opened = await openJudge({ postgres, dataDir: config.DATA_DIR, replicaDir, log, clock });
      if (isStopped) await opened.close();
      else log.info({ replicaDir }, 'standings are judged from this replica');
    } catch (error) {
      if (isStopped) return;
      log.info({ err: error, retryMs: RETRY_MS }, 'no replica to judge standings with yet');
      timer = setTimeout(() => void open(), RETRY_MS);
    }
  };
  void open();
  return {
    get: () => opened,
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await opened?.close();
      await replicator?.stop(STOP_GRACE_MS);
    },
  };
}
