import { hostOf, type Indicator } from '#domain/indicator/index.ts';
import type { CheckResult } from './contract.ts';
import type { RansomwareClaims } from './contract-context.ts';

export type ClaimsDeps = {
  /** Claims of ransomware groups on the organization of this host; null where none is loaded. */
  readonly claimsOn?: (host: string) => RansomwareClaims | null;
};

/**
 * Adds what ransomware groups claim about the organization of a domain. It bears on no verdict: the domain of a
 * victim is no threat.
 */
export function addClaims({ claimsOn }: ClaimsDeps, indicator: Indicator, result: CheckResult): void {
  const host = hostOf(indicator);
  if (host?.kind !== 'domain') return;
  const found = claimsOn?.(host.value) ?? null;
  if (found !== null) result.ransomwareClaims = found;
}
