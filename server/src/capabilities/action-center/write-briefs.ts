import { METRIC_HREFS } from '#domain/action-center/index.ts';
import { composeBrief } from '#domain/brief/index.ts';
import { pageHref } from '#domain/dashboard/page-href.ts';
import type { Clock } from '#platform/clock.ts';
import { newId } from '#platform/ids.ts';
import type { JobContext } from '#platform/jobs.ts';
import type { Db } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { deleteOldBriefs, hasBrief, insertBrief } from './brief-store.ts';
import { HIGHLIGHTS_MAX, type RiskBrief } from './contract-brief.ts';
import { presentOverview, readersOf } from './gather-overview.ts';
import type { Parts, Period } from './parts.ts';

const WEEK_MS = 7 * DAY_MS;
/** 1970-01-05 was a Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;
const ACCOUNTS_AT_ONCE = 500;
const KEPT_MS = 400 * DAY_MS;
const ROWS_AT_ONCE = 1_000;

/** A page of the accounts that watch something, in order, after the given one. */
export type Watchers = (tx: Db, after: string, limit: number) => Promise<readonly string[]>;

export type BriefDeps = {
  readonly clock: Clock;
  readonly parts: Parts;
  readonly watchers: readonly Watchers[];
  /** Counts the changes of watched values in a week. */
  readonly countChanges: (tx: Db, accountId: string, period: Period) => Promise<number>;
};

/** The last complete week, Monday to Monday in UTC. */
export const lastWeek = (nowMs: number): Period => {
  const toMs = FIRST_MONDAY_MS + Math.floor((nowMs - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS;
  return { fromMs: toMs - WEEK_MS, toMs };
};

/** Writes the brief of the last week for every account that watches something. A new run continues a stopped one. */
export async function writeBriefs(
  deps: BriefDeps,
  { transaction, signal }: Pick<JobContext, 'transaction' | 'signal'>,
): Promise<{ readonly written: number; readonly forgotten: number }> {
  const period = lastWeek(deps.clock.now());
  let written = 0;
  for (const watchers of deps.watchers)
    for (let after = ''; ; ) {
      const accounts = await transaction((tx) => watchers(tx, after, ACCOUNTS_AT_ONCE));
      for (const accountId of accounts) {
        signal.throwIfAborted();
        if (await transaction((tx) => writeBrief(deps, tx, accountId, period))) written += 1;
      }
      after = accounts.at(-1) ?? '';
      if (accounts.length < ACCOUNTS_AT_ONCE) break;
    }
  let forgotten = 0;
  for (let rows = ROWS_AT_ONCE; rows === ROWS_AT_ONCE; forgotten += rows)
    rows = await transaction((tx) => deleteOldBriefs(tx, period.toMs - KEPT_MS, ROWS_AT_ONCE));
  return { written, forgotten };
}

async function writeBrief(deps: BriefDeps, tx: Db, accountId: string, period: Period): Promise<boolean> {
  if (await hasBrief(tx, accountId, period.fromMs)) return false;
  const nowMs = deps.clock.now();
  await insertBrief(tx, accountId, period.fromMs, await makeBrief(deps, tx, accountId, period), nowMs);
  return true;
}

async function makeBrief(
  { clock, parts, countChanges }: BriefDeps,
  tx: Db,
  accountId: string,
  period: Period,
): Promise<RiskBrief> {
  const nowMs = clock.now();
  const readers = readersOf(parts);
  const read = [
    await readers.alerts(tx, accountId, nowMs),
    await readers.findings(tx, accountId, nowMs),
    await readers.cases(tx, accountId, nowMs),
  ];
  const overview = presentOverview(read, [], nowMs);
  const { opened, resolved } = await parts.alerts.week(tx, accountId, period);
  const metrics = {
    alertsOpened: opened,
    alertsResolved: resolved,
    newFindings: await parts.findings.countNew(tx, accountId, period.fromMs, period.toMs),
    kevFindings: overview.metrics.kevFindings,
    watchedChanges: await countChanges(tx, accountId, period),
  };
  const composed = composeBrief({
    week: metrics,
    now: overview.metrics,
    overdueCases: await parts.cases.countOverdue(tx, accountId, period.fromMs),
    findingGaps: await parts.findings.countGaps(tx, accountId, nowMs),
    actions: overview.socActions,
  });
  return {
    id: newId('brf', nowMs),
    organizationId: accountId.startsWith('org_') ? accountId : null,
    periodStart: new Date(period.fromMs).toISOString(),
    periodEnd: new Date(period.toMs).toISOString(),
    generatedAt: new Date(nowMs).toISOString(),
    ...composed,
    scoreParts: [...composed.scoreParts],
    recommendations: [...composed.recommendations],
    highlights: overview.priorityQueue.slice(0, HIGHLIGHTS_MAX).map(({ title, reason, priority, href }) => ({
      title,
      detail: reason,
      severity: SEVERITIES[priority],
      href,
    })),
    metrics,
    links: linksOf(period),
  };
}

const SEVERITIES = { LOW: 'low', MEDIUM: 'medium', HIGH: 'high', CRITICAL: 'critical' } as const;

const linksOf = ({ fromMs, toMs }: Period): Record<keyof RiskBrief['metrics'], string> => {
  const week = `from=${new Date(fromMs).toISOString()}&to=${new Date(toMs).toISOString()}`;
  return {
    alertsOpened: pageHref(`/alerts?opened=true&${week}`),
    alertsResolved: pageHref(`/alerts?status=RESOLVED&${week}`),
    newFindings: pageHref(`/cve-watch/findings?${week}`),
    kevFindings: METRIC_HREFS.kevFindings,
    watchedChanges: pageHref(`/watch?changed=true&${week}`),
  };
};
