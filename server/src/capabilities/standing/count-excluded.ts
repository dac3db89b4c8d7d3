import { listSources, type Source } from '#capabilities/corpus/index.ts';
import {
  addExcluded,
  type Excluded,
  LIST_NAMES,
  type ListName,
  NOTHING_EXCLUDED,
} from '#domain/shared-lists/index.ts';
import type { Db } from '#platform/postgres.ts';
import { type CountedClass, countedClasses } from './excluded-store.ts';
import { bitOf, holdsSource, leastScoreOf, subjectOfList } from './list-rules.ts';
import type { Audience } from './members-store.ts';

/** Counts for each shared list the entries that a source lists and that the list does not contain, by the reason. */
export async function countExcluded(
  db: Db,
  audience: Audience,
): Promise<Readonly<Record<ListName, Excluded>>> {
  const sources = new Map((await listSources(db)).map((source) => [source.number, source]));
  const counts = new Map<ListName, Excluded>(LIST_NAMES.map((list) => [list, NOTHING_EXCLUDED]));
  for (const each of await countedClasses(db)) {
    const listing = (each.sources ?? []).flatMap((number) => sources.get(number) ?? []);
    for (const list of LIST_NAMES) {
      const reason = reasonOf(list, each, listing, audience);
      if (reason !== null)
        counts.set(list, addExcluded(counts.get(list) ?? NOTHING_EXCLUDED, reason, each.members));
    }
  }
  return Object.fromEntries(counts) as Record<ListName, Excluded>;
}

/** Why the members of a class are not on a list; null: they are, or the list is for something else. */
function reasonOf(
  list: ListName,
  { kind, score, lists, sharedLists, withheld, sharedWithheld }: CountedClass,
  listing: readonly Source[],
  audience: Audience,
): keyof Excluded | null {
  if (subjectOfList(list) !== kind || !listing.some((source) => holdsSource(list, source))) return null;
  const bit = bitOf(list);
  const [held, guarded] =
    audience === 'public' ? [sharedLists, withheld | sharedWithheld] : [lists, withheld];
  if ((held & bit) !== 0) return null;
  if ((guarded & bit) !== 0) return 'allowlisted';
  // What reaches the score by everything known is missing for its license alone, or because it is not exported.
  return score >= leastScoreOf(list) ? 'license' : 'belowScore';
}
