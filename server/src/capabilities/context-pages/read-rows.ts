import { indicatorOfKey } from '#capabilities/corpus/index.ts';
import { parseIndicator } from '#domain/indicator/index.ts';
import { unavailable } from '#platform/errors.ts';
import type { Db, Postgres } from '#platform/postgres.ts';
import type { Candidate } from './examine-members.ts';
import { earlierOf } from './first-seen.ts';
import { type MemberRow, walkAlongIndex } from './store.ts';

const STATEMENT_TIMEOUT = '57014';
const RETRY_AFTER_S = 5;

/** A statement that takes too long fails the request with 503, because a partial answer would look complete. */
export const readMembers = <T>(
  { transaction }: Pick<Postgres, 'transaction'>,
  read: (tx: Db) => Promise<T>,
): Promise<T> =>
  transaction(async (tx) => {
    await walkAlongIndex(tx);
    return read(tx);
  }).catch((error: unknown) => {
    if ((error as { code?: unknown } | null)?.code !== STATEMENT_TIMEOUT) throw error;
    throw unavailable(
      'Reading the members took too long and was cancelled. Try again.',
      RETRY_AFTER_S,
      error,
    );
  });

/** A value that several sources list is one member with the date that `earlierOf` chooses. */
export function candidatesOf(rows: readonly MemberRow[], isWithheld: boolean): readonly Candidate[] {
  const byKey = new Map<string, Candidate>();
  for (const { key, value, firstSeenS, dating } of rows) {
    const name = key.toString('latin1');
    const known = byKey.get(name);
    if (known !== undefined) {
      byKey.set(name, { ...known, ...earlierOf(known, { firstSeenS, dating }) });
      continue;
    }
    const parsed = value === null ? indicatorOfKey(key) : parseIndicator(value);
    // The index may hold a value that an older release accepted and this one refuses.
    if (parsed?.ok === true)
      byKey.set(name, { key, indicator: parsed.indicator, firstSeenS, dating, isWithheld });
  }
  return [...byKey.values()];
}
