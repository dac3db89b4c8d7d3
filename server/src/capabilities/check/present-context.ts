import { type Assessment, scannerWordOf } from '#capabilities/judging/index.ts';
import { foundValue, type LiveContext, type Outcome } from '#capabilities/providers/index.ts';
import type { CheckContext } from './check-context.ts';
import type { CheckResult, EnrichmentLevel } from './contract.ts';
import type { Facet } from './contract-verdict.ts';
import type { FacetTimes } from './present-completeness.ts';
import { tellTimeline } from './tell-timeline.ts';

/**
 * Adds the context to an answer, as far as its level shows it (contract 2.1 rule 1, traps 11 and 12), and
 * returns the facets that have data. A missing facet is null or absent.
 */
export function addContext(
  result: CheckResult,
  assessment: Assessment,
  level: EnrichmentLevel,
  { live, past, related }: CheckContext,
): FacetTimes {
  const obtained: Obtained = new Map();
  const engine = scannerWordOf(live.scanner);
  if (engine !== null) obtained.set('reputation', { atMs: engine.atS * 1_000, isStale: false });
  result.whois = take(obtained, 'whois', live.whois);
  result.certificates = take(obtained, 'certificates', live.certificates);
  result.vulnerabilities = take(obtained, 'vulnerabilities', live.vulnerabilities);
  if (level === 'basic') return obtained;
  // Absent, not null, when there is no data (contract 2.1 rule 7).
  result.otx = take(obtained, 'otx', otxAt(level, live)) ?? undefined;
  if (level !== 'full') return obtained;
  result.dns = take(obtained, 'dns', live.dns) ?? undefined;
  result.technologies = foundValue(live.technologies) ?? undefined;
  result.timeline = past === null ? undefined : tellTimeline(assessment, past);
  result.relatedInfrastructure = related ?? undefined;
  return obtained;
}

type Obtained = Map<Facet, { readonly atMs: number; readonly isStale: boolean }>;

function take<V>(obtained: Obtained, facet: Facet, outcome: Outcome<V>): V | null {
  if (outcome.state !== 'found') return null;
  obtained.set(facet, { atMs: outcome.fetchedAtMs, isStale: outcome.isStale });
  return outcome.value;
}

/** Removes the fields that only `full` shows (contract 2.4), which the cache may hold from an earlier check. */
function otxAt(level: EnrichmentLevel, { otx }: LiveContext): LiveContext['otx'] {
  if (level === 'full' || otx.state !== 'found') return otx;
  const { source, fetchedAt, pulseCount, moreCount, reputationScore, pulses } = otx.value;
  return { ...otx, value: { source, fetchedAt, pulseCount, moreCount, reputationScore, pulses } };
}
