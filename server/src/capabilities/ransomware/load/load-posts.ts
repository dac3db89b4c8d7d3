import type { Post } from '#domain/ransomware/index.ts';
import { emit, emitAll } from '#platform/events.ts';
import type { Db } from '#platform/postgres.ts';
import { ClaimsLoaded, NewClaim } from '../events.ts';
import { gatherGroups, type WrittenClaim } from './gather-groups.ts';
import { type Loading, type LoadDeps, stateAfter } from './load-file.ts';
import { countPosts, upsertPosts } from './post-store.ts';
import { beginLoad, endLoad, lockLoads, type LoadState, saveLoad, writeSourceState } from './source-store.ts';

const BATCH_ROWS = 500;
/** Beyond this a load is told of in one event (O13). */
const EVENTS_MAX = 1_000;

/**
 * Writes posts in batches. Each batch commits its posts, the claims they make, the events of new claims and the position in
 * the file together, so a load that is killed anywhere goes on behind its last batch.
 */
export async function loadPosts(
  deps: LoadDeps,
  loading: Loading,
  posts: readonly Post[],
): Promise<{ readonly newClaims: number; readonly resumedAt: number }> {
  const { source, sha256, state, options } = loading;
  // Posts of a group are neighbours, so that a batch gathers the claims of few groups.
  const rows = posts.toSorted((a, b) => compare(a.groupKey, b.groupKey) || a.discoveredAtMs - b.discoveredAtMs);
  const key = { sourceId: source.id, sha256 };
  let load = await deps.transaction((tx) =>
    beginLoad(tx, { ...key, startedAtMs: deps.clock.now(), isFirst: state === undefined }),
  );
  const resumedAt = load.rowsDone;
  do {
    const batch = rows.slice(load.rowsDone, load.rowsDone + BATCH_ROWS);
    load = await deps.transaction(async (tx) => {
      await lockLoads(tx);
      const next = await writeBatch(tx, deps, load, { sourceId: source.id, batch });
      if (next.rowsDone < rows.length) await saveLoad(tx, key, next);
      else await finish(tx, deps, loading, next);
      return next;
    });
    options.onProgress?.(load.rowsDone, rows.length);
  } while (load.rowsDone < rows.length);
  return { newClaims: load.claims, resumedAt };
}

const compare = (a: string, b: string): number => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

async function writeBatch(
  tx: Db,
  { clock }: LoadDeps,
  load: LoadState,
  { sourceId, batch }: { readonly sourceId: string; readonly batch: readonly Post[] },
): Promise<LoadState> {
  const changed = await upsertPosts(tx, sourceId, batch);
  const added = changed.length === 0 ? [] : await gatherGroups(tx, changed, clock.now());
  // The first content of a source is history, which is no news.
  const news = load.isFirst ? [] : added.slice(0, Math.max(0, EVENTS_MAX - load.events));
  await emitAll(tx, news.map((claim) => eventOf(claim, clock.now())));
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
    country: claim.country,
    sector: claim.sector,
    discoveredAt: new Date(claim.discoveredAtMs).toISOString(),
    status: 'claimed' as const,
  },
  occurredAt: new Date(nowMs),
});

async function finish(tx: Db, { clock }: LoadDeps, loading: Loading, load: LoadState): Promise<void> {
  const { source, sha256 } = loading;
  const records = await countPosts(tx, source.id);
  await writeSourceState(tx, stateAfter(loading, clock.now(), records));
  await endLoad(tx, { sourceId: source.id, sha256 });
  if (load.claims === 0) return;
  const payload = { sourceId: source.id, claims: load.claims, firstLoad: load.isFirst };
  await emit(tx, { type: ClaimsLoaded, accountId: null, payload, occurredAt: new Date(clock.now()) });
}
