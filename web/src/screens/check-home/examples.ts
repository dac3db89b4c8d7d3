import type { PublicStats } from '@assay/sdk';
import type { Target } from '../../box/permalink.ts';
import { plural } from '../../words/numbers.ts';

export type Example = {
  readonly target: Target;
  readonly what: string;
  /** What the answer of the check will show. It never names the verdict, which may change. */
  readonly see: string;
};

const SERVICE: Example = {
  target: { type: 'ip', value: '8.8.8.8' },
  what: 'A service that everybody uses',
  see: 'what it is, who runs it, and who vouches for it',
};
/** A public proof of concept of 2017 that reads as apple.com, all in Cyrillic letters. */
const LOOKALIKE: Example = {
  target: { type: 'domain', value: 'xn--80ak6aa92e.com' },
  what: 'A look-alike',
  see: 'the name as it is read, and the letters that it is really made of',
};
const TEST_FILE: Example = {
  target: {
    type: 'hash',
    value: '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f',
  },
  what: 'The EICAR test file',
  see: 'what a detection looks like, on a file that exists to be detected',
};

const accused = ({ value, sourceCount }: NonNullable<PublicStats['accusedExample']>): Example => ({
  target: { type: 'ip', value },
  what: `An address that ${plural(sourceCount, 'source')} ${sourceCount === 1 ? 'accuses' : 'accuse'}`,
  see: 'who says so and since when, and the points that each source adds',
});

/** Examples that are informative on any corpus. The service chooses the accused address; without one it is left out. */
export const examplesOf = (
  stats: Partial<Pick<PublicStats, 'accusedExample'>> | undefined,
): readonly Example[] => {
  const example = stats?.accusedExample ?? null;
  return [SERVICE, ...(example === null ? [] : [accused(example)]), LOOKALIKE, TEST_FILE];
};

/** The sentence shown in place of the accused address when the service names none; null when it does or is loading. */
export function noAccusedSentence(
  stats: Partial<Pick<PublicStats, 'accusedExample' | 'indicators'>> | undefined,
): string | null {
  if (stats === undefined || (stats.accusedExample ?? null) !== null) return null;
  return stats.indicators === 0
    ? 'An accused address would stand here: nothing is listed yet.'
    : 'An accused address would stand here: no list of this service accuses one strongly.';
}
