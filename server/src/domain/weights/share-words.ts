import type { AgeGroup } from './age-group.ts';

/** `2,700` for a share of 1 in 2,661: two digits say what is known. */
export const oneInOf = (share: number): string => Number((1 / share).toPrecision(2)).toLocaleString('en-US');

const LISTED: Readonly<Record<AgeGroup, string>> = {
  F: ' listed in the last 60 days',
  M: ' listed for 60 to 364 days',
  O: ' listed for 365 days or more',
  U: '',
};

/** What a share means, for people. Undated entries are the entries of a list whose days nobody knows. */
export const sentenceOfShare = (share: number, group: AgeGroup): string =>
  share >= 1
    ? `Nearly all entries${LISTED[group]} are sites people visit.`
    : `About 1 in ${oneInOf(share)} entries${LISTED[group]} is a site people visit.`;
