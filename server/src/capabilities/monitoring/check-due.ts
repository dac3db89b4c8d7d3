import { setTimeout as sleep } from 'node:timers/promises';
import type { NewAlert } from '#capabilities/alerts/index.ts';
import { CHECK_HOURS, changedFacets, FACETS, type Facets } from '#domain/monitoring/index.ts';
import type { JobContext } from '#platform/jobs.ts';
import type { Db } from '#platform/postgres.ts';
import { deskOf, type KeepDeps } from './desk.ts';
import { applyOwnWords } from './follow-own.ts';
import { type FacetLookups, facetPlanOf, lookUpFacets } from './look-up-facets.ts';
import { raise, recheckTargets } from './recheck-targets.ts';
import { deleteUnwatched, dueKeys, followedSeq, putFacets, scheduleNext } from './schedule-store.ts';
import { indicatorOf } from './target.ts';
import { type FacetStates, lockTargets, selectWatchers, type TargetRow } from './target-store.ts';
import { facetAlert } from './word-alerts.ts';

const TARGETS_AT_ONCE = 2_000;
/** Smaller batches where lookups are on, because a batch takes as long as its slowest lookup. */
const LOOKED_UP_AT_ONCE = 200;
const LOOKUPS_BESIDE = 8;
const RUN_MS = 50_000;

type Running = Pick<JobContext, 'transaction' | 'signal' | 'jobId'>;

export type DueReport = { readonly checked: number; readonly removed: number };

/**
 * Checks what is due by the plan of its accounts: certificate, registration and location where lookups are on, and a level
 * that has only aged. Targets that no account watches any longer are deleted here.
 */
export async function checkDue(deps: KeepDeps, lookups: FacetLookups, running: Running): Promise<DueReport> {
  const { clock } = deps.checking;
  const endsMs = clock.monotonic() + RUN_MS;
  const hasLookups = [
    lookups.providers.rdap,
    lookups.providers.tls,
    lookups.providers.ct,
    lookups.providers.addresses,
  ].some(({ isOn }) => isOn);
  const limit = hasLookups ? LOOKED_UP_AT_ONCE : TARGETS_AT_ONCE;
  let [checked, removed] = [0, 0];
  while (clock.monotonic() < endsMs) {
    running.signal.throwIfAborted();
    const due = await running.transaction(async (tx) => {
      const keys = await dueKeys(tx, clock.now(), limit);
      removed += await deleteUnwatched(tx, keys);
      return lockTargets(tx, keys);
    });
    if (due.length === 0) break;
    const facets = await lookUpAll(lookups, due, running.signal);
    const count = await running.transaction((tx) => checkSome(tx, deps, running.jobId, due, facets));
    // Zero means that the replica is behind, so nothing was checked; the next run tries again.
    if (count === 0) break;
    checked += count;
    if (due.length < limit) break;
    await sleep(0);
  }
  return { checked, removed };
}

type FoundFacets = ReadonlyMap<string, FacetStates>;

async function lookUpAll(
  lookups: FacetLookups,
  due: readonly TargetRow[],
  signal: AbortSignal,
): Promise<FoundFacets> {
  const found = new Map<string, FacetStates>();
  const waiting = due.flatMap((row) => {
    const indicator = indicatorOf(row.value);
    const isWatched =
      indicator !== null && FACETS.some((facet) => facetPlanOf(lookups, indicator)[facet] === 'watched');
    return indicator !== null && isWatched ? [{ row, indicator }] : [];
  });
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < waiting.length; at = next++) {
      signal.throwIfAborted();
      const { row, indicator } = waiting[at] as (typeof waiting)[number];
      found.set(row.key.toString('latin1'), await lookUpFacets(lookups, indicator, signal));
    }
  };
  await Promise.all(Array.from({ length: LOOKUPS_BESIDE }, work));
  return found;
}

async function checkSome(
  tx: Db,
  deps: KeepDeps,
  run: string,
  due: readonly TargetRow[],
  facets: FoundFacets,
): Promise<number> {
  deps.checking.refresh?.();
  if (deps.checking.corpus.seq() < (await followedSeq(tx))) return 0;
  const desk = deskOf(deps, run);
  const keys = due.map(({ key }) => key);
  const rows = await lockTargets(tx, keys);
  await recheckTargets(tx, desk, rows);
  const changed = rows.filter((row) => facetsChanged(row, facets).length > 0);
  const watchers = await selectWatchers(
    tx,
    changed.map(({ key }) => key),
    keys,
  );
  const byKey = new Map(rows.map((row) => [row.key.toString('latin1'), row]));
  const alerts = watchers.flatMap((watcher): readonly NewAlert[] => {
    const row = byKey.get(watcher.key.toString('latin1'));
    if (row === undefined) return [];
    const { entityType, value } = row;
    const now = facets.get(row.key.toString('latin1')) ?? {};
    return facetsChanged(row, facets).flatMap((facet) => {
      const [before, after] = [row.facets[facet], now[facet]];
      return before === undefined || after === undefined
        ? []
        : [facetAlert({ ...watcher, entityType, value }, facet, before, after)];
    });
  });
  await raise(tx, desk, alerts);
  const found = rows.flatMap(({ key }) => {
    const states = facets.get(key.toString('latin1'));
    return states === undefined || Object.keys(states).length === 0 ? [] : [{ key, facets: states }];
  });
  if (found.length > 0) await putFacets(tx, found);
  // What the organization reported may have expired since the last check.
  await applyOwnWords(
    tx,
    desk,
    watchers.filter(({ own }) => own !== null),
    rows,
  );
  await scheduleNext(tx, keys, CHECK_HOURS, { nowMs: desk.nowMs, isEarliest: false, isChecked: true });
  return rows.length;
}

const digestsOf = (states: FacetStates): Facets =>
  Object.fromEntries(Object.entries(states).map(([facet, { digest }]) => [facet, digest]));

const facetsChanged = (row: TargetRow, found: FoundFacets) =>
  changedFacets(digestsOf(row.facets), digestsOf(found.get(row.key.toString('latin1')) ?? {}));
