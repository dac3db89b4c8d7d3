import { pageHref } from '../dashboard/page-href.ts';
import { plural } from '../text/plural.ts';
import type { QueueSource, Urgency } from './queue.ts';

export type OverviewMetrics = {
  readonly openCriticalAlerts: number;
  readonly openHighAlerts: number;
  readonly staleOpenAlerts: number;
  readonly acknowledgedAlerts: number;
  readonly activeExploitFindings: number;
  readonly kevFindings: number;
  readonly openCases: number;
};
export type SocAction = {
  readonly id: string;
  readonly title: string;
  readonly source: QueueSource;
  readonly priority: Urgency;
  readonly href: string;
};

/** The dashboard page that lists the items behind each figure. */
export const METRIC_HREFS: Readonly<Record<keyof OverviewMetrics, string>> = {
  openCriticalAlerts: pageHref('/alerts?status=OPEN&severity=critical'),
  openHighAlerts: pageHref('/alerts?status=OPEN&severity=high'),
  staleOpenAlerts: pageHref('/alerts?status=OPEN&stale=true'),
  acknowledgedAlerts: pageHref('/alerts?status=ACKNOWLEDGED'),
  activeExploitFindings: pageHref('/cve-watch/findings?priority=P1&exploitation=active'),
  kevFindings: pageHref('/cve-watch/findings?priority=P1&kev=true'),
  openCases: pageHref('/cases?status=OPEN'),
};

type Wording = readonly [
  metric: keyof OverviewMetrics,
  id: string,
  source: QueueSource,
  priority: Urgency,
  title: (count: number) => string,
];

/** Most urgent first. A metric of zero produces no action. */
const ACTIONS: readonly Wording[] = [
  [
    'openCriticalAlerts',
    'critical-alerts',
    'alert',
    'CRITICAL',
    (n) => `Acknowledge ${plural(n, 'critical alert')}`,
  ],
  [
    'kevFindings',
    'known-exploited',
    'cve_finding',
    'CRITICAL',
    (n) => `Patch ${plural(n, 'finding')} of known exploited vulnerabilities`,
  ],
  [
    'activeExploitFindings',
    'active-exploits',
    'cve_finding',
    'CRITICAL',
    (n) => `Patch ${plural(n, 'finding')} with reported exploitation`,
  ],
  [
    'openHighAlerts',
    'high-alerts',
    'alert',
    'HIGH',
    (n) => `Acknowledge ${plural(n, 'alert')} of severity high`,
  ],
  [
    'staleOpenAlerts',
    'stale-alerts',
    'alert',
    'HIGH',
    (n) => `Decide about ${plural(n, 'alert')} without activity for 72 hours`,
  ],
  [
    'acknowledgedAlerts',
    'acknowledged-alerts',
    'alert',
    'MEDIUM',
    (n) => `Resolve ${plural(n, 'acknowledged alert')}`,
  ],
  ['openCases', 'open-cases', 'case', 'MEDIUM', (n) => `Work on ${plural(n, 'open case')}`],
];

export const socActionsOf = (metrics: OverviewMetrics): readonly SocAction[] =>
  ACTIONS.filter(([metric]) => metrics[metric] > 0).map(([metric, id, source, priority, title]) => ({
    id,
    title: title(metrics[metric]),
    source,
    priority,
    href: METRIC_HREFS[metric],
  }));
