import { setImmediate as nextTurn } from 'node:timers/promises';
import { type NewAlert, raiseAlerts } from '#capabilities/alerts/index.ts';
import type { Source } from '#capabilities/corpus/index.ts';
import type { OwnMatch, OwnWord } from '#capabilities/org-indicators/index.ts';
import { reputationChange, type Stood } from '#domain/monitoring/index.ts';
import type { Db } from '#platform/postgres.ts';
import type { Desk, RaiseDesk } from './desk.ts';
import type { Judged } from './judge-target.ts';
import { indicatorOf } from './target.ts';
import {
  type OwnState,
  putOwnStates,
  putStates,
  selectWatchers,
  type TargetRow,
  type TargetState,
  type WatcherRow,
} from './target-store.ts';
import { tellStream } from './tell-stream.ts';
import { infrastructureAlert, reputationAlert, type SourceNames, type Watched } from './word-alerts.ts';

/** 100 checks take some 10 ms; then the event loop gets a turn to renew the lease and to serve other statements. */
const KEYS_A_TURN = 100;

/** A target whose new state differs from the stored one. */
type Moved = { readonly row: TargetRow; readonly after: Judged };

export type Recheck = { readonly moved: number; readonly alerts: number };

/** Judges targets on the replica, and writes those whose state differs from the stored one. */
export const recheckTargets = async (tx: Db, desk: Desk, rows: readonly TargetRow[]): Promise<Recheck> =>
  writeMoved(tx, desk, await judgeTargets(desk, rows));

/** Gives the targets whose state differs. Skips a row that was judged on a newer state of the corpus. */
export async function judgeTargets(desk: Desk, rows: readonly TargetRow[]): Promise<readonly Moved[]> {
  const moved: Moved[] = [];
  for (const [at, row] of rows.entries()) {
    const indicator = indicatorOf(row.value);
    if (indicator === null) continue;
    const after = desk.judge(indicator, desk.nowMs);
    if (after.seq >= row.seq && isOther(row, after)) moved.push({ row, after });
    if (at % KEYS_A_TURN === KEYS_A_TURN - 1) await nextTurn();
  }
  return moved;
}

/** Writes the new states; alerts, events and letters about them commit in the same transaction. */
export async function writeMoved(tx: Db, desk: Desk, moved: readonly Moved[]): Promise<Recheck> {
  if (moved.length === 0) return { moved: 0, alerts: 0 };
  await putStates(tx, moved.map(stateOf), desk.nowMs);
  const told = moved.filter(isTold).map(({ row }) => row.key);
  const watchers = await selectWatchers(
    tx,
    told,
    moved.map(({ row }) => row.key),
  );
  const byKey = new Map(moved.map((each) => [each.row.key.toString('latin1'), each]));
  const alerts: NewAlert[] = [];
  const owns: OwnState[] = [];
  const nameOf = namesOf(desk.sources);
  for (const watcher of watchers) {
    const found = byKey.get(watcher.key.toString('latin1')) as Moved;
    if (watcher.own === null) alerts.push(...alertsOf(watcher, found, nameOf));
    else {
      const own = recheckOwn(desk, watcher, found.row, watcher.own, nameOf);
      owns.push(own.state);
      alerts.push(...own.alerts);
    }
  }
  if (owns.length > 0) await putOwnStates(tx, owns, desk.nowMs);
  const raised = await raise(tx, desk, alerts, (key) => byKey.get(key)?.after);
  return { moved: moved.length, alerts: raised };
}

/** Raises alerts within the budget of the run, and tells the stream of each. */
export async function raise(
  tx: Db,
  { budget, mail, nowMs }: RaiseDesk,
  alerts: readonly NewAlert[],
  judgedOf: (key: string) => Judged | undefined = () => undefined,
): Promise<number> {
  const allowed = budget(alerts);
  if (allowed.length === 0) return 0;
  const raised = await raiseAlerts(tx, mail, allowed, nowMs);
  await tellStream(tx, raised, judgedOf, nowMs);
  return raised.length;
}

export const namesOf = (sources: readonly Source[]): SourceNames => {
  const names = new Map(sources.map(({ number, name }) => [number, name]));
  return (number) => names.get(number) ?? 'a former source';
};

const isSame = <T>(one: readonly T[], other: readonly T[]): boolean =>
  one.length === other.length && one.every((each, at) => each === other[at]);

