import { exact, plural } from '../../words/numbers.ts';
import { DECISIONS, type Decision } from './decision.ts';

/** What became of everything that was found in the text: pasted = duplicates + skipped + sent. */
export type Tally = {
  readonly pasted: number;
  readonly duplicates: number;
  readonly skipped: readonly { readonly why: string; readonly count: number }[];
};

export const EMPTY_TALLY: Tally = { pasted: 0, duplicates: 0, skipped: [] };

/** "212 pasted, 9 duplicates, 3 private". */
export const pastedWords = ({ pasted, duplicates, skipped }: Tally): string =>
  [
    `${exact(pasted)} pasted`,
    ...(duplicates > 0 ? [plural(duplicates, 'duplicate')] : []),
    ...skipped.map(({ why, count }) => `${exact(count)} ${why}`),
  ].join(', ');

/** One sum from the paste to the groups: "212 pasted, 12 duplicates: 200 checked = 31 block + 12 look + 150 unknown + 7 ignore". */
export function sumLine(tally: Tally, sent: number, counts: Readonly<Record<Decision, number>>): string {
  const toCome = sent - DECISIONS.reduce((sum, decision) => sum + counts[decision], 0);
  return [
    `${pastedWords(tally)}: ${exact(sent)} ${toCome > 0 ? 'to check' : 'checked'}`,
    `= ${DECISIONS.map((decision) => `${exact(counts[decision])} ${decision}`).join(' + ')}`,
    ...(toCome > 0 ? [`+ ${exact(toCome)} to come`] : []),
  ].join(' ');
}
