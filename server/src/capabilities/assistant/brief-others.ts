import type { CheckResult, Evidence } from '#capabilities/check/index.ts';
import { ACTIONS, count, headlineOf, inWords, shown, threatNames } from './compose-text.ts';
import { type Brief, SOURCES_MAX } from './contract.ts';
import { fitted } from './present-brief.ts';

export type FoundLookalikes = {
  readonly keywords: string;
  readonly hits: readonly string[];
  readonly total: number;
};

const NAMED_MAX = 5;
const NAME_MAX = 100;

/** The verdict is that of the most dangerous domain found. Finding none is no verdict on the brand. */
export function briefOfSearch({ keywords, hits, total }: FoundLookalikes, worst: CheckResult | null): Brief {
  const subject = shown(keywords, NAME_MAX);
  const verdict = worst?.evidence?.verdict ?? 'unknown';
  const named = hits.slice(0, NAMED_MAX).map((hit) => shown(hit, NAME_MAX));
  return fitted({
    query: keywords,
    type: 'search',
    verdict,
    headline:
      total === 0
        ? `No listed look-alike of ${subject} is known.`
        : `${count(total, 'listed domain looks', 'listed domains look')} like ${subject}.`,
    summary:
      total === 0
        ? `No list names a domain that looks like ${subject}. Unlisted domains are not searched, so there may be others.`
        : `The most dangerous: ${inWords(named)}. ${worst === null ? '' : headlineOf(verdict, named[0] ?? '', worst.riskScore)} Listed names only: there may be others that no list names yet.`,
    riskScore: verdict === 'unknown' ? null : (worst?.riskScore?.score ?? null),
    riskLevel: worst?.riskScore?.level ?? null,
    recommendedAction: worst?.evidence?.recommendedAction ?? 'review',
    categories: worst?.classification === undefined ? [] : [worst.classification.primary],
    sources: threatNames(worst?.sources ?? []).slice(0, SOURCES_MAX),
    reportUrl: null,
  });
}

/** The part of an e-mail report (decisions 3.3) that the brief needs, so that both give the same verdict. */
export type ReportedEmail = {
  readonly address: string;
  readonly riskScore: { readonly score: number; readonly level: string; readonly word: string };
  readonly reasons: readonly string[];
  readonly listings: { readonly sources: readonly string[] };
  readonly email: {
    readonly disposable: boolean;
    readonly mx: boolean | null;
    readonly domainReputation: { readonly sources: readonly string[] };
  };
  readonly mailSecurity: { readonly grade: string | null };
  readonly evidence: Pick<Evidence, 'verdict' | 'recommendedAction'>;
};

const REASONS_MAX = 6;
const REASON_MAX = 300;

export function briefOfEmail(report: ReportedEmail): Brief {
  const { riskScore, email, mailSecurity } = report;
  const { verdict, recommendedAction } = report.evidence;
  const names = new Set([...report.listings.sources, ...email.domainReputation.sources]);
  return fitted({
    query: report.address,
    type: 'email',
    verdict,
    headline: headlineOf(verdict, report.address, riskScore),
    summary: [
      verdict === 'unknown' ? 'Unknown is not clean.' : '',
      ...report.reasons.slice(0, REASONS_MAX).map((reason) => shown(reason, REASON_MAX)),
      email.mx === null ? 'Whether its domain accepts mail is unknown.' : '',
      mailSecurity.grade === null ? '' : `Mail security of its domain: ${mailSecurity.grade}.`,
      ACTIONS[recommendedAction],
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
    riskScore: verdict === 'unknown' ? null : riskScore.score,
    riskLevel: riskScore.level,
    recommendedAction,
    categories: email.disposable ? ['disposable-email'] : [],
    sources: [...names].map((name) => shown(name, NAME_MAX)).slice(0, SOURCES_MAX),
    reportUrl: null,
  });
}
