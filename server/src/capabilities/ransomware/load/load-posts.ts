import type { LoadContent, LoadDeps, LoadReport } from '#capabilities/datasets/index.ts';
import type { Post } from '#domain/ransomware/index.ts';
import { emit, emitAll } from '#platform/events.ts';
import type { Db } from '#platform/postgres.ts';
import { ClaimsLoaded, NewClaim } from '../events.ts';
import { gatherGroups, type WrittenClaim } from './gather-groups.ts';
import { beginLoad, endLoad, type LoadState, lockLoads, saveLoad } from './load-store.ts';
import { countPosts, upsertPosts } from './post-store.ts';
import type { Content } from './read-content.ts';

const BATCH_ROWS = 500;
/** The most NewClaim events of a load; further claims count only in its ClaimsLoaded event (O13). */
const EVENTS_MAX = 1_000;

type Loading = {
  readonly content: LoadContent;
  readonly read: Pick<Content, 'counts'>;
  /** Date of the data that is in use; null: the first content of this data set. */
  readonly before: number | null;
};

/**
 * Writes posts in batches. Each batch commits its posts, the claims they make, the events of new claims and the
 * position in the file together, so that a killed load continues after its last batch.
 */
export async function loadPosts(
  deps: LoadDeps,
  loading: Loading,
  posts: readonly Post[],
): Promise<LoadReport> {
  const { content, before } = loading;
  // Sorted by group, so that a batch has to rebuild the claims of few groups.
  const rows = posts.toSorted(
    (a, b) => compare(a.groupKey, b.groupKey) || a.discoveredAtMs - b.discoveredAtMs,
  );
  const key = { datasetId: content.datasetId, sha256: content.sha256 };
  const { transaction } = deps.system;
  let load = await transaction((tx) =>
    beginLoad(tx, { ...key, startedAtMs: deps.clock.now(), isFirst: before === null }),
  );
  let report: LoadReport | null = null;
  while (report === null) {
    content.signal?.throwIfAborted();
    const batch = rows.slice(load.rowsDone, load.rowsDone + BATCH_ROWS);
    [load, report] = await transaction(async (tx) => {
      await lockLoads(tx);
      const next = await writeBatch(tx, deps, load, { datasetId: content.datasetId, batch });
      if (next.rowsDone >= rows.length) return [next, await finish(tx, deps, loading, next)];
      await saveLoad(tx, key, next);
      return [next, null];
    });
    content.onProgress?.(load.rowsDone);
  }
  return report;
}

const compare = (a: string, b: string): number => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

async function writeBatch(
  tx: Db,
  { clock }: LoadDeps,
  load: LoadState,
  { datasetId, batch }: { readonly datasetId: string; readonly batch: readonly Post[] },
): Promise<LoadState> {
  const changed = await upsertPosts(tx, datasetId, batch);
  const added = changed.length === 0 ? [] : await gatherGroups(tx, changed, clock.now());
  // No events for the first load of a data set, because its posts are history.
  const news = load.isFirst ? [] : added.slice(0, Math.max(0, EVENTS_MAX - load.events));
  await emitAll(
    tx,
    news.map((claim) => eventOf(claim, clock.now())),
  );
  return {
    ...load,
    rowsDone: load.rowsDone + batch.length,
    claims: load.claims + added.length,
    events: load.events + news.length,
  };
}

const eventOf = (claim: WrittenClaim, nowMs: number) => ({
  type: NewClaim,
  accountId: null,
  payload: {
    id: claim.id,
    victim: claim.victim,
    group: claim.groupName,
    domain: claim.domain,
    // What was inferred stays out: the event has no place for the rule.
    country: claim.countryRule === null ? claim.country : null,
    sector: claim.sectorRule === null ? claim.sector : null,
    discoveredAt: new Date(claim.discoveredAtMs).toISOString(),
    status: 'claimed' as const,
  },
  occurredAt: new Date(nowMs),
});

async function finish(
  tx: Db,
  { clock }: LoadDeps,
  { content, read, before }: Loading,
  load: LoadState,
): Promise<LoadReport> {
  const { datasetId } = content;
  await endLoad(tx, datasetId);
  const report: LoadReport = {
    entries: await countPosts(tx, datasetId),
    counts: read.counts,
    // Counts claims and not posts, because a post may repeat a known claim.
    delta: { added: load.claims, removed: 0, changed: 0 },
    // Posts add up, so an older file does not make the data older.
    dataAtMs: Math.max(content.dataAtMs, before ?? 0),
  };
  await content.record(tx, report);
  if (load.claims > 0) {
    const payload = { datasetId, claims: load.claims, firstLoad: load.isFirst };
    await emit(tx, { type: ClaimsLoaded, accountId: null, payload, occurredAt: new Date(clock.now()) });
  }
  return report;
}
