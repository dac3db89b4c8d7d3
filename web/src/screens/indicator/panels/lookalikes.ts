import type { SearchResults } from '@assay/sdk';

type Lookalike = SearchResults['results'][number];

const PASSES_BY: Readonly<Record<string, string>> = {
  typosquat: 'one slip of the keyboard away',
  homoglyph: 'letters that look the same',
  tld: 'another suffix',
  combosquat: 'words around it',
  subdomain: 'a subdomain of another name',
};

/** How a name imitates another. A technique of a newer service is shown by its id. */
export const passesBy = ({ technique }: Pick<Lookalike, 'technique'>): string =>
  PASSES_BY[technique] ?? technique;

export const othersOf = ({ results }: Pick<SearchResults, 'results'>): readonly Lookalike[] =>
  results.filter(({ technique }) => technique !== 'exact');

export const NO_LOOKALIKE =
  'No list names a look-alike of this now. That says nothing of names that no list has seen.';

export function lookalikeSentence(found: Pick<SearchResults, 'results' | 'truncated'>): string {
  const { length } = othersOf(found);
  const count = `${found.truncated ? 'More than ' : ''}${length} ${length === 1 ? 'name' : 'names'}`;
  return `${count} on threat lists ${length === 1 ? 'passes' : 'pass'} for this one, the most dangerous first.`;
}
