import type { AgeGroup } from './age-group.ts';

/** `2,700` for a share of 1 in 2,661: two digits say what is known. */
export const oneInOf = (share: number): string => Number((1 / share).toPrecision(2)).toLocaleString('en-US');

const ENTRIES: Readonly<Record<AgeGroup, string>> = {
  F: 'entries listed in the last 60 days',
  M: 'entries listed for 60 days to a year',
  O: 'entries listed for more than a year',
  U: 'entries without a date',
};

/** What a share means, for people. */
export const sentenceOfShare = (share: number, group: AgeGroup): string =>
  `About 1 in ${oneInOf(share)} ${ENTRIES[group]} is a site people visit.`;
