import type { ListEntry, ListName, ListSource, WithheldEntry } from '#capabilities/blocklists/index.ts';
import {
  isFollowerCurrent,
  listSources,
  readFollowerProgress,
  textOfKey,
} from '#capabilities/corpus/index.ts';
import type { Scoring } from '#capabilities/publications/index.ts';
import {
  type Audience,
  countExcluded,
  countWithheld,
  listVersions,
  membersOf,
  standingStamp,
  withheldKeys,
} from '#capabilities/standing/index.ts';
import { expiresAtS } from '#domain/scoring/index.ts';
import { type Db, isPostgresAway } from '#platform/postgres.ts';

/** The members of the shared lists: indicators whose standing puts them there for this audience. */
export const openListSource = (db: Db, audience: Audience): ListSource => ({
  isReady: () => isFollowerCurrent(db, 'standing'),
  membershipVersion: async (list) => `${audience}-${(await listVersions(db))[list]}`,
  withheldOf: (list) => countWithheld(db, list, audience),
  excluded: {
    version: async () => `${audience} ${await standingStamp(db)}`,
    count: () => countExcluded(db, audience),
  },
  hasExpiredSince: async (sinceMs, nowMs) =>
    (await listSources(db)).some((source) => {
      const endsAtMs = (expiresAtS(source) ?? 0) * 1_000;
      return endsAtMs > sinceMs && endsAtMs <= nowMs;
    }),
  entriesOf: (list) => entriesOf(db, list, audience),
});

async function* entriesOf(db: Db, list: ListName, audience: Audience): AsyncGenerator<readonly ListEntry[]> {
  for await (const page of membersOf(db, list, audience))
    yield page.map(({ key, score, summary, family }) => ({
      value: textOfKey(key) ?? '',
      score,
      family,
      reason: summary,
    }));
}

/** Indicators that a guard keeps from a list, each with the reason as a sentence. */
export async function withheldEntries(
  db: Db,
  list: ListName,
  given: { readonly audience: Audience; readonly limit: number },
): Promise<readonly WithheldEntry[]> {
  const rows = await withheldKeys(db, list, given);
  return rows.map(({ key, reason }) => ({ value: textOfKey(key) ?? '', reason: reason ?? '' }));
}

/** How far the scoring is that every list, collection and file waits for. */
export async function readScoring(db: Db): Promise<Scoring> {
  const progress = await readFollowerProgress(db, 'standing');
  // PostgreSQL answered just now, so what timed out is the count of a backlog.
  const isCurrent = await isFollowerCurrent(db, 'standing').catch((error: unknown) => {
    if (isPostgresAway(error)) return false;
    throw error;
  });
  return { ...progress, isCurrent };
}
