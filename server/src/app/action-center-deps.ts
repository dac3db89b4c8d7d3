import type { ActionCenterDeps, BriefDeps, Parts } from '#capabilities/action-center/index.ts';
import {
  alertExists,
  countPressing,
  countRaisedAndResolved,
  selectForemostAlerts,
} from '#capabilities/alerts/index.ts';
import {
  type CasesDeps,
  countOpenCases,
  countOverdueCases,
  measureResolutions,
  selectForemostCases,
} from '#capabilities/cases/index.ts';
import {
  countCoverageGaps,
  countExploited,
  countNewFindings,
  hasFinding,
  selectForemostFindings,
  selectWatching,
} from '#capabilities/cve-watch/index.ts';
import { countChangedItems, selectWatchingValues } from '#capabilities/monitoring/index.ts';
import { hasReport } from '#capabilities/reports/index.ts';
import type { Clock } from '#platform/clock.ts';

/** What the action center reads of other capabilities. */
export const ACTION_CENTER_PARTS: Parts = {
  alerts: { count: countPressing, foremost: selectForemostAlerts, week: countRaisedAndResolved },
  findings: {
    count: countExploited,
    foremost: selectForemostFindings,
    countNew: countNewFindings,
    countGaps: countCoverageGaps,
  },
  cases: {
    count: countOpenCases,
    foremost: selectForemostCases,
    resolutions: measureResolutions,
    countOverdue: countOverdueCases,
  },
};

/** Dependencies of cases, and of the overview that shows them beside alerts and findings. */
export const actionCenterDeps = (
  own: Omit<ActionCenterDeps, 'parts'>,
  limitsOf: CasesDeps['limitsOf'],
): { readonly cases: CasesDeps; readonly actionCenter: ActionCenterDeps } => ({
  cases: {
    clock: own.clock,
    postgres: own.postgres,
    links: { alert: alertExists, finding: hasFinding, report: hasReport },
    limitsOf,
  },
  actionCenter: { ...own, parts: ACTION_CENTER_PARTS },
});

export const briefDeps = (clock: Clock): BriefDeps => ({
  clock,
  parts: ACTION_CENTER_PARTS,
  watchers: [selectWatching, selectWatchingValues],
  countChanges: countChangedItems,
});
