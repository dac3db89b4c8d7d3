import type { Recall } from './held-out.ts';
import { atLeast } from './level-counts.ts';
import type { Accuracy } from './measure.ts';
import type { NegativeName, NegativeSet } from './negatives.ts';

export type Policy = {
  readonly name: string;
  /** Mean share of caught entries over lineages, so that a list of a million entries does not outweigh all others. */
  readonly caughtMean: number;
  readonly caughtAll: number;
  readonly alarms: (set: NegativeName) => number;
};

type Row = {
  readonly name: string;
  readonly caught: (recall: Recall) => number;
  readonly alarms: (set: NegativeSet) => number;
};

const ROWS: readonly Row[] = [
  { name: 'any list', caught: ({ anyList }) => anyList, alarms: ({ policies }) => policies.anyList },
  {
    name: 'two lists or more',
    caught: ({ twoLists }) => twoLists,
    alarms: ({ policies }) => policies.twoLists,
  },
  { name: 'score, low or above', caught: ({ low }) => low, alarms: ({ levels }) => atLeast(levels, 'low') },
  {
    name: 'score, medium or above',
    caught: ({ medium }) => medium,
    alarms: ({ levels }) => atLeast(levels, 'medium'),
  },
  {
    name: 'score, high or above',
    caught: ({ high }) => high,
    alarms: ({ levels }) => atLeast(levels, 'high'),
  },
];

export function policiesOf({ recall, negatives }: Accuracy): readonly Policy[] {
  const { lineages, all } = recall;
  return ROWS.map(({ name, caught, alarms }) => ({
    name,
    caughtMean: lineages.reduce((sum, each) => sum + caught(each) / each.entries, 0) / lineages.length,
    caughtAll: caught(all) / all.entries,
    alarms: (set) => alarms(negatives[set]),
  }));
}
