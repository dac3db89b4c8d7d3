import { type Domain, type Email, parseIndicator } from '#domain/indicator/index.ts';
import { BRANDS, type Brand, brandOf, looksLike } from '#domain/lookalike/index.ts';
import type { EmailReport } from './contract.ts';

let known: readonly Brand[] | null = null;

/** The often imitated brand whose domain the domain of an address resembles; null for none. */
export function imitatedBy({ domain }: Email): EmailReport['lookalike'] {
  known ??= knownBrands();
  return looksLike(domain, known);
}

/** Computed once, because the forms by which each brand is recognised take time. */
function knownBrands(): readonly Brand[] {
  return BRANDS.flatMap((name) => {
    const domain = domainOf(name);
    return (domain === null ? null : brandOf(domain)) ?? [];
  });
}

function domainOf(name: string): Domain | null {
  const parsed = parseIndicator(name);
  return parsed.ok && parsed.indicator.kind === 'domain' ? parsed.indicator : null;
}
