import { hourOf, isActive, type ListingFacts } from './facts.ts';
import type { Findings } from './findings.ts';
import { type FpRisk, MODEL } from './model.ts';
import { lineageOf, listedTypeOf } from './opinion-of.ts';
import { round3 } from './round.ts';
import type { Contradiction, Freshness, Verdict } from './verdict.ts';
import { countOf } from './wording.ts';

type Trust = Verdict['trust'];

/** How far the data behind the answer can be trusted (G9). */
export function dataTrustOf(
  findings: Findings,
  reputation: Verdict['reputation'],
  contradictions: readonly Contradiction[],
): Trust {
  const dataAgeHours = dataAgeHoursOf(findings);
  const sourceAgreement = agreementOf(findings, reputation);
  return {
    freshness: freshnessOf(dataAgeHours),
    dataAgeHours,
    sourceAgreement,
    sources: findings.of.listings.filter(isActive).map(toTrustRow),
    providerAgreement: providerAgreementOf(findings, sourceAgreement.count, contradictions),
  };
}

/**
 * The age of the newest data of the accusing sources or, without any, of the sources that could have listed it. The
 * time of our download does not count.
 */
function dataAgeHoursOf({ of, active }: Findings): number | null {
  const newestH =
    active.length > 0
      ? Math.max(...active.map(({ source }) => hourOf(source.dataAtS)))
      : of.corpus.newestDataH;
  return newestH > 0 ? Math.max(0, of.nowH - newestH) : null;
}

function freshnessOf(ageHours: number | null): Freshness {
  if (ageHours === null) return 'unknown';
  const { fresh, recent } = MODEL.freshnessHours;
  if (ageHours <= fresh) return 'fresh';
  return ageHours <= recent ? 'recent' : 'stale';
}

/** The number of independent origins that agree now, and the sum of their reliabilities (ruling 6). */
function agreementOf(
  { of, active, scored, standing }: Findings,
  { malicious, suspicious, harmless }: Verdict['reputation'],
): Trust['sourceAgreement'] {
  const best = new Map<string, number>();
  // Listings of a reserved address are not counted as agreement.
  for (const listing of standing === 'reserved' ? [] : independentOf(active)) {
    const { source } = listing;
    const lineage = lineageOf(source, listedTypeOf(listing, of));
    const known = best.get(lineage) ?? 0;
    const most = source.aggregate ? MODEL.aggregateReliabilityMax : 1;
    best.set(lineage, Math.max(known, Math.min(most, source.reliability)));
  }
  const sum = [...best.values()].reduce((before, reliability) => before + reliability, 0);
  return {
    count: best.size,
    weightedStrength: round3(scored.evidence),
    level: agreementLevelOf(sum),
    scannerDetections: malicious,
    scannerSuspicious: suspicious,
    // An engine without a listing has not declared the subject clean.
    scannerClean: harmless,
  };
}

/** Aggregates only repeat other lists (ruling 4), so at most the best one counts, if no other source does. */
function independentOf(active: readonly ListingFacts[]): readonly ListingFacts[] {
  const own = active.filter(({ source }) => !source.aggregate);
  if (own.length > 0) return own;
  return active
    .toSorted((a, b) => b.source.reliability - a.source.reliability || a.source.number - b.source.number)
    .slice(0, 1);
}

function agreementLevelOf(sum: number): Trust['sourceAgreement']['level'] {
  const { moderate, strong } = MODEL.agreementLevels;
  if (sum <= 0) return 'none';
  // Rounds sums of two-digit reliabilities, so that 0.75 + 0.75 reaches 1.5 on every machine.
  const rounded = round3(sum);
  if (rounded < moderate) return 'weak';
  return rounded < strong ? 'moderate' : 'strong';
}

const NOISE: Readonly<Record<FpRisk, 'precise' | 'contextual' | 'noisy'>> = {
  low: 'precise',
  medium: 'contextual',
  high: 'noisy',
};

const toTrustRow = ({ source }: ListingFacts): Trust['sources'][number] => ({
  name: source.name,
  type: source.type,
  category: source.category,
  threatClass: source.threatClass,
  reliability: round3(source.reliability),
  reliabilityLevel: reliabilityLevelOf(source.reliability),
  noiseProfile: NOISE[source.fpRisk],
});

export function reliabilityLevelOf(reliability: number): 'low' | 'medium' | 'high' {
  const { medium, high } = MODEL.reliabilityLevels;
  if (reliability >= high) return 'high';
  return reliability >= medium ? 'medium' : 'low';
}

function providerAgreementOf(
  { standing }: Findings,
  count: number,
  contradictorySignals: readonly Contradiction[],
): Trust['providerAgreement'] {
  if (contradictorySignals.length > 0)
    return {
      status: 'disagreement',
      summary: `${countOf(contradictorySignals.length, 'signal')} against what the listings say.`,
      contradictorySignals,
    };
  if (count >= 2)
    return {
      status: 'agreement',
      summary: `${count} independent origins agree and nothing speaks against them.`,
      contradictorySignals,
    };
  const unaccused =
    standing === 'reserved' ? 'Reputation does not apply to it.' : 'No source accuses it now.';
  const summary = count === 1 ? 'One origin accuses it; no other confirms or contradicts that.' : unaccused;
  return { status: 'unknown', summary, contradictorySignals };
}
