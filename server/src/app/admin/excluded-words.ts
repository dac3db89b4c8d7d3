import { type Excluded, excludedSum } from '#domain/shared-lists/index.ts';
import { count } from './table.ts';

/** What a list or a collection left out and why, for the output of a command. */
export const excludedWords = ({ belowScore, license, allowlisted }: Excluded): string =>
  `excluded: ${count(belowScore)} below the score, ${count(license)} by license, ${count(allowlisted)} allowlisted`;

/** A list without lines is never in order: it states why it is empty. */
export function emptyWords(excluded: Excluded | null): string {
  if (excluded === null || excludedSum(excluded) === 0) return 'empty: no source lists an entry for it';
  const listed = excludedSum(excluded);
  return `empty: ${count(listed)} ${listed === 1 ? 'entry is' : 'entries are'} listed and none is exported`;
}
