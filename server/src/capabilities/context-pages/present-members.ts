import { isoOf } from '#capabilities/check/index.ts';
import { type RISK_LEVELS, shortWordOf, type Verdict } from '#domain/scoring/index.ts';
import {
  FAMILIES_COUNTED_MAX,
  FAMILIES_MAX,
  MEMBERS_MAX,
  type Member,
  type MemberCounts,
  type MemberList,
  type Members,
} from './contract.ts';
import { ORDERS, type Order, type Place, readCursor, writeCursor } from './cursor.ts';
import type { Examined } from './examine-members.ts';

export type Gathered = {
  /** What the page is about, for its cursors: `network 192.0.2.0/24`. */
  readonly subject: string;
  readonly cursor: string | undefined;
  readonly examined: readonly Examined[];
  readonly listed: number;
  readonly withheld: number;
  readonly isPartial: boolean;
};

/** Refuses a bad cursor with 400 before members are gathered, which is expensive. */
export const refuseBadCursor = (subject: string, cursor: string | undefined): void => {
  if (cursor !== undefined) readCursor(subject, cursor);
};

/** Counts, and both lists or the one that the cursor continues. */
export function presentMembers(gathered: Gathered): Members {
  const { subject, cursor, examined } = gathered;
  const place = cursor === undefined ? null : readCursor(subject, cursor);
  const named = examined.filter(({ isWithheld }) => !isWithheld);
  const asked = place === null ? ORDERS : [place.order];
  const lists = asked.map((order) => [order, listOf(subject, named, order, place)] as const);
  return { counts: countsOf(gathered), ...Object.fromEntries(lists) };
}

const RANK: Readonly<Record<Order, (member: Examined) => number>> = {
  newest: ({ firstSeenS }) => firstSeenS,
  // A member that is not judged sorts after every score.
  worst: ({ verdict }) => verdict?.riskScore.score ?? -1,
};

function listOf(subject: string, named: readonly Examined[], order: Order, after: Place | null): MemberList {
  const rankOf = RANK[order];
  const sorted = named.toSorted((a, b) => rankOf(b) - rankOf(a) || Buffer.compare(a.key, b.key));
  const follows = (member: Examined): boolean => {
    if (after === null) return true;
    const rank = rankOf(member);
    return rank < after.rank || (rank === after.rank && Buffer.compare(member.key, after.key) > 0);
  };
  const rest = sorted.filter(follows);
  const page = rest.slice(0, MEMBERS_MAX);
  const last = page.at(-1);
  const isEnd = last === undefined || rest.length === page.length;
  return {
    members: page.map(memberOf),
    next: isEnd ? null : writeCursor(subject, { order, rank: rankOf(last), key: last.key }),
  };
}

const memberOf = ({ indicator, verdict, firstSeenS, dating, families }: Examined): Member => ({
  value: indicator.value,
  type: indicator.kind,
  score: verdict?.riskScore.score ?? null,
  level: verdict?.riskScore.level ?? null,
  word: verdict?.riskScore.word ?? null,
  action: verdict?.evidence.recommendedAction ?? null,
  categories: [...(verdict?.categories ?? [])],
  families: families.slice(0, FAMILIES_MAX),
  sources: verdict?.blocklistHits ?? null,
  firstSeen: firstSeenS === 0 ? null : isoOf(firstSeenS * 1_000),
  dating: firstSeenS === 0 ? 'undated' : (dating ?? 'undated'),
});

function countsOf({ examined, listed, withheld, isPartial }: Gathered): MemberCounts {
  const byLevel: Record<(typeof RISK_LEVELS)[number], number> = {
    critical: 0,
    high: 0,
    medium: 0,
    low: 0,
    inconclusive: 0,
    safe: 0,
  };
  const [byCategory, byFamily] = [new Map<string, number>(), new Map<string, number>()];
  const byType: MemberCounts['byType'] = {};
  const byWord = new Map<string, MemberCounts['byWord'][number]>();
  for (const { indicator, verdict, families } of examined) {
    byType[indicator.kind] = (byType[indicator.kind] ?? 0) + 1;
    if (verdict === null) continue;
    byLevel[verdict.riskScore.level] += 1;
    countWord(byWord, verdict.riskScore);
    for (const category of verdict.categories) countOne(byCategory, category);
    for (const family of families) countOne(byFamily, family);
  }
  return {
    listed,
    examined: examined.length,
    isPartial,
    withheld,
    byLevel,
    byWord: worstFirst(byWord),
    byCategory: Object.fromEntries(mostFirst(byCategory)),
    byFamily: Object.fromEntries(mostFirst(byFamily).slice(0, FAMILIES_COUNTED_MAX)),
    byType,
    dates: datesOf(examined),
  };
}

const countOne = (counts: Map<string, number>, word: string): void =>
  void counts.set(word, (counts.get(word) ?? 0) + 1);

function countWord(
  counts: Map<string, MemberCounts['byWord'][number]>,
  { level, word }: Pick<Verdict['riskScore'], 'level' | 'word'>,
): void {
  const short = shortWordOf(word);
  const key = `${level} ${short}`;
  const known = counts.get(key);
  if (known === undefined) counts.set(key, { level, word: short, count: 1 });
  else known.count += 1;
}

const WORST_FIRST = ['critical', 'high', 'medium', 'low', 'inconclusive', 'safe'] as const;
const worstFirst = (counts: ReadonlyMap<string, MemberCounts['byWord'][number]>): MemberCounts['byWord'] =>
  [...counts.values()].sort(
    (a, b) =>
      WORST_FIRST.indexOf(a.level) - WORST_FIRST.indexOf(b.level) ||
      b.count - a.count ||
      (a.word < b.word ? -1 : 1),
  );

const mostFirst = (counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] =>
  [...counts].sort(([a, many], [b, few]) => few - many || (a < b ? -1 : 1));

function datesOf(examined: readonly Examined[]): MemberCounts['dates'] {
  let [earliestS, latestS, dated] = [Number.POSITIVE_INFINITY, 0, 0];
  for (const { firstSeenS, dating } of examined) {
    if (firstSeenS === 0 || dating === 'undated' || dating === null) continue;
    earliestS = Math.min(earliestS, firstSeenS);
    latestS = Math.max(latestS, firstSeenS);
    dated += 1;
  }
  return {
    earliest: dated === 0 ? null : isoOf(earliestS * 1_000),
    latest: dated === 0 ? null : isoOf(latestS * 1_000),
    undated: examined.length - dated,
  };
}
