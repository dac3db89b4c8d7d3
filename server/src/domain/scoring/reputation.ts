import { isLoaded } from './corpus-facts.ts';
import { isActive, isScanner, isThreat } from './facts.ts';
import type { Findings } from './findings.ts';
import type { Verdict } from './verdict.ts';

/**
 * Only scanner-type sources are engines (G55, ruling 6). `malicious`: they list it now. `suspicious`: they delisted
 * it and it has not faded. `undetected`: loaded without a listing. `harmless` stays 0, because no list declares a
 * value clean.
 */
export function reputationOf({ of }: Findings): Verdict['reputation'] {
  if (of.context.isReserved) return { malicious: 0, suspicious: 0, harmless: 0, undetected: 0 };
  const engines = of.listings.filter((listing) => isThreat(listing) && isScanner(listing.source));
  const malicious = engines.filter(isActive).length;
  const suspicious = engines.filter(({ isDelisted }) => isDelisted === true).length;
  // An engine that lists only a neighbour has not detected the subject.
  const heard = engines.filter(
    (listing) => (isActive(listing) || listing.isDelisted === true) && isLoaded(listing.source, of.nowH),
  ).length;
  return { malicious, suspicious, harmless: 0, undetected: Math.max(0, of.corpus.freshScanners - heard) };
}
