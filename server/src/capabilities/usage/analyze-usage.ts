import type { Clock } from '#platform/clock.ts';
import type { Principal } from '#platform/http/principal.ts';
import type { Postgres } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { ENDPOINTS_MAX, type UsageAnalytics } from './contract.ts';
import { countDays, countEndpoints, countStatuses, countVerdicts, type Span } from './store.ts';

export type MeterMonth = {
  readonly checks: { readonly used: number; readonly limit: number };
  readonly scans: { readonly used: number; readonly limit: number };
  readonly resetsAtMs: number;
};

export type UsageDeps = {
  readonly clock: Clock;
  readonly postgres: Pick<Postgres, 'withAccount'>;
  readonly monthOf: (principal: Principal) => Promise<MeterMonth>;
};

/** Requests and verdicts of the caller's account, from counts that are at most some seconds behind. */
export async function analyzeUsage(
  { clock, postgres, monthOf }: UsageDeps,
  principal: Principal,
  days: number,
): Promise<UsageAnalytics> {
  const { accountId } = principal;
  const listed = daysUntil(clock.now(), days);
  const span: Span = { from: listed[0] ?? '', to: listed.at(-1) ?? '' };
  const [month, counted] = await Promise.all([
    monthOf(principal),
    postgres.withAccount(accountId, async (tx) => ({
      days: await countDays(tx, accountId, span),
      endpoints: await countEndpoints(tx, accountId, span, ENDPOINTS_MAX),
      statuses: await countStatuses(tx, accountId, span),
      verdicts: await countVerdicts(tx, accountId, span),
    })),
  ]);
  const byDay = new Map(counted.days.map(({ day, count }) => [day, count]));
  return {
    period: span,
    requests: {
      total: counted.days.reduce((sum, { count }) => sum + count, 0),
      byDay: listed.map((day) => ({ day, count: byDay.get(day) ?? 0 })),
      byEndpoint: [...counted.endpoints],
      byStatus: Object.fromEntries(counted.statuses.map(({ status, count }) => [status, count])),
    },
    scans: month.scans,
    monthly: month.checks,
    verdicts: Object.fromEntries(counted.verdicts.map(({ verdict, count }) => [verdict, count])),
  };
}

const daysUntil = (nowMs: number, days: number): string[] =>
  Array.from({ length: days }, (_, at) =>
    new Date(nowMs - (days - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  );
