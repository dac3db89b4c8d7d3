import type { OtherData } from '#capabilities/datasets/index.ts';
import { duration } from '#domain/text/duration.ts';
import { HOUR_MS } from '#platform/time-units.ts';
import { type Cause, causeOfProblem, withoutContent } from './cause.ts';
import type { DataFreshness } from './contract.ts';
import type { Freshness } from './states.ts';

const NEVER_LOADED = 'It has never been loaded.';

export function datasetOf(other: OtherData, nowMs: number): DataFreshness['datasets'][number] {
  const { dataAtMs, problem = null } = other;
  const ageMs = dataAtMs === null ? null : Math.max(0, nowMs - dataAtMs);
  const status = statusOf(other, ageMs);
  const message = messageOf(other, status);
  return {
    id: other.id,
    label: other.label,
    status,
    lastUpdatedAt: dataAtMs === null ? null : new Date(dataAtMs).toISOString(),
    ageHours: ageMs === null ? null : hours(ageMs),
    slaHours: hours(other.staleAfterMs),
    records: ageMs === null ? null : other.records,
    message,
    category: other.category,
    threatClass: 'threat',
    cause: causeOf(status, problem),
    reason: status === 'fresh' || message === null ? null : withoutContent(message),
    movedDays: other.movedDays ?? 0,
    nodesDiffer: other.nodesDiffer,
  };
}

function statusOf({ isFailing, staleAfterMs }: OtherData, ageMs: number | null): Freshness {
  if (ageMs === null) return 'missing';
  if (isFailing) return 'failing';
  return ageMs > staleAfterMs ? 'stale' : 'fresh';
}

function messageOf({ message, staleAfterMs }: OtherData, status: Freshness): string | null {
  if (status === 'missing') return message ?? NEVER_LOADED;
  if (status !== 'stale') return message;
  const old = `Its data is older than ${duration(staleAfterMs)}.`;
  return message === null ? old : `${old} ${message}`;
}

function causeOf(status: Freshness, problem: string | null): Cause | null {
  if (status === 'fresh') return null;
  if (status === 'stale') return 'old';
  if (problem !== null) return causeOfProblem(problem);
  return status === 'missing' ? 'waiting' : 'ours';
}

/** One decimal is enough for a bar in the dashboard. */
export const hours = (ms: number): number => Math.round((ms / HOUR_MS) * 10) / 10;