const isOther = (row: TargetRow, after: Judged): boolean =>
  row.level !== after.level ||
  row.score !== after.score ||
  row.isMalicious !== after.isMalicious ||
  row.listed !== after.listed ||
  !isSame(row.sources, after.sources) ||
  !isSame(row.labels, after.labels);

const stoodOf = ({
  level,
  isMalicious,
  listed,
}: Pick<TargetRow, 'level' | 'isMalicious' | 'listed'>): Stood | null =>
  level === null || listed === null ? null : { level, isMalicious, listed };

/** Whether the labels changed together with the listings; never at the first check, which had no labels before. */
const isDescribedOtherwise = ({ row, after }: Moved): boolean =>
  row.level !== null && row.listed !== after.listed && !isSame(row.labels, after.labels);

const isTold = (moved: Moved): boolean =>
  reputationChange(stoodOf(moved.row), moved.after) !== null || isDescribedOtherwise(moved);

const stateOf = ({ row, after }: Moved): TargetState => ({
  key: row.key,
  level: after.level,
  score: after.score,
  isMalicious: after.isMalicious,
  listed: after.listed,
  sources: after.sources,
  labels: after.labels,
  seq: after.seq,
  isChanged: row.level !== null && (row.level !== after.level || row.isMalicious !== after.isMalicious),
});

const watchedOf = ({ id, accountId, notify }: WatcherRow, { entityType, value }: TargetRow): Watched => ({
  id,
  accountId,
  notify,
  entityType,
  value,
});

function alertsOf(watcher: WatcherRow, moved: Moved, nameOf: SourceNames): readonly NewAlert[] {
  const { row, after } = moved;
  const watched = watchedOf(watcher, row);
  const before = stoodOf(row);
  const change = reputationChange(before, after);
  const alerts: NewAlert[] = [];
  if (change !== null && before !== null)
    alerts.push(
      reputationAlert(
        watched,
        { change, before: { ...before, score: row.score, sources: row.sources }, after, ownReason: null },
        nameOf,
      ),
    );
  if (isDescribedOtherwise(moved)) alerts.push(infrastructureAlert(watched, row.labels, after));
  return alerts;
}

/** Revision 0, because the real number is used only in the snapshotId of a check, which monitoring does not have. */
const wordOf = (match: OwnMatch | null): OwnWord | null => (match === null ? null : { revision: 0, match });

/**
 * Judges an item with its organization's own entry for the value (`own`; null: it has none any more). An item without
 * such an entry has the state of its target, before and after.
 */
export function recheckOwn(
  desk: Desk,
  watcher: WatcherRow,
  target: TargetRow,
  own: OwnMatch | null,
  nameOf: SourceNames,
): { readonly state: OwnState; readonly alerts: readonly NewAlert[] } {
  const indicator = indicatorOf(target.value);
  const before =
    watcher.own === null
      ? stoodOf(target)
      : stoodOf({ level: watcher.ownLevel, isMalicious: watcher.ownMalicious, listed: watcher.ownListed });
  if (indicator === null) return { state: clearedOwn(watcher.id, false), alerts: [] };
  const after = desk.judge(indicator, desk.nowMs, wordOf(own));
  const change = reputationChange(before, after);
  const state: OwnState =
    own === null
      ? clearedOwn(watcher.id, change !== null)
      : {
          id: watcher.id,
          own,
          level: after.level,
          score: after.score,
          isMalicious: after.isMalicious,
          listed: after.listed,
          isChanged: change !== null,
        };
  if (change === null || before === null) return { state, alerts: [] };
  const ownReason = ownReasonOf(watcher.own, own);
  const facts = { change, before: { ...before, score: null, sources: target.sources }, after, ownReason };
  return { state, alerts: [reputationAlert(watchedOf(watcher, target), facts, nameOf)] };
}

const clearedOwn = (id: string, isChanged: boolean): OwnState => ({
  id,
  own: null,
  level: null,
  score: null,
  isMalicious: false,
  listed: null,
  isChanged,
});

const isSameWord = (one: OwnMatch | null, other: OwnMatch | null): boolean =>
  one?.disposition === other?.disposition &&
  one?.matched === other?.matched &&
  one?.category === other?.category;

function ownReasonOf(before: OwnMatch | null, after: OwnMatch | null): string | null {
  if (isSameWord(before, after)) return null;
  if (after === null) return `Your organization no longer reports ${before?.matched ?? 'it'}.`;
  const acts = after.disposition === 'block' ? 'blocks' : 'allows';
  return `Your organization ${acts} ${after.matched} (${after.category}).`;
}
