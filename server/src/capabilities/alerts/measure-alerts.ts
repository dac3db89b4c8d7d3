import { ALERT_TYPES, percentilesOf, SEVERITIES } from '#domain/alerts/index.ts';
import type { Principal } from '#platform/http/principal.ts';
import { DAY_MS, HOUR_MS } from '#platform/time-units.ts';
import type { AlertFunnel, AlertMetrics, AlertTrends } from './contract.ts';
import {
  countByDay,
  countByState,
  countByTime,
  countStale,
  type DayCount,
  oldestOpen,
  WHAT,
} from './figures-store.ts';
import type { AlertsDeps } from './keep-alerts.ts';

const STALE_MS = 72 * HOUR_MS;
const METRICS_DAYS = 30;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
/** The first of `days` days, of which today is the last. */
const firstDayOf = (nowMs: number, days: number): string => dayOf(nowMs - (days - 1) * DAY_MS);
const only = <T extends Pick<DayCount, 'what'>>(counted: readonly T[], what: number): readonly T[] =>
  counted.filter((each) => each.what === what);
const sum = (counted: readonly Pick<DayCount, 'what' | 'count'>[], what: number): number =>
  only(counted, what).reduce((total, { count }) => total + count, 0);

export async function measureAlerts(
  { postgres, clock }: AlertsDeps,
  { accountId }: Principal,
): Promise<AlertMetrics> {
  const nowMs = clock.now();
  const whats = [WHAT.acknowledged, WHAT.resolved];
  const { states, times, staleOpen, oldestMs } = await postgres.withAccount(accountId, async (tx) => ({
    states: await countByState(tx, accountId),
    times: await countByTime(tx, accountId, whats, firstDayOf(nowMs, METRICS_DAYS)),
    staleOpen: await countStale(tx, accountId, nowMs - STALE_MS),
    oldestMs: await oldestOpen(tx, accountId),
  }));
  const countOf = (fits: (state: (typeof states)[number]) => boolean): number =>
    states.filter(fits).reduce((total, { count }) => total + count, 0);
  const [mttaP50 = null, mttaP90 = null] = percentilesOf(only(times, WHAT.acknowledged), [50, 90]);
  const [mttrP50 = null, mttrP90 = null] = percentilesOf(only(times, WHAT.resolved), [50, 90]);
  return {
    open: countOf(({ status }) => status === 'OPEN'),
    acknowledged: countOf(({ status }) => status === 'ACKNOWLEDGED'),
    resolved30d: sum(times, WHAT.resolved),
    bySeverity: Object.fromEntries(
      SEVERITIES.map((severity, place) => [severity, countOf((state) => state.severity === place)]),
    ) as AlertMetrics['bySeverity'],
    byType: Object.fromEntries(
      ALERT_TYPES.map((type) => [type, countOf((state) => state.type === type)]),
    ) as AlertMetrics['byType'],
    staleOpen,
    oldestOpenAt: oldestMs === null ? null : new Date(oldestMs).toISOString(),
    mttaHours: { p50: mttaP50, p90: mttaP90 },
    mttrHours: { p50: mttrP50, p90: mttrP90 },
  };
}

/** How far the alerts that were raised in these days have come until now. */
export async function funnelOf(
  { postgres, clock }: AlertsDeps,
  { accountId }: Principal,
  days: number,
): Promise<AlertFunnel> {
  const whats = [WHAT.detected, WHAT.opened, WHAT.handled, WHAT.ended];
  const counted = await postgres.withAccount(accountId, (tx) =>
    countByDay(tx, accountId, whats, firstDayOf(clock.now(), days)),
  );
  const opened = sum(counted, WHAT.opened);
  const stage = (name: AlertFunnel['stages'][number]['stage'], what: number) => {
    const count = sum(counted, what);
    return { stage: name, count, rate: opened === 0 ? 0 : Math.round((count / opened) * 1_000) / 1_000 };
  };
  return {
    days,
    stages: [
      stage('detected', WHAT.detected),
      stage('opened', WHAT.opened),
      stage('acknowledged', WHAT.handled),
      stage('resolved', WHAT.ended),
    ],
  };
}

export async function trendsOf(
  { postgres, clock }: AlertsDeps,
  { accountId }: Principal,
  days: number,
): Promise<AlertTrends> {
  const nowMs = clock.now();
  const since = firstDayOf(nowMs, days);
  const { counted, times } = await postgres.withAccount(accountId, async (tx) => ({
    counted: await countByDay(tx, accountId, [WHAT.opened, WHAT.resolved], since),
    times: await countByTime(tx, accountId, [WHAT.resolved], since),
  }));
  const [p50Hours = null, p90Hours = null, p95Hours = null] = percentilesOf(times, [50, 90, 95]);
  const byDay = Map.groupBy(counted, ({ day }) => day);
  return {
    success: true,
    data: {
      days,
      series: Array.from({ length: days }, (_, back) => {
        const day = dayOf(nowMs - (days - 1 - back) * DAY_MS);
        const ofDay = byDay.get(day) ?? [];
        return { day, opened: sum(ofDay, WHAT.opened), resolved: sum(ofDay, WHAT.resolved) };
      }),
      mttr: { p50Hours, p90Hours, p95Hours, sampleSize: sum(counted, WHAT.resolved) },
    },
    timestamp: new Date(nowMs).toISOString(),
  };
}
