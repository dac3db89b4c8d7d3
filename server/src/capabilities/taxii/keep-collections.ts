import {
  claimFollower,
  type FollowDeps,
  type FollowReport,
  isFollowerCurrent,
  releaseFollower,
} from '#capabilities/corpus/index.ts';
import { standingStamp } from '#capabilities/standing/index.ts';
import { hourOf } from '#domain/scoring/index.ts';
import { identityOf } from '#domain/stix/index.ts';
import type { Db } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { countExcluded, type ExcludedCounts } from './count-excluded.ts';
import { countScores, isCountDue } from './count-scores.ts';
import { type ExportDeps, exportClasses, exportRules } from './export-classes.ts';
import { exportUrls, TAXII } from './export-urls.ts';
import * as store from './object-store.ts';
import { versionOf } from './object-text.ts';

/** That an object left a collection is told for this long (O39, decisions 3.6). */
export const LEFT_KEPT_MS = 90 * DAY_MS;
const CLAIM_MS = 300_000;
const OBJECTS_A_WRITE = 2_000;
/** From this many changes the table is analyzed at once; below, autovacuum does it in time. */
const ANALYZED_FROM = 1_000;
/**
 * A new date added lies this far in the future; a write that takes more than half of that is rolled back. A client that
 * began its walk before the commit therefore has an earlier time, so its next poll with `added_after` finds the object.
 */
const AHEAD_MS = 10_000;
const AHEAD_MAX_MS = 160_000;

export type SyncReport = {
  /** False: another run is at work, or the standings are not complete yet. */
  readonly isOurs: boolean;
  /** True: the standings are not complete yet. */
  readonly isWaiting?: boolean;
  readonly urls: FollowReport | null;
  readonly classes: number;
  readonly judged: number;
  readonly published: number;
  readonly left: number;
  readonly tookMs: number;
  /** What was left out of each collection and why; only a rebuild counts it. */
  readonly excluded?: ExcludedCounts;
};

const NOT_OURS: SyncReport = {
  isOurs: false,
  urls: null,
  classes: 0,
  judged: 0,
  published: 0,
  left: 0,
  tookMs: 0,
};

/** Brings the collections up to date if the standings, the rules or URLs changed since the last time. */
export const keepCollections = (deps: ExportDeps, follow: FollowDeps): Promise<SyncReport> =>
  sync(deps, follow, false);

/** Judges every class and URL again and compares everything. What did not change keeps its dates. */
export const rebuildCollections = (deps: ExportDeps, follow: FollowDeps): Promise<SyncReport> =>
  sync(deps, follow, true);

async function sync(deps: ExportDeps, follow: FollowDeps, isRebuild: boolean): Promise<SyncReport> {
  const { transaction, run } = follow;
  const { clock } = deps.judge;
  const startedMs = clock.monotonic();
  if (!(await transaction((tx) => isFollowerCurrent(tx, 'standing'))))
    return { ...NOT_OURS, isWaiting: true };
  const urls = await exportUrls(deps, { ...follow, mustWalk: isRebuild });
  if (!urls.isOurs) return NOT_OURS;
  if (!(await transaction((tx) => claim(tx, run)))) return NOT_OURS;
  try {
    const done = await compare(deps, follow, { isRebuild, urls });
    const tookMs = Math.round(clock.monotonic() - startedMs);
    if (isRebuild) await transaction((tx) => finishRebuild(tx, clock.now(), tookMs));
    if (await transaction((tx) => isCountDue(tx, clock.now())))
      await transaction((tx) => countScores(tx, clock.now()));
    const report = { isOurs: true, urls, ...done, tookMs };
    return isRebuild ? { ...report, excluded: await transaction((tx) => countExcluded(tx, deps)) } : report;
  } finally {
    await transaction((tx) => releaseFollower(tx, TAXII, run)).catch(() => undefined);
  }
}

const claim = async (tx: Db, run: string): Promise<boolean> =>
  (await claimFollower(tx, TAXII, run, CLAIM_MS)) !== null;

