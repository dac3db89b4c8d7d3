import type { ReputationHistory } from '@assay/sdk';
import { dayOf, type TimelineStep, type TimelineTick } from '../../../charts/timeline-scale.ts';
import { DAY_MS } from '../../../words/time.ts';
import type { CheckSeen } from './check-seen.ts';
import { partOf } from './facet-state.ts';
import { subjectWords } from './subject-words.ts';

export type HistoryLine = {
  readonly steps: readonly TimelineStep[];
  readonly ticks: readonly TimelineTick[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly madeOf: string;
};

/**
 * The number of listing sources over time: the dates of the current listings and, from the day the service's record
 * begins, the record. A record may be hours old, and then knows less than those dates.
 */
export function historyLine(
  seen: CheckSeen,
  record: ReputationHistory | null,
  nowMs: number,
): HistoryLine | null {
  const dated = fromListings(seen, nowMs);
  return (record === null ? null : withRecord(seen, dated, record, nowMs)) ?? dated;
}

function withRecord(
  seen: CheckSeen,
  dated: HistoryLine | null,
  record: ReputationHistory,
  nowMs: number,
): HistoryLine | null {
  const beganMs = beginOf(record);
  if (beganMs === null || record.points.every(({ blocklistHits }) => blocklistHits === 0)) return null;
  const before = dated !== null && dated.fromMs < beganMs ? dated : null;
  const { firstSeen, lastSeen } = spanOf(seen);
  return {
    steps: [
      ...(before?.steps.filter(({ atMs }) => atMs < beganMs) ?? []),
      ...record.points.map(({ date, blocklistHits }) => ({
        atMs: Math.max(Date.parse(date), beganMs),
        count: blocklistHits,
      })),
    ],
    ticks: sorted([
      ...ticksOf(seen, earlier(record.firstSeen, firstSeen), record.lastSeen ?? lastSeen),
      ...(before === null ? [] : [{ atMs: beganMs, label: 'record begins' }]),
      ...levelChanges(record),
    ]),
    // The axis spans at least a day, because the labels of a shorter one would repeat each other.
    fromMs: Math.min(before?.fromMs ?? beganMs, nowMs - DAY_MS),
    toMs: nowMs,
    madeOf: madeOf(beganMs, before),
  };
}

/** When the record of this indicator begins: its first day, or the time on that day when recording began. */
function beginOf({ points: [first], retainedFrom }: ReputationHistory): number | null {
  if (first === undefined) return null;
  const dayMs = Date.parse(first.date);
  return retainedFrom === null ? dayMs : Math.max(dayMs, Date.parse(retainedFrom));
}

function madeOf(beganMs: number, before: HistoryLine | null): string {
  const recorded = `Since ${dayOf(beganMs)}: the record of this service, each day judged by the rules of today.`;
  if (before === null) return recorded;
  return before.steps.length === 0
    ? `${recorded} Before: the first sighting by the lists that name it now.`
    : `${recorded} Before: when each list that names it now first did; lists that had dropped it by then are not shown.`;
}

const levelChanges = ({ events }: ReputationHistory): readonly TimelineTick[] =>
  events.flatMap(({ at, type, from, to }) =>
    type === 'score_changed' && from !== undefined && to !== undefined
      ? [{ atMs: Date.parse(at), label: `level ${levelWord(from)} to ${levelWord(to)}` }]
      : [],
  );

export type ListChange = { readonly at: string; readonly source: string; readonly what: string };

/** When each list began to list it and dropped it, newest first, by the dates of the lists. */
export const listChanges = (record: ReputationHistory | null): readonly ListChange[] =>
  (record?.spans ?? [])
    .flatMap(({ source, first, startKnown, last, open }) => [
      { at: first, source, what: startKnown ? 'listed it' : 'had it already; since when is not known' },
      ...(open ? [] : [{ at: last, source, what: 'dropped it' }]),
    ])
    .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));

/** The line shows accusations only, so a day that is `safe` or `inconclusive`, without one that counts, is "none". */
const levelWord = (level: string): string => (level === 'safe' || level === 'inconclusive' ? 'none' : level);

