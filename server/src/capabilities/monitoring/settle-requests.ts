import { claimFollower, type FollowDeps } from '#capabilities/corpus/index.ts';
import { CHECK_HOURS, watchedNameOf } from '#domain/monitoring/index.ts';
import type { Db } from '#platform/postgres.ts';
import { deskOf, type KeepDeps, MONITORING } from './desk.ts';
import { applyOwnWords } from './follow-own.ts';
import { putSpellings } from './name-store.ts';
import { recheckTargets } from './recheck-targets.ts';
import { deleteRequests, followedSeq, scheduleNext, selectRequests } from './schedule-store.ts';
import { indicatorOf } from './target.ts';
import { lockTargets, selectWatchers, type TargetRow } from './target-store.ts';

const REQUESTS_AT_ONCE = 2_000;
const CLAIM_MS = 120_000;

/**
 * Checks values that were just added. The caller's node judged them on its own state of the corpus; a change between that
 * state and the position of the follower would be missed otherwise. The first state of a value is its baseline.
 */
export async function settleRequests(
  deps: KeepDeps,
  { run, transaction, signal }: FollowDeps,
): Promise<number> {
  let settled = 0;
  for (;;) {
    signal?.throwIfAborted();
    const count = await transaction((tx) => settleSome(tx, deps, run));
    settled += count;
    if (count < REQUESTS_AT_ONCE) return settled;
  }
}

async function settleSome(tx: Db, deps: KeepDeps, run: string): Promise<number> {
  const { checking } = deps;
  // Claimed until the commit, so that the follower cannot move between `followedSeq` and the check of the values.
  if ((await claimFollower(tx, MONITORING, run, CLAIM_MS)) === null) return 0;
  checking.refresh?.();
  const requests = await selectRequests(tx, REQUESTS_AT_ONCE);
  if (requests.length === 0) return 0;
  const seq = checking.corpus.seq();
  if (seq < (await followedSeq(tx))) return 0;
  const rows = await lockTargets(tx, uniqueKeys(requests.map(({ key }) => key)));
  // Rows that a node ahead of this replica judged wait until this replica has that state of the corpus.
  const later = new Set(rows.filter((row) => row.seq > seq).map(({ key }) => key.toString('latin1')));
  const ready = rows.filter((row) => row.seq <= seq);
  const desk = deskOf(deps, run);
  await recheckTargets(tx, desk, ready);
  const keys = ready.map(({ key }) => key);
  await scheduleNext(tx, keys, CHECK_HOURS, { nowMs: desk.nowMs, isEarliest: true, isChecked: false });
  await spell(tx, ready);
  const watchers = (await selectWatchers(tx, keys)).filter(({ accountId }) => accountId.startsWith('org_'));
  await applyOwnWords(tx, desk, watchers, await lockTargets(tx, keys));
  const done = requests.filter(({ key }) => !later.has(key.toString('latin1')));
  await deleteRequests(
    tx,
    done.map(({ number }) => number),
  );
  return done.length;
}

const uniqueKeys = (keys: readonly Buffer[]): readonly Buffer[] => [
  ...new Map(keys.map((key) => [key.toString('latin1'), key])).values(),
];

/** Stores the spellings of watched names, by which look-alikes are found. */
async function spell(tx: Db, rows: readonly TargetRow[]): Promise<void> {
  const spelled = rows.flatMap(({ key, value, entityType }) => {
    const indicator = entityType === 'domain' ? indicatorOf(value) : null;
    const name = indicator?.kind === 'domain' ? watchedNameOf(indicator) : null;
    return name === null ? [] : [{ key, forms: name.forms }];
  });
  if (spelled.length > 0) await putSpellings(tx, spelled);
}
