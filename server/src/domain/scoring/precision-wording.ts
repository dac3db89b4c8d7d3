import type { Case, ListingFacts, SourceFacts } from './facts.ts';
import { nameWorthOf, weightsOf } from './name-worth.ts';

const OF_GROUP = {
  F: 'entries listed in the last 60 days',
  M: 'entries listed for 60 days to a year',
  O: 'entries listed for more than a year',
  U: 'entries without a date',
} as const;

/**
 * Why a listing of a name counts as it does: how many entries of the list people visit, and whether the list takes entries
 * back. Null for other kinds, for an operator's own list and for a source that is no list.
 */
export function precisionSentence(listing: ListingFacts, of: Case): string | null {
  const worth = of.weights === null ? null : nameWorthOf(listing, of);
  if (worth === null || !worth.isPublished) return null;
  const { source } = listing;
  const removes = removalSentence(source, of);
  if (worth.from === 'grade')
    return `How many of its entries are sites that people visit is not measured; its grade ${source.letter} decides.${removes}`;
  if (worth.from === 'lineage')
    return `How many of its entries are sites that people visit is not measured; a list of the same publisher decides.${removes}`;
  return `About 1 in ${oneIn(worth.share)} ${OF_GROUP[worth.group]} is a site people visit.${removes}`;
}

function removalSentence(source: SourceFacts, of: Case): string {
  const r30 = weightsOf(of).listOf(source.id)?.r30 ?? null;
  if (r30 === null) return '';
  const percent = r30 < 0.01 ? 'less than 1' : String(Math.round(100 * r30));
  return ` ${source.name} removes ${percent} % of its entries within 30 days.`;
}

/** Two significant digits: 2,661 entries are "about 1 in 2,700". */
export function oneIn(share: number): string {
  const entries = 1 / share;
  const digits = 10 ** Math.max(0, Math.floor(Math.log10(entries)) - 1);
  return (Math.round(entries / digits) * digits).toLocaleString('en-US');
}
