import { type BulkRow, type Verdict, verdictOfRow } from '@assay/sdk';
import { DECISIONS, type Decision, type Part, partOf, rankOfPart } from './decision.ts';

export type TriageRow = {
  readonly row: BulkRow;
  readonly verdict: Verdict;
  readonly part: Part;
  readonly place: number;
};

export const SORTS = [
  'risk',
  'indicator',
  'type',
  'sources',
  'cause',
  'family',
  'network',
  'country',
  'seen',
] as const;
export type Sort = (typeof SORTS)[number];
export type TriageView = {
  readonly groups: ReadonlySet<string>;
  readonly verdicts: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
  readonly sort: Sort;
  readonly isReversed: boolean;
};

export type Counted = { readonly verdict: Verdict; readonly count: number };

/** Worst first, then unknown, then harmless. An id missing here sorts before `unknown`. */
const ORDER = [
  'malicious',
  'critical-risk',
  'high-risk',
  'test-file',
  'vulnerable-driver',
  'suspicious',
  'reported',
  'low-suspicion',
  'reported-long-ago',
  '',
  'old-report',
  'weak-report',
  'tracking',
  'empty-file',
  'platform',
  'not-listed',
  'not-seen',
  'unknown',
  'not-checked',
  'popular-site',
  'known-good',
  'reserved',
];
const UNSEEN = ORDER.indexOf('');
const rankOf = (id: string): number => {
  const rank = ORDER.indexOf(id);
  return rank < 0 ? UNSEEN : rank;
};

export const triageRows = (rows: readonly BulkRow[]): readonly TriageRow[] =>
  rows.map((row, place) => {
    const verdict = verdictOfRow(row);
    return { row, place, verdict, part: partOf(row, verdict) };
  });

export function countDecisions(rows: readonly TriageRow[]): Readonly<Record<Decision, number>> {
  const counts = { block: 0, look: 0, unknown: 0, ignore: 0 };
  for (const { part } of rows) counts[part.decision] += 1;
  return counts;
}

export function countVerdicts(rows: readonly TriageRow[]): readonly Counted[] {
  const counts = new Map<string, { verdict: Verdict; count: number }>();
  for (const { verdict } of rows) {
    const counted = counts.get(verdict.id);
    if (counted === undefined) counts.set(verdict.id, { verdict, count: 1 });
    else counted.count += 1;
  }
  return [...counts.values()].sort((a, b) => rankOf(a.verdict.id) - rankOf(b.verdict.id));
}

export function countTypes(rows: readonly TriageRow[]): readonly { type: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { row } of rows) counts.set(row.type, (counts.get(row.type) ?? 0) + 1);
  return [...counts].map(([type, count]) => ({ type, count }));
}

/** Always by group and part; the sort orders the rows of a part. */
export function arrange(rows: readonly TriageRow[], view: TriageView): readonly TriageRow[] {
  const { groups, verdicts, types } = view;
  const compare = COMPARE[view.sort];
  const direction = view.isReversed ? -1 : 1;
  return rows
    .filter(
      ({ verdict, row, part }) =>
        (groups.size === 0 || groups.has(part.decision)) &&
        (verdicts.size === 0 || verdicts.has(verdict.id)) &&
        (types.size === 0 || types.has(row.type)),
    )
    .sort(
      (a, b) => rankOfPart(a.part) - rankOfPart(b.part) || direction * compare(a, b) || a.place - b.place,
    );
}

/** An unknown indicator has no score: a 0 would read as an answer. */
export const scoreOf = ({ row, verdict }: TriageRow): number | null =>
  row.riskScore === undefined ||
  verdict.id === 'not-checked' ||
  (verdict.tone === 'unknown' && row.riskScore === 0)
    ? null
    : row.riskScore;

/** Unknown indicators sort below every score of 1 or more and above every 0. */
const NO_SCORE = 0.5;
const riskOf = (row: TriageRow): number => scoreOf(row) ?? NO_SCORE;

const COMPARE: Readonly<Record<Sort, (a: TriageRow, b: TriageRow) => number>> = {
  risk: (a, b) => riskOf(b) - riskOf(a) || rankOf(a.verdict.id) - rankOf(b.verdict.id),
  indicator: (a, b) => compareText(a.row.entity, b.row.entity),
  type: (a, b) => compareText(a.row.type, b.row.type) || riskOf(b) - riskOf(a),
  sources: (a, b) => b.row.sources - a.row.sources,
  cause: byText(({ row }) => row.categories.join(', ')),
  family: byText(({ row }) => row.malwareFamily),
  network: (a, b) => (a.row.asn ?? NO_ASN) - (b.row.asn ?? NO_ASN),
  country: byText(({ row }) => row.countryCode),
  // The most recently seen first.
  seen: (a, b) => compareText(seenOf(b) ?? '', seenOf(a) ?? ''),
};

const NO_ASN = 2 ** 32;
/** Sorts by a text of the row, such as its country; rows without it come last. */
function byText(textOf: (row: TriageRow) => string | undefined) {
  return (a: TriageRow, b: TriageRow): number => {
    const [left, right] = [textOf(a) ?? '', textOf(b) ?? ''];
    return left === '' || right === '' ? compareText(right, left) : compareText(left, right);
  };
}

/** The day of the last sighting; where no source dates sightings, the day it was first listed. */
export const seenOf = ({ row }: TriageRow): string | undefined =>
  (row.lastSeen ?? row.firstSeen)?.slice(0, 'yyyy-mm-dd'.length);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export function viewOf(search: Readonly<Record<string, string>>): TriageView {
  const { sort = '', group = '', verdict = '', type = '' } = search;
  const isReversed = sort.startsWith('-');
  const name = isReversed ? sort.slice(1) : sort;
  return {
    groups: new Set([...listOf(group)].filter((one) => (DECISIONS as readonly string[]).includes(one))),
    verdicts: listOf(verdict),
    types: listOf(type),
    sort: SORTS.find((one) => one === name) ?? 'risk',
    isReversed,
  };
}

export function searchOf({ groups, verdicts, types, sort, isReversed }: TriageView): Record<string, string> {
  const order = `${isReversed ? '-' : ''}${sort}`;
  return {
    ...(groups.size > 0 ? { group: [...groups].join(',') } : {}),
    ...(verdicts.size > 0 ? { verdict: [...verdicts].join(',') } : {}),
    ...(types.size > 0 ? { type: [...types].join(',') } : {}),
    ...(order === 'risk' ? {} : { sort: order }),
  };
}

export const toggled = (set: ReadonlySet<string>, one: string): ReadonlySet<string> => {
  const next = new Set(set);
  if (!next.delete(one)) next.add(one);
  return next;
};

const listOf = (text: string): ReadonlySet<string> => new Set(text.split(',').filter((part) => part !== ''));
