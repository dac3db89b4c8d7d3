import { createKeyWriter } from '#capabilities/corpus/index.ts';
import type { Db } from '#platform/postgres.ts';
import { indicatorOf, reachOf } from './target.ts';
import { accountsInReach, keysInReach } from './target-store.ts';

const keyWriter = createKeyWriter();

/**
 * The accounts that watch what these values bear on: the value itself, names below a domain, addresses inside a range. A
 * value that cannot be read is watched by none. Needs the system role.
 */
export async function accountsWatching(
  tx: Db,
  values: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = new Map<string, ReadonlySet<string>>();
  for (const value of new Set(values)) {
    const indicator = indicatorOf(value);
    const reach = indicator === null ? null : reachOf([Uint8Array.from(keyWriter.of(indicator))]);
    const keys = reach === null ? [] : await keysInReach(tx, reach);
    const rows = keys.length === 0 ? [] : await accountsInReach(tx, keys);
    found.set(value, new Set(rows.map(({ accountId }) => accountId)));
  }
  return found;
}

/** Whether this account watches the value, or something that the value bears on. */
export const watches = async (tx: Db, accountId: string, value: string): Promise<boolean> =>
  (await accountsWatching(tx, [value])).get(value)?.has(accountId) ?? false;
