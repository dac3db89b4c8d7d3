import type { CheckResult } from '#capabilities/check/index.ts';
import { count, headlineOf, inWords, shown, threatNames } from './compose-text.ts';
import { type Brief, SOURCES_MAX } from './contract.ts';
import { fitted } from './present-brief.ts';

/** What is needed of a look-alike search. */
export type FoundLookalikes = {
  readonly keywords: string;
  readonly hits: readonly string[];
  readonly total: number;
};

const NAMED_MAX = 5;
const NAME_MAX = 100;

/** The verdict is that of the most dangerous one found; none found is no verdict on the brand. */
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
        ? `No list names a domain that looks like ${subject}. Domains that nobody lists are not searched, so there may be others.`
        : `The most dangerous: ${inWords(named)}. ${worst === null ? '' : headlineOf(verdict, named[0] ?? '', worst.riskScore?.score ?? null)} Listed names only: there may be others that nobody lists yet.`,
    riskScore: verdict === 'unknown' ? null : (worst?.riskScore?.score ?? null),
    riskLevel: worst?.riskScore?.level ?? null,
    recommendedAction: worst?.evidence?.recommendedAction ?? 'review',
    categories: worst?.classification === undefined ? [] : [worst.classification.primary],
    sources: threatNames(worst?.sources ?? []).slice(0, SOURCES_MAX),
    reportUrl: null,
  });
}

/** What is needed of an e-mail check (contract 4.2). */
export type CheckedEmail = {
  readonly email: string;
  readonly riskScore: { readonly score: number; readonly level: string; readonly summary: string };
  readonly listings: { readonly listed: boolean; readonly sources: readonly string[] };
  readonly domainReputation: { readonly disposable: boolean };
  readonly validation: { readonly mxValid: boolean | null };
  readonly mailSecurity: { readonly grade: string | null };
};

const ACTION_OF_LEVEL: Readonly<Record<string, Brief['recommendedAction']>> = {
  critical: 'block',
  high: 'block',
  medium: 'review',
  low: 'monitor',
  safe: 'allow',
};
const VERDICTS: ReadonlySet<string> = new Set(['safe', 'low', 'medium', 'high', 'critical']);

export function briefOfEmail(checked: CheckedEmail): Brief {
  const { riskScore, listings } = checked;
  const verdict = (VERDICTS.has(riskScore.level) ? riskScore.level : 'unknown') as Brief['verdict'];
  const { mxValid } = checked.validation;
  return fitted({
    query: checked.email,
    type: 'email',
    verdict,
    headline: headlineOf(verdict, checked.email, riskScore.score),
    summary: [
      shown(riskScore.summary, 300),
      listings.listed ? 'A list names the address itself.' : 'No list names the address itself.',
      checked.domainReputation.disposable ? 'Its domain gives out throw-away addresses.' : '',
      mxValid === null
        ? 'Whether its domain takes mail was not found out.'
        : mxValid
          ? ''
          : 'Its domain takes no mail.',
      checked.mailSecurity.grade === null
        ? ''
        : `Mail security of its domain: ${checked.mailSecurity.grade}.`,
      verdict === 'unknown' ? 'Unknown is not clean.' : '',
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
    riskScore: verdict === 'unknown' ? null : riskScore.score,
    riskLevel: riskScore.level,
    recommendedAction: ACTION_OF_LEVEL[riskScore.level] ?? 'review',
    categories: checked.domainReputation.disposable ? ['disposable-email'] : [],
    sources: listings.sources.map((name) => shown(name, NAME_MAX)).slice(0, SOURCES_MAX),
    reportUrl: null,
  });
}
