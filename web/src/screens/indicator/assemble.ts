import { basicFacts, type CheckState, isProvisional, shownPhases } from './check-state.ts';

/**
 * Merges the phases into the shape of `GET /check` at level full. Missing phases are left out, and `provisional` says
 * that the check had not finished.
 */
export function assembleResult(state: CheckState): Readonly<Record<string, unknown>> {
  const phases = shownPhases(state);
  const { reputation, insights, dns, enrichment, done } = phases;
  const basic = basicFacts(phases);
  const {
    type: _type,
    verdict,
    listings: _listings,
    coverage: _coverage,
    degraded: _,
    ...first
  } = reputation ?? {};
  const judged = insights ?? verdict;
  return withoutUndefined({
    query: state.target.value,
    ...first,
    ...judged,
    asnReputation: undefined,
    geo: basic?.geo,
    whois: basic?.whois,
    certificates: basic?.certificates,
    vulnerabilities: basic?.vulnerabilities,
    otx: enrichment?.otx ?? undefined,
    dns: dns === undefined ? undefined : withoutUndefined({ ...dns, degraded: undefined }),
    technologies: enrichment?.technologies ?? undefined,
    timeline: enrichment?.timeline ?? undefined,
    relatedInfrastructure: enrichment?.relatedInfrastructure ?? undefined,
    pwnedPassword: enrichment?.pwnedPassword,
    apiVersion: 'v2',
    enrichmentLevel: 'full',
    processingTime: done?.processingTime,
    provisional: isProvisional(state) || undefined,
  });
}

const withoutUndefined = (record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
