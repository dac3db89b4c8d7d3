import { setTimeout as sleep } from 'node:timers/promises';
import {
  type FollowDeps,
  type FollowReport,
  followLog,
  KIND,
  LISTINGS,
  type LogReader,
  RELATED,
} from '#capabilities/corpus/index.ts';
import { differsFrom, type FactRules, factRulesOf } from '#capabilities/standing/index.ts';
import type { Db } from '#platform/postgres.ts';
import { type Desk, deskOf, type KeepDeps, MONITORING } from './desk.ts';
import { judgeTargets, writeMoved } from './recheck-targets.ts';
import { newestSeq } from './schedule-store.ts';
import { settleRequests } from './settle-requests.ts';
import { reachOf } from './target.ts';
import { keysAfter, keysInReach, lockTargets } from './target-store.ts';

/** Number of targets that one statement locks and reads. */
const TARGETS_AT_ONCE = 2_500;
const FIRST_KEY = Buffer.of(KIND.ipv4);
/** Sorts after every key that bears on what can be watched. */
const END_KEY = Buffer.of(KIND.asn);

export type KeepReport = { readonly followed: FollowReport; readonly settled: number };

const WAIT_MS = 20_000;
const WAIT_STEP_MS = 100;

/**
 * Brings what is watched up to date with the change log: values that were just added first, then the changes. The replica of
 * this process follows a merge within a second, so that is waited for.
 */
export async function keepWatched(
  deps: KeepDeps,
  follow: FollowDeps & { readonly waitMs?: number },
): Promise<KeepReport> {
  const { checking } = deps;
  const { waitMs = WAIT_MS, transaction, signal } = follow;
  const wanted = await transaction(newestSeq);
  for (let waited = 0; waited < waitMs; waited += WAIT_STEP_MS) {
    checking.refresh?.();
    if (checking.corpus.seq() >= wanted) break;
    await sleep(WAIT_STEP_MS, undefined, signal === undefined ? {} : { signal });
  }
  const settled = await settleRequests(deps, follow);
  return { followed: await followLog(readerOf(deps, follow.run), follow), settled };
}

function readerOf(deps: KeepDeps, run: string): LogReader<FactRules> {
  const { checking } = deps;
  const desk = deskOf(deps, run);
  return {
    name: MONITORING,
    collections: [LISTINGS, RELATED],
    firstKey: FIRST_KEY,
    endKey: END_KEY,
    rulesNow: async () => factRulesOf(checking, checking.clock.now()),
    isOfOtherRules: (stored, now) => differsFrom(stored as Partial<FactRules>, now),
    throughSeq: () => {
      checking.refresh?.();
      return checking.corpus.seq();
    },
    walk: async (tx, after, _, limit) => {
      checking.refresh?.();
      const keys = await keysAfter(tx, after, limit);
      const last = keys.length < limit ? null : (keys.at(-1) ?? null);
      return { ...(await recheckAll(tx, desk, keys)), last, read: keys.length };
    },
    follow: async (tx, changes) => {
      checking.refresh?.();
      return recheckAll(tx, desk, await keysInReach(tx, reachOf(changes.map(({ key }) => key))));
    },
  };
}

/**
 * Judges targets again as of the start of the run; after a run of more than an hour the next one judges them again. One
 * batch is judged while PostgreSQL writes the changes of the batch before, because both take about as long.
 */
export async function recheckAll(
  tx: Db,
  desk: Desk,
  keys: readonly Buffer[],
): Promise<{ readonly put: number; readonly removed: number }> {
  let put = 0;
  let moved: Awaited<ReturnType<typeof judgeTargets>> = [];
  for (let at = 0; at < keys.length; at += TARGETS_AT_ONCE) {
    const rows = await lockTargets(tx, keys.slice(at, at + TARGETS_AT_ONCE));
    [moved] = await Promise.all([judgeTargets(desk, rows), writeMoved(tx, desk, moved)]);
    put += moved.length;
  }
  await writeMoved(tx, desk, moved);
  return { put, removed: 0 };
}
