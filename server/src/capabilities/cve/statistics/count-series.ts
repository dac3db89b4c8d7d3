import type { CveSeverity } from '#domain/cve/index.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { type Bucket, SERIES_DAYS_MAX, type Timeseries, type TimeseriesQuery } from './contract.ts';
import { dayText } from './count-epss.ts';
import type { PackedFacts } from './packed-facts.ts';

type Row = Timeseries[number];
const COLUMNS: Partial<Readonly<Record<CveSeverity, 'critical' | 'high' | 'medium' | 'low' | 'unscored'>>> = {
  CRITICAL: 'critical',
  HIGH: 'high',
  MEDIUM: 'medium',
  LOW: 'low',
  UNKNOWN: 'unscored',
};

/** CVEs by the day they were published; buckets without one are zeros (decisions O22). */
export function countSeries(
  facts: PackedFacts,
  { days, bucket }: TimeseriesQuery,
  nowMs: number,
): Timeseries {
  const today = Math.floor(nowMs / DAY_MS);
  const firstDay = startOf(today - Math.min(days, SERIES_DAYS_MAX[bucket]) + 1, bucket);
  const rows = new Map<number, Row>();
  for (let day = firstDay; day <= today; day = nextStart(day, bucket))
    rows.set(day, {
      day: dayText(day),
      critical: 0,
      high: 0,
      medium: 0,
      low: 0,
      unscored: 0,
      kev: 0,
      active_exploit: 0,
    });
  for (let at = 0; at < facts.length; at += 1) {
    const fact = facts.fact(at);
    const { publishedDay } = fact;
    if (publishedDay === null || publishedDay < firstDay || publishedDay > today) continue;
    const row = rows.get(startOf(publishedDay, bucket));
    if (row === undefined) continue;
    const column = COLUMNS[fact.severity];
    if (column !== undefined) row[column] += 1;
    if (fact.isKev) row.kev += 1;
    if (fact.exploitation === 'active') row.active_exploit += 1;
  }
  return [...rows.values()];
}

/** Weeks begin on Monday; 1970-01-01 was a Thursday. */
function startOf(day: number, bucket: Bucket): number {
  if (bucket === 'day') return day;
  if (bucket === 'week') return day - ((day + 3) % 7);
  const date = new Date(day * DAY_MS);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / DAY_MS;
}

function nextStart(day: number, bucket: Bucket): number {
  if (bucket === 'day') return day + 1;
  if (bucket === 'week') return day + 7;
  const date = new Date(day * DAY_MS);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / DAY_MS;
}
