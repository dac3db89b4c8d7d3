import { setTimeout } from 'node:timers/promises';
import { readLogPosition } from '#capabilities/corpus/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/postgres.ts';
import { isReplicatorRunning } from '#platform/replica/exclusive.ts';
import { readStatus } from '#platform/replica/status.ts';

const CORPUS = 'corpus';
const POLL_MS = 50;
const WAIT_MS = 15_000;

/**
 * Waits until the replica of this machine has every change that is committed now, so that the next check uses them.
 * Returns a sentence about it; null where no API or worker runs with this data folder.
 */
export async function awaitReplica(
  db: Db,
  { dataDir, clock }: { readonly dataDir: string; readonly clock: Clock },
): Promise<string | null> {
  if (!isReplicatorRunning(dataDir)) return null;
  const { newestSeq } = await readLogPosition(db, CORPUS);
  const endMs = clock.monotonic() + WAIT_MS;
  while (!hasSeq(dataDir, newestSeq)) {
    if (clock.monotonic() > endMs)
      return 'The replica of this machine is behind. Checks use the list when it has caught up: replica status';
    await setTimeout(POLL_MS);
  }
  return 'Checks on this machine use it now.';
}

const hasSeq = (dataDir: string, seq: number): boolean =>
  readStatus(dataDir)?.datasets.some(({ dataset, seq: had }) => dataset === CORPUS && had >= seq) === true;
