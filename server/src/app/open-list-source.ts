import type { ListEntry, ListName, ListSource } from '#capabilities/blocklists/index.ts';
import { isFollowerFilled, textOfKey } from '#capabilities/corpus/index.ts';
import { type Audience, countWithheld, listVersions, membersAfter } from '#capabilities/standing/index.ts';
import type { Db } from '#platform/postgres.ts';

const PAGE = 50_000;

/** The members of the shared lists: indicators whose standing puts them there for this audience. */
export const openListSource = (db: Db, audience: Audience): ListSource => ({
  isReady: () => isFollowerFilled(db, 'standing'),
  membershipVersion: async (list) => `${audience}-${(await listVersions(db))[list]}`,
  withheldOf: (list) => countWithheld(db, list, audience),
  entriesOf: (list) => entriesOf(db, list, audience),
});

async function* entriesOf(db: Db, list: ListName, audience: Audience): AsyncGenerator<readonly ListEntry[]> {
  for (let after: Buffer | null = null; ; ) {
    const members = await membersAfter(db, list, { audience, after, limit: PAGE });
    if (members.length > 0)
      yield members.map(({ key, score, summary, family }) => ({
        value: textOfKey(key) ?? '',
        score,
        family,
        reason: summary,
      }));
    if (members.length < PAGE) return;
    after = members.at(-1)?.key ?? null;
  }
}