async function finishRebuild(tx: Db, nowMs: number, tookMs: number): Promise<void> {
  await store.forgetLeft(tx, (nowMs - LEFT_KEPT_MS) * 1_000);
  await store.saveRebuilt(tx, nowMs, tookMs);
}

type Done = Pick<SyncReport, 'classes' | 'judged' | 'published' | 'left'>;

async function compare(
  deps: ExportDeps,
  follow: FollowDeps,
  { isRebuild, urls }: { readonly isRebuild: boolean; readonly urls: FollowReport },
): Promise<Done> {
  const { transaction } = follow;
  const nowMs = deps.judge.clock.now();
  const nowH = hourOf(nowMs / 1_000);
  const state = await transaction(store.readState);
  // Read before the standings, so that a change during this run is compared by the next one.
  const syncedAs = `${await transaction(standingStamp)} ${nowH}`;
  const judgedAs = exportRules(deps);
  const isSame = state.syncedAs === syncedAs && state.judgedAs === judgedAs && urls.put + urls.removed === 0;
  if (isSame && !isRebuild) return { classes: 0, judged: 0, published: 0, left: 0 };
  const exported = await exportClasses(transaction, deps, isRebuild || state.judgedAs !== judgedAs);
  await transaction((tx) => store.compareCollections(tx, nowH));
  const published = await publishChanges(deps, follow, state);
  if (isRebuild || published.published + published.left >= ANALYZED_FROM)
    await transaction(store.analyzeObjects);
  await transaction((tx) => store.saveSynced(tx, { syncedAs, judgedAs, atMs: nowMs }));
  return { ...exported, ...published };
}

/** Publishes what the last comparison found, some objects in each transaction. */
export async function publishChanges(
  deps: ExportDeps,
  { transaction, run, signal, rowsPerBatch = OBJECTS_A_WRITE }: FollowDeps,
  state: store.SyncState,
): Promise<Pick<SyncReport, 'published' | 'left'>> {
  const sum = { published: 0, left: 0 };
  const createdByRef = identityOf(state.deployment, '', '').id;
  let aheadMs = AHEAD_MS;
  let after: Buffer | null = null;
  for (;;) {
    signal?.throwIfAborted();
    try {
      const done = await transaction(async (tx) => {
        if (!(await claim(tx, run))) throw new Error('Another run took over the collections.');
        return publishSome(tx, deps, { createdByRef, aheadMs, after, limit: rowsPerBatch });
      });
      sum.published += done.published;
      sum.left += done.left;
      deps.onPublished?.(sum.published + sum.left);
      if (done.next === null) return sum;
      after = done.next;
    } catch (error) {
      if (!(error instanceof TooLate) || aheadMs >= AHEAD_MAX_MS) throw error;
      aheadMs *= 2;
    }
  }
}

class TooLate extends Error {}

type Some = {
  readonly createdByRef: string;
  readonly aheadMs: number;
  readonly after: Buffer | null;
  readonly limit: number;
};

async function publishSome(
  tx: Db,
  { judge, audience }: ExportDeps,
  { createdByRef, aheadMs, after, limit }: Some,
): Promise<Pick<SyncReport, 'published' | 'left'> & { readonly next: Buffer | null }> {
  const newestUs = await store.lockDates(tx);
  const startedMs = judge.clock.now();
  const firstUs = Math.max((startedMs + aheadMs) * 1_000, newestUs + 1);
  const changes = await store.changesAfter(tx, { audience, after, limit });
  const versions = changes.flatMap((change, place) => versionOf(change, firstUs + place, createdByRef) ?? []);
  if (versions.length > 0) {
    await store.putObjects(tx, versions);
    await store.saveNewestDate(tx, firstUs + changes.length);
  }
  if (judge.clock.now() - startedMs >= aheadMs / 2)
    throw new TooLate(`Publishing ${changes.length} objects took longer than ${aheadMs / 2} ms.`);
  const left = versions.filter(({ collections }) => collections === 0).length;
  const next = changes.length < limit ? null : (changes.at(-1)?.key ?? null);
  return { published: versions.length - left, left, next };
}
