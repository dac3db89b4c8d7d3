import { DAY_MS, HOUR_MS } from '#platform/time-units.ts';
import type { DataFreshness } from './contract.ts';
import type { Freshness } from './states.ts';

/** Data that is no source of listings and has no feed; another capability says how it is. */
export type OtherData = {
  readonly id: string;
  readonly label: string;
  readonly category: string;
  readonly isFailing: boolean;
  readonly dataAtMs: number;
  readonly staleAfterMs: number;
  readonly records: number;
  readonly message: string | null;
  readonly nodesDiffer: boolean;
  /** What the operator should do; null when there is nothing to do. */
  readonly action: string | null;
};

export function datasetOf(other: OtherData, nowMs: number): DataFreshness['datasets'][number] {
  const ageMs = Math.max(0, nowMs - other.dataAtMs);
  const status = statusOf(other, ageMs);
  const old = `Its data is older than ${Math.round(other.staleAfterMs / DAY_MS)} days.`;
  const message =
    status === 'stale' ? [old, other.message].filter((text) => text !== null).join(' ') : other.message;
  const cause = { failing: 'ours', stale: 'old', fresh: null, missing: null } as const;
  return {
    id: other.id,
    label: other.label,
    status,
    lastUpdatedAt: new Date(other.dataAtMs).toISOString(),
    ageHours: hours(ageMs),
    slaHours: hours(other.staleAfterMs),
    records: other.records,
    message,
    category: other.category,
    threatClass: 'threat',
    cause: cause[status],
    reason: status === 'fresh' ? null : message,
    movedDays: 0,
    nodesDiffer: other.nodesDiffer,
  };
}

function statusOf({ isFailing, staleAfterMs }: OtherData, ageMs: number): Freshness {
  if (isFailing) return 'failing';
  return ageMs > staleAfterMs ? 'stale' : 'fresh';
}

/** One decimal is enough for a bar in the dashboard. */
export const hours = (ms: number): number => Math.round((ms / HOUR_MS) * 10) / 10;
