import type { SourceEntry } from '@assay/sdk';
import type { Listing } from './check-seen.ts';

/** A date of one listing with the word that says what was dated (O55). */
export type EntryDate = {
  readonly word: 'reported' | 'listed since' | 'last seen' | 'still listed on';
  readonly at: string;
};

type Dated = Pick<SourceEntry, 'dating' | 'reportedAt' | 'listedSince'>;

/**
 * The first date of a listing, then its last. "Last seen" is a sighting that the source dates; the date of a list's own
 * data only says that the entry was still in it.
 */
export function entryDates(source: Dated, listing: Partial<Listing> | undefined): readonly EntryDate[] {
  const { lastSeen, stillListedOn } = listing ?? {};
  return [...sinceOf(source), ...untilOf(lastSeen, stillListedOn)];
}

function sinceOf({ dating, reportedAt, listedSince }: Dated): readonly EntryDate[] {
  if (dating === 'own' && reportedAt !== undefined) return [{ word: 'reported', at: reportedAt }];
  if (dating === 'sighted' && listedSince !== undefined) return [{ word: 'listed since', at: listedSince }];
  return [];
}

function untilOf(
  lastSeen: string | null | undefined,
  stillListedOn: string | null | undefined,
): readonly EntryDate[] {
  if (lastSeen != null) return [{ word: 'last seen', at: lastSeen }];
  return stillListedOn == null ? [] : [{ word: 'still listed on', at: stillListedOn }];
}

export const isSince = ({ word }: EntryDate): boolean => word === 'reported' || word === 'listed since';
