import type { Db } from '#platform/postgres.ts';
import { appendChanges } from '#platform/replica/change-log.ts';
import type { Source } from './contract.ts';
import { CORPUS, SOURCES } from './dataset.ts';
import { recordConfirmation } from './merge-store.ts';
import type { CorpusWriteDeps } from './register-source.ts';
import { sourceKey } from './source-key.ts';
import { lockSource } from './store.ts';

/** The time of a merge, always after the last fetch: a clock that steps back must not make periods overlap. */
export const mergeTime = (
  { clock }: Pick<CorpusWriteDeps, 'clock'>,
  source: Pick<Source, 'lastFetchAtS'>,
): number => Math.max(Math.trunc(clock.now()), Math.round(source.lastFetchAtS * 1_000) + 1);

/**
 * Whether to record again that a source was read without changes. The score calls a source fresh for two intervals
 * (scoring 6), so once per half interval is enough, and a list read every minute writes next to nothing.
 */
export const isFetchDue = (source: Pick<Source, 'lastFetchAtS' | 'intervalS'>, nowMs: number): boolean =>
  nowMs - source.lastFetchAtS * 1_000 > (source.intervalS * 1_000) / 2;

/**
 * Records that the publisher still has the listed content. It is written and logged at most once per half interval, so that
 * replicas always know the same fetches as the record, which a replay reads (scoring ruling 12). Call it last in a
 * transaction, because it takes the change log's lock.
 */
export async function confirmFetch(
  tx: Db,
  deps: Pick<CorpusWriteDeps, 'clock'>,
  sourceId: string,
): Promise<void> {
  const source = await lockSource(tx, sourceId);
  if (source === undefined || source.lastFetchAtS === 0) return;
  const atMs = mergeTime(deps, source);
  if (!isFetchDue(source, atMs)) return;
  await recordConfirmation(tx, source.number, atMs);
  await appendChanges(tx, CORPUS, SOURCES, [sourceKey(source.number)]);
}
