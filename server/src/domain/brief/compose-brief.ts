import { METRIC_HREFS, type OverviewMetrics, type SocAction } from '#domain/action-center/index.ts';
import { plural } from '#domain/text/plural.ts';

/** Counts of the week that a brief covers. */
export type WeekFigures = {
  readonly alertsOpened: number;
  readonly alertsResolved: number;
  readonly newFindings: number;
  readonly kevFindings: number;
  readonly watchedChanges: number;
};
export type ScorePart = {
  readonly name: string;
  readonly count: number;
  readonly points: number;
  readonly detail: string;
  readonly href: string;
};
export type BriefFacts = {
  readonly week: WeekFigures;
  readonly now: OverviewMetrics;
  /** Open cases of priority HIGH or CRITICAL that were opened before the week began. */
  readonly overdueCases: number;
  /** Gaps in what CVE watch checked: without findings they are the first thing to say (decisions O64). */
  readonly findingGaps: number;
  readonly actions: readonly SocAction[];
};
export const BRIEF_LEVELS = ['low', 'medium', 'high', 'critical'] as const;
export type BriefLevel = (typeof BRIEF_LEVELS)[number];
export type ComposedBrief = {
  readonly score: number;
  readonly scoreParts: readonly ScorePart[];
  readonly riskLevel: BriefLevel;
  readonly headline: string;
  readonly recommendations: readonly string[];
};

type Rule = {
  readonly name: string;
  readonly count: (facts: BriefFacts) => number;
  readonly each: number;
  readonly max: number;
  readonly noun: readonly [one: string, many: string];
  readonly href: string;
};

/** The maxima add up to 100, so the sum of the parts is the score without any cap. */
const RULES: readonly Rule[] = [
  {
    name: 'criticalAlerts',
    count: ({ now }) => now.openCriticalAlerts,
    each: 8,
    max: 30,
    noun: ['open critical alert', 'open critical alerts'],
    href: METRIC_HREFS.openCriticalAlerts,
  },
  {
    name: 'kevFindings',
    count: ({ now }) => now.kevFindings,
    each: 6,
    max: 30,
    noun: ['finding of a known exploited vulnerability', 'findings of known exploited vulnerabilities'],
    href: METRIC_HREFS.kevFindings,
  },
  {
    name: 'highAlerts',
    count: ({ now }) => now.openHighAlerts,
    each: 3,
    max: 15,
    noun: ['open alert of severity high', 'open alerts of severity high'],
    href: METRIC_HREFS.openHighAlerts,
  },
  {
    name: 'staleAlerts',
    count: ({ now }) => now.staleOpenAlerts,
    each: 1,
    max: 10,
    noun: ['alert without activity for 72 hours', 'alerts without activity for 72 hours'],
    href: METRIC_HREFS.staleOpenAlerts,
  },
  {
    name: 'overdueCases',
    count: ({ overdueCases }) => overdueCases,
    each: 3,
    max: 15,
    noun: ['urgent case that is older than a week', 'urgent cases that are older than a week'],
    href: METRIC_HREFS.openCases,
  },
];

/** A pure function: the same facts give the same brief. */
export function composeBrief(facts: BriefFacts): ComposedBrief {
  const scoreParts = RULES.map(({ name, count, each, max, noun, href }): ScorePart => {
    const found = count(facts);
    return {
      name,
      count: found,
      points: Math.min(found * each, max),
      detail: `${plural(found, ...noun)}: ${each} each, at most ${max}.`,
      href,
    };
  });
  const score = scoreParts.reduce((sum, { points }) => sum + points, 0);
  return {
    score,
    scoreParts,
    riskLevel: levelOf(score),
    headline: headlineOf(facts),
    recommendations: facts.actions.map(({ title }) => `${title}.`),
  };
}

/** The bands of the risk score. None is `safe`, because a quiet week does not prove safety. */
const levelOf = (score: number): BriefLevel => {
  if (score >= 85) return 'critical';
  if (score >= 60) return 'high';
  return score >= 35 ? 'medium' : 'low';
};

function headlineOf({ now, week, findingGaps }: BriefFacts): string {
  const urgent = [
    ...(now.openCriticalAlerts > 0 ? [plural(now.openCriticalAlerts, 'critical alert')] : []),
    ...(now.kevFindings > 0
      ? [
          plural(
            now.kevFindings,
            'finding of known exploited vulnerabilities',
            'findings of known exploited vulnerabilities',
          ),
        ]
      : []),
  ];
  if (urgent.length > 0)
    return `${urgent.join(' and ')} ${now.openCriticalAlerts + now.kevFindings === 1 ? 'needs' : 'need'} a decision.`;
  const unchecked =
    findingGaps === 0 ? '' : `CVE watch did not check everything (${plural(findingGaps, 'gap')}). `;
  return week.alertsOpened + week.newFindings + week.watchedChanges === 0
    ? `${unchecked}Nothing changed in what you watch.`
    : `${unchecked}Nothing urgent: ${plural(week.alertsOpened, 'alert')}, ${plural(week.newFindings, 'new finding')} and ${plural(week.watchedChanges, 'change')} of watched values in the week.`;
}
