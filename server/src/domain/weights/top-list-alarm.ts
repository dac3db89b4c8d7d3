import type { LearnedTable } from './learned-table.ts';
import type { SourceCount } from './learning.ts';

const RATIO_MIN = 4;
const HITS_MIN = 10;

/**
 * By what the shares of a source are multiplied because of its entries on the operator's top lists; 1: there is no alarm.
 * Publishers clean their lists against top lists, so hits say little of the share of visited names. Far more hits than the
 * visited share of the shipped table say that something is wrong with the list.
 */
export function alarmOf(names: number, topHits: number, shippedShare: number | null): number {
  if (names === 0 || shippedShare === null || topHits < HITS_MIN) return 1;
  const ratio = topHits / names / shippedShare;
  return ratio > RATIO_MIN ? ratio / RATIO_MIN : 1;
}

/** The alarm of one counted source. */
export function alarmFor({ source, groups, topHits }: SourceCount, shipped: LearnedTable): number {
  const names = groups.reduce((sum, { n }) => sum + n, 0);
  const list = shipped.lists.find((each) => each.source === source.id);
  return alarmOf(names, topHits, list?.share ?? null);
}
