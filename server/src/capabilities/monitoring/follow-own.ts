import type { NewAlert } from '#capabilities/alerts/index.ts';
import { createKeyWriter } from '#capabilities/corpus/index.ts';
import {
  IndicatorAdded,
  IndicatorRestored,
  IndicatorRevoked,
  type OwnMatch,
  ownWordAt,
} from '#capabilities/org-indicators/index.ts';
import type { Indicator } from '#domain/indicator/index.ts';
import type { ReaderSpec, StreamEvent } from '#platform/events.ts';
import type { Db } from '#platform/postgres.ts';
import { type Desk, deskOf, type KeepDeps } from './desk.ts';
import { namesOf, raise, recheckOwn } from './recheck-targets.ts';
import { indicatorOf, reachOf } from './target.ts';
import {
  keysInReach,
  lockTargets,
  type OwnState,
  putOwnStates,
  type TargetRow,
  type WatcherRow,
  watchersOfAccount,
} from './target-store.ts';

/** Reads the events of what organizations report for themselves, which concern only their own items. */
export const ownWordsReader = (ready: () => KeepDeps): ReaderSpec => ({
  name: 'monitoring.own-words',
  types: [IndicatorAdded.name, IndicatorRestored.name, IndicatorRevoked.name],
  handle: async (tx, events) => {
    const desk = deskOf(ready(), `own words ${events[0]?.id ?? 0}`);
    for (const [accountId, keys] of keysByAccount(events)) {
      const reached = await keysInReach(tx, reachOf(keys));
      if (reached.length === 0) continue;
      const watchers = await watchersOfAccount(tx, accountId, reached);
      if (watchers.length === 0) continue;
      await applyOwnWords(
        tx,
        desk,
        watchers,
        await lockTargets(
          tx,
          watchers.map(({ key }) => key),
        ),
      );
    }
  },
});

const keyWriter = createKeyWriter();

function keysByAccount(events: readonly StreamEvent[]): ReadonlyMap<string, readonly Uint8Array[]> {
  const byAccount = new Map<string, Uint8Array[]>();
  for (const { accountId, payload } of events) {
    const indicator = indicatorOf((payload as { readonly value: string }).value);
    if (accountId === null || indicator === null) continue;
    const keys = byAccount.get(accountId) ?? [];
    keys.push(Uint8Array.from(keyWriter.of(indicator)));
    byAccount.set(accountId, keys);
  }
  return byAccount;
}

/** Checks the items of watchers whose organization reports the value, or did so at the last check. */
export async function applyOwnWords(
  tx: Db,
  desk: Desk,
  watchers: readonly WatcherRow[],
  targets: readonly TargetRow[],
): Promise<void> {
  const byKey = new Map(targets.map((row) => [row.key.toString('latin1'), row]));
  const silent = new Set<string>();
  const states: OwnState[] = [];
  const alerts: NewAlert[] = [];
  for (const watcher of watchers) {
    const target = byKey.get(watcher.key.toString('latin1'));
    const indicator = target === undefined ? null : indicatorOf(target.value);
    if (target === undefined || indicator === null) continue;
    const own = await wordFor(tx, desk, silent, watcher, indicator);
    if (own === null && watcher.own === null) continue;
    const checked = recheckOwn(desk, watcher, target, own, namesOf(desk.sources));
    states.push(checked.state);
    alerts.push(...checked.alerts);
  }
  if (states.length > 0) await putOwnStates(tx, states, desk.nowMs);
  await raise(tx, desk, alerts);
}

/** What the organization reports now. One that never reported anything is remembered in `silent` and asked once. */
async function wordFor(
  tx: Db,
  { nowMs }: Desk,
  silent: Set<string>,
  { accountId }: WatcherRow,
  indicator: Indicator,
): Promise<OwnMatch | null> {
  if (silent.has(accountId)) return null;
  const record = { postgres: { withAccount: <T>(_: string, work: (inner: Db) => Promise<T>) => work(tx) } };
  const word = await ownWordAt(record, accountId, indicator, nowMs);
  if (word === null) silent.add(accountId);
  return word?.match ?? null;
}
