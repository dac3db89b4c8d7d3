import type { ReputationHistory } from '@assay/sdk';
import type { TimelineStep, TimelineTick } from '../../../charts/timeline-scale.ts';
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
 * The number of listing sources over time: from the service's record, or else from the dates of the current listings.
 */
export function historyLine(
  seen: CheckSeen,
  record: ReputationHistory | null,
  nowMs: number,
): HistoryLine | null {
  return (record === null ? null : fromRecord(seen, record, nowMs)) ?? fromListings(seen, nowMs);
}

function fromRecord(seen: CheckSeen, record: ReputationHistory, nowMs: number): HistoryLine | null {
  const steps = record.points.map(({ date, blocklistHits }) => ({
    atMs: Date.parse(date),
    count: blocklistHits,
  }));
  const [first] = steps;
  if (first === undefined || steps.every(({ count }) => count === 0)) return null;
  const changes = record.events.flatMap(({ at, type, from, to }): TimelineTick[] =>
    type === 'score_changed' && from !== undefined && to !== undefined
      ? [{ atMs: Date.parse(at), label: `level ${levelWord(from)} to ${levelWord(to)}` }]
      : [],
  );
  return {
    steps,
    ticks: sorted([...ticksOf(seen, record.firstSeen, record.lastSeen), ...changes]),
    fromMs: first.atMs,
    toMs: nowMs,
    madeOf: `The record of the last ${record.days} days, each day judged by the rules of today.`,
  };
}

/** A day without a listing that counts is inconclusive or vouched for; on a line of accusations both are none. */
const levelWord = (level: string): string => (level === 'safe' || level === 'inconclusive' ? 'none' : level);

/** Each current listing from its first date. Lists that have dropped the indicator are missing. */
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

/** Known from the first phase on, so that the right height is reserved. */
export const hasDatedAccusers = (seen: CheckSeen): boolean => accusationsMs(seen).length > 0;

function accusationsMs({ reputation }: CheckSeen): readonly number[] {
  const accusers = new Set(
    reputation?.sources.filter(({ threatClass }) => threatClass === 'threat').map(({ id }) => id),
  );
  return (reputation?.listings ?? [])
    .filter(({ sourceId }) => accusers.has(sourceId))
    .map(({ firstSeen }) => (firstSeen === null ? Number.NaN : Date.parse(firstSeen)))
    .filter((atMs) => !Number.isNaN(atMs))
    .toSorted((a, b) => a - b);
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

const sorted = (ticks: readonly TimelineTick[]): readonly TimelineTick[] =>
  ticks.toSorted((a, b) => a.atMs - b.atMs);

export function noHistorySentence(seen: CheckSeen, record: ReputationHistory | null): string {
  const { one } = subjectWords(seen.target.type);
  const from = record?.retainedFrom ?? null;
  if (from !== null)
    return `No source listed this ${one} in the record, which begins ${from.slice(0, 10)}. No history before.`;
  return `No history: no source that dates its entries has listed this ${one}.`;
}
