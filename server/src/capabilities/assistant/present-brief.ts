import type { CheckResult } from '#capabilities/check/index.ts';
import { composeReasons, headlineOf, shown, threatNames } from './compose-text.ts';
import { BRIEF_BYTES_MAX, type Brief, SOURCES_MAX } from './contract.ts';

const CATEGORIES_MAX = 10;
const CUT = 100;
const FAMILY_MAX = 60;

export function briefOfCheck(result: CheckResult, type: string): Brief {
  const { query = '', evidence, riskScore, classification } = result;
  const verdict = evidence?.verdict ?? 'unknown';
  return fitted({
    query,
    type,
    verdict,
    headline: headlineOf(verdict, query, riskScore),
    summary: composeReasons(result),
    // A score beside "unknown" would be read as a verdict.
    riskScore: verdict === 'unknown' ? null : (riskScore?.score ?? null),
    riskLevel: riskScore?.level ?? null,
    recommendedAction: evidence?.recommendedAction ?? 'review',
    categories:
      classification === undefined
        ? []
        : [...new Set([classification.primary, ...classification.secondary])].slice(0, CATEGORIES_MAX),
    ...(result.malwareFamily === undefined ? {} : { malwareFamily: shown(result.malwareFamily, FAMILY_MAX) }),
    sources: threatNames(result.sources ?? []).slice(0, SOURCES_MAX),
    reportUrl: null,
  });
}

/** At most 4 KB (decisions 3.17): the summary is shortened first, then the query, which the caller knows. */
export function fitted(brief: Brief): Brief {
  let fit = brief;
  while (sizeOf(fit) > BRIEF_BYTES_MAX) {
    const field = fit.summary.length > CUT * 2 ? 'summary' : 'query';
    fit = { ...fit, [field]: shown(fit[field], fit[field].length - CUT) };
  }
  return fit;
}

const sizeOf = (brief: Brief): number => Buffer.byteLength(JSON.stringify(brief));