/** A line from the first dates of the current listings. Lists that have dropped the indicator are missing from it. */
function fromListings(seen: CheckSeen, nowMs: number): HistoryLine | null {
  const firstMs = accusationsMs(seen);
  const { firstSeen, lastSeen } = spanOf(seen);
  const ticks = ticksOf(seen, firstSeen, lastSeen);
  const startMs = firstMs[0] ?? (firstSeen === null ? undefined : Date.parse(firstSeen));
  if (startMs === undefined || Number.isNaN(startMs)) return null;
  const padMs = Math.max(DAY_MS, (nowMs - startMs) * 0.04);
  return {
    steps:
      firstMs.length === 0
        ? []
        : [
            { atMs: startMs - padMs, count: 0 },
            ...firstMs.map((atMs, index) => ({ atMs, count: index + 1 })),
          ],
    ticks,
    fromMs: startMs - padMs,
    toMs: nowMs,
    madeOf:
      firstMs.length === 0
        ? 'First and last sighting by the lists that name it now.'
        : 'When each list that names it now first did. Lists that have dropped it are not shown.',
  };
}

/** Whether there will be a line, known from the first phase on to reserve its height. A record dates undated lists. */
export const expectsLine = (seen: CheckSeen, hasRecord: boolean): boolean =>
  accusationsMs(seen).length > 0 ||
  (hasRecord && seen.reputation?.sources.some(({ threatClass }) => threatClass === 'threat') === true);

/** The first date of each accusing source, which may have several listings, such as an address and its range. */
function accusationsMs({ reputation }: CheckSeen): readonly number[] {
  const accusers = new Set(
    reputation?.sources.filter(({ threatClass }) => threatClass === 'threat').map(({ id }) => id),
  );
  const firstMs = new Map<string, number>();
  for (const { sourceId, firstSeen } of reputation?.listings ?? []) {
    const atMs = firstSeen === null ? Number.NaN : Date.parse(firstSeen);
    if (!accusers.has(sourceId) || Number.isNaN(atMs)) continue;
    firstMs.set(sourceId, Math.min(atMs, firstMs.get(sourceId) ?? atMs));
  }
  return [...firstMs.values()].toSorted((a, b) => a - b);
}

function spanOf({ insights, enrichment }: CheckSeen): {
  readonly firstSeen: string | null;
  readonly lastSeen: string | null;
} {
  const { dataTrust } = insights ?? {};
  return {
    firstSeen: enrichment?.timeline?.firstSeen ?? dataTrust?.firstSeen ?? null,
    lastSeen: enrichment?.timeline?.lastSeen ?? dataTrust?.lastSeen ?? null,
  };
}

function ticksOf(
  seen: CheckSeen,
  firstSeen: string | null,
  lastSeen: string | null,
): readonly TimelineTick[] {
  const { type } = seen.target;
  const registered = type === 'hash' ? null : (partOf(seen, 'whois')?.createdDate ?? null);
  const issued = partOf(seen, 'certificates')?.validFrom ?? null;
  return sorted(
    [
      { at: registered, label: 'registered' },
      { at: issued, label: 'certificate issued' },
      { at: firstSeen, label: 'first seen' },
      { at: lastSeen, label: 'last seen' },
    ].flatMap(({ at, label }) => {
      const atMs = at === null ? Number.NaN : Date.parse(at);
      return Number.isNaN(atMs) ? [] : [{ atMs, label }];
    }),
  );
}

/** Compares times as text, which is correct because both are UTC in the same format. */
const earlier = (a: string | null, b: string | null): string | null =>
  a === null || b === null ? (a ?? b) : a < b ? a : b;

const sorted = (ticks: readonly TimelineTick[]): readonly TimelineTick[] =>
  ticks.toSorted((a, b) => a.atMs - b.atMs);

export function noHistorySentence(seen: CheckSeen, record: ReputationHistory | null): string {
  const { one } = subjectWords(seen.target.type);
  const from = record?.retainedFrom ?? null;
  if (from !== null)
    return `No source listed this ${one} in the record, which begins ${from.slice(0, 10)}. No history before.`;
  return `No history: no source that dates its entries has listed this ${one}.`;
}
