import { describePossible } from '../cve-watch/index.ts';
import { pageHref } from '../dashboard/page-href.ts';
import { plural } from '../text/plural.ts';
import type { Candidate, Urgency } from './queue.ts';

/** The facts of each kind of thing in the queue, and the sentence that says why it is there. */

export type AlertFacts = {
  readonly id: string;
  readonly severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
  readonly status: 'OPEN' | 'ACKNOWLEDGED';
  readonly title: string;
  readonly description: string | null;
  readonly reason: string;
  readonly entityType: string;
  readonly entityValue: string;
  readonly findingId: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};
export type FindingFacts = {
  readonly id: string;
  readonly cveId: string;
  /** 1 for a confirmed finding; a possible one is about all CVEs that may concern the component. */
  readonly cveCount: number;
  readonly kevCount: number;
  readonly status: 'OPEN' | 'ACKNOWLEDGED';
  readonly priority: 1 | 2 | 3;
  readonly isConfirmed: boolean;
  readonly isKev: boolean;
  readonly isExploited: boolean;
  readonly epssScore: number | null;
  readonly severity: string | null;
  readonly vendor: string;
  readonly product: string;
  readonly version: string | null;
  readonly fixedVersion: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};
export type CaseFacts = {
  readonly id: string;
  readonly title: string;
  readonly description: string | null;
  readonly status: 'OPEN' | 'IN_PROGRESS';
  readonly priority: Urgency;
  readonly entityType: string | null;
  readonly entityValue: string | null;
  readonly linkedAlertId: string | null;
  readonly linkedCveFindingId: string | null;
  readonly evidenceCount: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** An open alert without activity for this long is stale. */
export const STALE_MS = 72 * HOUR_MS;

const ALERT_URGENCY = {
  critical: 'CRITICAL',
  high: 'HIGH',
  medium: 'MEDIUM',
  low: 'LOW',
  info: 'LOW',
} as const;
const FINDING_URGENCY = { 1: 'CRITICAL', 2: 'HIGH', 3: 'MEDIUM' } as const;

/** A span in words: "3 days", "5 hours", "less than an hour". */
export function spanOf(ms: number): string {
  if (ms >= 2 * DAY_MS) return plural(Math.floor(ms / DAY_MS), 'day');
  return ms >= HOUR_MS ? plural(Math.floor(ms / HOUR_MS), 'hour') : 'less than an hour';
}

export const alertCandidate = (of: AlertFacts, nowMs: number): Candidate => {
  const idleMs = nowMs - of.updatedAtMs;
  const state =
    of.status === 'OPEN'
      ? `open for ${spanOf(nowMs - of.createdAtMs)}${idleMs >= STALE_MS ? ` and without activity for ${spanOf(idleMs)}` : ''}`
      : `acknowledged and not resolved after ${spanOf(nowMs - of.createdAtMs)}`;
  return {
    id: of.id,
    source: 'alert',
    priority: ALERT_URGENCY[of.severity],
    title: of.title,
    status: of.status,
    reason: `Alert of severity ${of.severity}, ${state}: ${of.reason}`,
    href: pageHref(`/alerts/${of.id}`),
    primaryAction: of.status === 'OPEN' ? 'acknowledge' : 'investigate',
    description: of.description,
    entityType: of.entityType,
    entityValue: of.entityValue,
    createdAtMs: of.createdAtMs,
    updatedAtMs: of.updatedAtMs,
    links: of.findingId === null ? [] : [of.findingId],
  };
};

export const findingCandidate = (of: FindingFacts, nowMs: number): Candidate => ({
  id: of.id,
  source: 'cve_finding',
  priority: FINDING_URGENCY[of.priority],
  title: of.isConfirmed ? `${of.cveId} in ${nameOf(of)}` : describePossible(of),
  status: of.status,
  reason: `${urgencyOf(of)}; ${of.isConfirmed ? 'it concerns' : 'it may concern'} ${nameOf(of)}, ${
    of.fixedVersion === null ? 'and no fixed version is known' : `and ${of.fixedVersion} is fixed`
  }. Known here for ${spanOf(nowMs - of.createdAtMs)}.`,
  href: pageHref(`/cve-watch/findings/${of.id}`),
  primaryAction: 'patch',
  description: null,
  entityType: 'cve',
  entityValue: of.cveId,
  createdAtMs: of.createdAtMs,
  updatedAtMs: of.updatedAtMs,
  links: [],
});

const nameOf = ({ vendor, product, version }: FindingFacts): string =>
  [vendor === product ? '' : vendor, product, version ?? 'of unknown version']
    .filter((part) => part !== '')
    .join(' ');

function urgencyOf({ cveId, isKev, isExploited, epssScore, severity }: FindingFacts): string {
  if (isKev) return `${cveId} is in the catalogue of known exploited vulnerabilities`;
  if (isExploited) return `Exploitation of ${cveId} is reported`;
  if (epssScore !== null && epssScore >= 0.1)
    return `${cveId} is exploited within 30 days with a probability of ${Math.round(epssScore * 100)} %`;
  return `${cveId} has ${severity === null ? 'no severity yet' : `the severity ${severity}`}`;
}

const CASE_STATES = { OPEN: 'open', IN_PROGRESS: 'in progress' } as const;

export const caseCandidate = (of: CaseFacts, nowMs: number): Candidate => ({
  id: of.id,
  source: 'case',
  priority: of.priority,
  title: of.title,
  status: of.status,
  reason: `Case of priority ${of.priority}, ${CASE_STATES[of.status]}, opened ${spanOf(nowMs - of.createdAtMs)} ago, with ${plural(of.evidenceCount, 'piece')} of evidence; last change ${spanOf(nowMs - of.updatedAtMs)} ago.`,
  href: pageHref(`/cases/${of.id}`),
  primaryAction: of.status === 'OPEN' ? 'investigate' : 'close',
  description: of.description,
  entityType: of.entityType,
  entityValue: of.entityValue,
  createdAtMs: of.createdAtMs,
  updatedAtMs: of.updatedAtMs,
  links: [of.linkedAlertId, of.linkedCveFindingId].filter((id) => id !== null),
});
