import {
  alertCandidate,
  type Candidate,
  caseCandidate,
  findingCandidate,
  type OverviewMetrics,
  orderQueue,
  STALE_MS,
  socActionsOf,
} from '#domain/action-center/index.ts';
import type { Db } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { ACTIONS_MAX, type Overview, type PartName, QUEUE_MAX } from './contract.ts';
import type { Parts } from './parts.ts';

/** Rows read of each kind. Candidates about the same thing are merged, so more are read than the queue shows. */
const READ_OF_EACH = 4 * QUEUE_MAX;
const MTTR_DAYS = 30;

export type OnePart = {
  readonly metrics: Partial<OverviewMetrics>;
  readonly candidates: readonly Candidate[];
  readonly caseMttr?: Overview['caseMttr'];
};
export type ReadPart = (tx: Db, accountId: string, nowMs: number) => Promise<OnePart>;

/** A reader for each part, so that a part that fails leaves the others unaffected. */
export const readersOf = ({ alerts, findings, cases }: Parts): Readonly<Record<PartName, ReadPart>> => ({
  alerts: async (tx, accountId, nowMs) => {
    const counts = await alerts.count(tx, accountId, nowMs - STALE_MS);
    return {
      metrics: {
        openCriticalAlerts: counts.critical,
        openHighAlerts: counts.high,
        staleOpenAlerts: counts.stale,
        acknowledgedAlerts: counts.acknowledged,
      },
      candidates: (await alerts.foremost(tx, accountId, READ_OF_EACH)).map((each) =>
        alertCandidate(each, nowMs),
      ),
    };
  },
  findings: async (tx, accountId, nowMs) => {
    const counts = await findings.count(tx, accountId);
    return {
      metrics: { activeExploitFindings: counts.activeExploit, kevFindings: counts.kev },
      candidates: (await findings.foremost(tx, accountId, READ_OF_EACH)).map((each) =>
        findingCandidate(each, nowMs),
      ),
    };
  },
  cases: async (tx, accountId, nowMs) => {
    const openCases = await cases.count(tx, accountId);
    const { p50, p90, sampleSize } = await cases.resolutions(tx, accountId, nowMs - MTTR_DAYS * DAY_MS);
    return {
      metrics: { openCases },
      candidates: (await cases.foremost(tx, accountId, READ_OF_EACH)).map((each) =>
        caseCandidate(each, nowMs),
      ),
      caseMttr: { p50Hours: roundOf(p50), p90Hours: roundOf(p90), sampleSize },
    };
  },
});

const roundOf = (hours: number | null): number | null =>
  hours === null ? null : Math.round(hours * 100) / 100;

const NO_METRICS: OverviewMetrics = {
  openCriticalAlerts: 0,
  openHighAlerts: 0,
  staleOpenAlerts: 0,
  acknowledgedAlerts: 0,
  activeExploitFindings: 0,
  kevFindings: 0,
  openCases: 0,
};

export function presentOverview(
  read: readonly OnePart[],
  missing: readonly PartName[],
  nowMs: number,
): Overview {
  const metrics: OverviewMetrics = Object.assign({ ...NO_METRICS }, ...read.map((part) => part.metrics));
  return {
    generatedAt: isoOf(nowMs),
    metrics,
    priorityQueue: orderQueue(
      read.flatMap(({ candidates }) => candidates),
      QUEUE_MAX,
    ).map(presentItem),
    socActions: socActionsOf(metrics).slice(0, ACTIONS_MAX),
    caseMttr: read.find(({ caseMttr }) => caseMttr !== undefined)?.caseMttr ?? {
      p50Hours: null,
      p90Hours: null,
      sampleSize: 0,
    },
    degraded: missing.length > 0,
    missing: [...missing],
  };
}

const isoOf = (ms: number): string => new Date(ms).toISOString();

const presentItem = (of: Candidate): Overview['priorityQueue'][number] => ({
  id: of.id,
  source: of.source,
  priority: of.priority,
  title: of.title,
  status: of.status,
  reason: of.reason,
  href: of.href,
  primaryAction: of.primaryAction,
  description: of.description,
  entityType: of.entityType,
  entityValue: of.entityValue,
  createdAt: isoOf(of.createdAtMs),
  updatedAt: isoOf(of.updatedAtMs),
});
